%% @doc Benchmarks in Erlang.
%%
%% A file `*_bench.erl' or `bench_*.erl' exports a function benchmarks/0, which returns a list of benchmarks:
%%
%%     {Name, Body}
%%     {Name, Body, Options}      Options is a map; the README lists its keys
%%
%% A body is a fun with no argument or with one. The argument is the result of `setup' or, without `setup', the map of
%% parameters. Calling an exported function (`fun ?MODULE:name/1') is as cheap as a local call. Any other fun costs about 8 ns
%% more per call.
-module(derny).
-export([register/1, main/1, run/0, run/1]).

-type body() :: fun(() -> term()) | fun((Input :: term()) -> term()).
-type options() :: #{atom() => term()}.
-export_type([body/0, options/0]).

-define(OPTIONS, [params, filter, skip, setup, teardown, before_batch, after_batch, metrics, ops, unit, bytes, items, group, tags, args,
                  env, isolate, max_iterations, priority, heap, schedulers]).

%% @doc Registers the benchmarks of a module. Throws a message if one is invalid.
-spec register(module()) -> ok.
register(Module) ->
    erlang:function_exported(Module, benchmarks, 0) orelse throw([atom_to_list(Module), " does not export benchmarks/0"]),
    Benchmarks = Module:benchmarks(),
    Names = [unicode:characters_to_binary(element(1, Benchmark)) || Benchmark <- Benchmarks, is_tuple(Benchmark)],
    [throw(["the benchmark \"", Name, "\" is defined twice"]) || Name <- Names -- lists:usort(Names)],
    %% In a shell, a module may be registered again.
    lists:foreach(fun(Benchmark) -> add(Module, Benchmark) end, Benchmarks).

add(Module, {Name, Body}) -> add(Module, {Name, Body, #{}});
add(Module, {Name, Body, Options}) when is_map(Options) ->
    [throw(["the benchmark \"", Name, "\" has the unknown option ", atom_to_list(Key)]) || Key <- maps:keys(Options), not lists:member(Key, ?OPTIONS)],
    Args = case Options of
        #{schedulers := Schedulers} -> ["+S", io_lib:format("~b:~b", [Schedulers, Schedulers]) | maps:get(args, Options, [])];
        _ -> maps:get(args, Options, [])
    end,
    derny_registry:replace((maps:remove(schedulers, Options))#{name => Name, body => Body, args => [lists:flatten(Arg) || Arg <- Args], file => source(Module)});
add(_, Other) -> throw(["a benchmark is {Name, Body} or {Name, Body, Options}, not ", derny_failure:inspect(Other)]).

source(Module) ->
    unicode:characters_to_binary(proplists:get_value(source, Module:module_info(compile), "")).

%% @doc Runs a module as a program: call it in main/1 of an escript that contains `-mode(compile)'. Ends the
%% runtime.
-spec main(module()) -> no_return().
main(Module) ->
    Mark = derny_clock:mark(),
    try
        register(Module)
    catch
        throw:Sentence ->
            io:put_chars(standard_error, ["derny: ", Sentence, "\n"]),
            halt(2)
    end,
    derny_main:program(erlang, {["escript" | init:get_plain_arguments()], Mark}).

%% @doc Measures the benchmarks registered in a shell and prints the result. Flags are those of `derny dev
%% attach'.
-spec run() -> ok | {error, string()}.
run() -> run([]).

-spec run([string()]) -> ok | {error, string()}.
run(Flags) ->
    case derny_main:attach(erlang, Flags, derny_clock:mark()) of
        {ok, Report, _} -> io:put_chars(Report);
        {error, _} = Error -> Error
    end.
