%% Finds the exported functions of a module that are benchmarks by the conventions of rebar3_bench. Uses only
%% their names and arities.
%%
%% A benchmark NAME is a pair of functions. In the *new* style, NAME/2 is timed and bench_NAME/1 returns its
%% input. In the *legacy* style, bench_NAME/2 is timed and NAME/1, which is optional, returns its input. A
%% module may contain both, because arities determine the style. rebar3_bench needs an option for the style,
%% and runs nothing if it is wrong.
-module(derny_rebar3_pairs).
-export([find/1, why_none/1]).
-export_type([pair/0]).

%% `stored' is the name of the benchmark in a dump of rebar3_bench.
-type pair() :: #{name := atom(), style := new | legacy, body := atom(), options := atom() | none, stored := atom()}.

%% @doc Returns the pairs among exported functions, sorted by name, and remarks about ambiguous names.
-spec find([{atom(), arity()}]) -> {[pair()], [unicode:chardata()]}.
find(Exports) ->
    Bodies = lists:sort([F || {F, 2} <- Exports]),
    Legacy = [legacy(F, Name, Exports) || F <- Bodies, {ok, Name} <- [unprefixed(F)]],
    New = [new(F) || F <- Bodies, lists:member({prefixed(F), 1}, Exports)],
    Both = [Name || #{name := Name} <- New, #{name := Other} <- Legacy, Name =:= Other],
    Pairs = New ++ [full_name(Pair, Both) || Pair <- Legacy],
    {lists:sort(fun(#{name := A}, #{name := B}) -> A =< B end, Pairs), [ambiguous(Name) || Name <- Both]}.

legacy(Body, Name, Exports) ->
    Options = case lists:member({Name, 1}, Exports) of true -> Name; false -> none end,
    #{name => Name, style => legacy, body => Body, options => Options, stored => Body}.

new(Body) -> #{name => Body, style => new, body => Body, options => prefixed(Body), stored => Body}.

%% If a pair can be read in both styles, both readings are benchmarks. The legacy one is named as in
%% rebar3_bench.
full_name(#{name := Name, stored := Stored} = Pair, Both) ->
    case lists:member(Name, Both) of
        true -> Pair#{name := Stored};
        false -> Pair
    end.

ambiguous(Name) ->
    io_lib:format("~ts/2 and bench_~ts/2 are both timed: with bench_~ts/1 the former is a benchmark in the new style, the latter "
                  "is one in the legacy style", [Name, Name, Name]).

unprefixed(Function) ->
    case atom_to_list(Function) of
        "bench_" ++ [_ | _] = "bench_" ++ Name -> {ok, list_to_atom(Name)};
        _ -> none
    end.

prefixed(Function) -> list_to_atom("bench_" ++ atom_to_list(Function)).

%% @doc Explains why a module has no benchmarks, naming a function that lacks its counterpart.
-spec why_none([{atom(), arity()}]) -> unicode:chardata().
why_none(Exports) ->
    Wanted = "a benchmark is a pair of exports: NAME/2 and bench_NAME/1, or bench_NAME/2 and optionally NAME/1",
    case [F || {F, 1} <- Exports, unprefixed(F) =/= none] of
        [] -> Wanted;
        [First | _] ->
            {ok, Name} = unprefixed(First),
            io_lib:format("~ts; ~ts/1 has no ~ts/2", [Wanted, First, Name])
    end.
