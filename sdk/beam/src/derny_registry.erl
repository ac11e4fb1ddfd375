%% Benchmarks, their parameters, and the cases that result. Uses no streams and times nothing.
%%
%% Every way to write benchmarks (derny.erl, Derny, Benchfella, …) calls add/1 with a map, benchmark():
%%
%%   name            text; required
%%   body            required: fun() -> Result, fun(Input) -> Result, or {loop, fun(Iterations, Input) -> LastResult}
%%   params          [{Name, Values}]: values of one type; the first parameter varies slowest
%%   filter          fun(Params) -> boolean(): true for the combinations to keep. Params is always #{Name => Value}
%%   skip            the reason to skip all cases, or fun(Params) -> Reason | false | nil
%%   setup           fun(Params) -> Input, run in the process of the case; by default, Params is the input
%%   teardown        fun(Input, Params), run in the same process
%%   before_batch    fun(Input, Iterations) -> Input of the next batch; not timed
%%   after_batch     fun(Input, Iterations) or fun(Input, Iterations, LastResult), called with the input of the batch; not timed
%%   process         `case' (default): the process that ran setup runs the body; `turn': each turn runs it in a new process
%%   metrics         [{Name, #{unit, kind, better, exact, read := fun(Input) -> number()}}], read at the end of each turn; the kind
%%                   is level (default), total, peak or rate
%%   ops, bytes, items   numbers, or fun(Params) -> number()
%%   unit, group, tags, args, env ([{Name, Value}]), isolate, max_iterations, file, line   see the `case' line in PROTOCOL.md
%%   failure         {Message, Detail}: why it cannot be measured; it is listed as an error
%%   priority, heap  priority of the process (default: normal), and its minimum heap in words in the mode `time'
-module(derny_registry).
-export([add/1, replace/1, all/0, clear/0, source/1, prepare/1, cases/2, find/1, params/2, text/1]).
-export_type([benchmark/0, params/0]).

-type benchmark() :: #{name := unicode:chardata(), body := term(), atom() => term()}.
-type params() :: #{atom() | binary() | string() => term()}.

-define(KEYS, [name, body, params, filter, skip, setup, teardown, before_batch, after_batch, process, metrics, ops, bytes, items,
               unit, group, tags, args, env, isolate, max_iterations, file, line, failure, priority, heap]).

%% @doc Registers a benchmark. Throws a message if it is invalid.
-spec add(benchmark()) -> ok.
add(#{name := Name, body := Body} = Benchmark) ->
    Text = unicode:characters_to_binary(Name),
    is_binary(Text) andalso Text =/= <<>> orelse throw("the name of a benchmark must be non-empty text"),
    [throw(["the benchmark \"", Text, "\" has the unknown key ", inspect(Key)]) || Key <- maps:keys(Benchmark), not lists:member(Key, ?KEYS)],
    find(Text) =:= undefined orelse throw(["the benchmark \"", Text, "\" is defined twice"]),
    Params = [own(Text, Param) || Param <- maps:get(params, Benchmark, [])],
    _ = is_tuple(Body) orelse is_function(Body) orelse throw(["the benchmark \"", Text, "\" has no body"]),
    persistent_term:put(?MODULE, [Benchmark#{name := Text, params => Params} | stored()]).

%% @doc Like add/1, but replaces a benchmark of the same name. A shell may register a module again.
-spec replace(benchmark()) -> ok.
replace(#{name := Name} = Benchmark) ->
    Text = unicode:characters_to_binary(Name),
    persistent_term:put(?MODULE, [Old || #{name := Own} = Old <- stored(), Own =/= Text]),
    add(Benchmark).

own(_, {Name, [Value | Others] = Values}) ->
    [type(Value) =:= type(Other) orelse throw(["the values of ", text(Name), " must be of one type"]) || Other <- Others],
    {Name, Values};
own(Name, {Param, _}) -> throw(["the parameter ", text(Param), " of \"", Name, "\" needs a list of at least one value"]).

inspect(Term) -> derny_failure:inspect(Term).

stored() -> persistent_term:get(?MODULE, []).

%% @doc Returns all benchmarks in order of definition.
-spec all() -> [benchmark()].
all() -> lists:reverse(stored()).

clear() -> persistent_term:erase(?MODULE).

%% @doc Sets a function that registers benchmarks when they are needed; see prepare/1.
-spec source(fun((all | {'case', binary()}) -> [Remark :: unicode:chardata()])) -> ok.
source(Function) -> persistent_term:put({?MODULE, source}, Function).

%% @doc Calls the function of source/1, if there is one, to register all benchmarks or the one with the given
%% name. Returns remarks for the user.
-spec prepare(all | {'case', binary()}) -> [Remark :: unicode:chardata()].
prepare(What) ->
    case persistent_term:get({?MODULE, source}, none) of
        none -> [];
        Function -> Function(What)
    end.

-spec find(binary()) -> benchmark() | undefined.
find(Name) ->
    case [Benchmark || #{name := Own} = Benchmark <- stored(), Own =:= Name] of
        [Benchmark] -> Benchmark;
        [] -> undefined
    end.

%% @doc Returns the cases of all benchmarks as {Benchmark, Params}. Given values replace those of a benchmark.
%% If Smallest is true, only the first case of each benchmark is returned.
-spec cases([{binary(), [binary()]}], Smallest :: boolean()) -> [{benchmark(), [{Name :: term(), Value :: term()}]}].
cases(Given, Smallest) ->
    lists:flatmap(fun(Benchmark) ->
        case combinations(Benchmark, Given) of
            [First | _] when Smallest -> [{Benchmark, First}];
            All -> [{Benchmark, Params} || Params <- All]
        end
    end, all()).

combinations(#{params := Own} = Benchmark, Given) ->
    Axes = [{Name, replaced(Benchmark, Param, Given)} || {Name, _} = Param <- Own],
    Keep = maps:get(filter, Benchmark, fun(_) -> true end),
    [Params || Params <- product(Axes), Keep(maps:from_list(Params))].

replaced(Benchmark, {Name, Own}, Given) ->
    case lists:keyfind(text(Name), 1, Given) of
        {_, Texts} -> [typed(Benchmark, Name, Own, Text) || Text <- Texts];
        false -> Own
    end.

product([]) -> [[]];
product([{Name, Values} | Axes]) -> [[{Name, Value} | Rest] || Value <- Values, Rest <- product(Axes)].

%% @doc Parses the given values of one case, and returns them by parameter. Throws a message if a value is
%% missing or invalid, or if its parameter is unknown.
-spec params(benchmark(), [{binary(), binary()}]) -> params().
params(#{name := Name, params := Own} = Benchmark, Given) ->
    Names = [text(Param) || {Param, _} <- Own],
    [throw(["the benchmark \"", Name, "\" has no parameter \"", Key, "\""]) || {Key, _} <- Given, not lists:member(Key, Names)],
    maps:from_list([{Param, needed(Benchmark, Param, Values, Given)} || {Param, Values} <- Own]).

needed(#{name := Name} = Benchmark, Param, Own, Given) ->
    case lists:keyfind(text(Param), 1, Given) of
        {_, Text} -> typed(Benchmark, Param, Own, Text);
        false -> throw(["the benchmark \"", Name, "\" needs a value for its parameter \"", text(Param), "\""])
    end.

%% Parses a value: the benchmark's own value with that text, or else a new one of the same type.
typed(#{name := Name}, Param, Own, Text) ->
    case [Value || Value <- Own, text(Value) =:= Text] of
        [Value | _] -> Value;
        [] ->
            Type = type(hd(Own)),
            try from_text(Type, Text)
            catch _:_ -> throw(["the parameter \"", text(Param), "\" of \"", Name, "\": \"", Text, "\" is not of type ", atom_to_list(Type)])
            end
    end.

type(Value) when is_boolean(Value) -> boolean;
type(Value) when is_number(Value) -> number;
type(Value) when is_atom(Value) -> atom;
type(Value) when is_binary(Value) -> text;
type([C | _]) when is_integer(C) -> string;
type(_) -> term.

from_text(number, Text) ->
    try binary_to_integer(Text) catch error:badarg -> binary_to_float(Text) end;
from_text(boolean, Text) -> true = lists:member(Text, [<<"true">>, <<"false">>]), binary_to_atom(Text);
from_text(atom, Text) -> binary_to_atom(Text);
from_text(text, Text) -> Text;
from_text(string, Text) -> unicode:characters_to_list(Text).

%% @doc Returns a value as text, as it appears in a case.
-spec text(term()) -> binary().
text(Value) when is_binary(Value) -> Value;
text(Value) when is_atom(Value) -> atom_to_binary(Value);
text(Value) when is_integer(Value) -> integer_to_binary(Value);
text(Value) when is_float(Value) -> float_to_binary(Value, [short]);
text([C | _] = Value) when is_integer(C) ->
    case io_lib:printable_unicode_list(Value) of
        true -> unicode:characters_to_binary(Value);
        false -> unicode:characters_to_binary(inspect(Value))
    end;
text(Value) -> unicode:characters_to_binary(inspect(Value)).
