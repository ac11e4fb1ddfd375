%% Runs the `bench_*.erl' files of rebar3_bench, unmodified. It finds the pairs of functions in a file and
%% registers each as a benchmark. The engine starts this program. Neither rebar3 nor rebar3_bench is needed.
%%
%% As in rebar3_bench, the options function returns the state for `init', the input for `{input, State}', and
%% is called last with `{stop, State}'. A missing clause counts as []. The options function and the body run
%% in one process with high priority and a heap of 5 MB.
-module(derny_rebar3).
-export([main/2, register/3, call_options/3]).

%% @doc Serves the engine. The plain arguments are the benchmark file, the root of Derny's project and the
%% build folder.
main([File, Root, Build], Mark) ->
    derny_main:serve(erlang, Mark, fun() ->
        register(filename:absname(File), filename:absname(Root), Build),
        {can, ["cover"]}
    end).

%% @doc Compiles and loads a file, and registers its benchmarks. A file without benchmarks is not an error
%% here: the build has already reported it.
-spec register(file:filename(), file:filename(), file:filename()) -> ok.
register(File, Root, Build) ->
    Project = derny_rebar3_project:find(File, Root),
    code:add_pathsa(lists:reverse([filename:join(Build, "ebin") | derny_rebar3_project:code_paths(Project)])),
    {Module, Exports, Code} = derny_rebar3_compile:load(File, derny_rebar3_project:compile_options(Project)),
    {Pairs, Remarks} = derny_rebar3_pairs:find(Exports),
    [io:format(standard_error, "~ts: ~ts~n", [File, Remark]) || Remark <- Remarks],
    Lines = derny_rebar3_compile:lines(Code),
    Line = fun(#{body := Body}) -> maps:get({Body, 2}, Lines, 0) end,
    InOrder = lists:sort(fun(A, B) -> Line(A) =< Line(B) end, Pairs),
    [ok = derny_registry:add(benchmark(Module, Pair, Line(Pair), {File, Project, Build})) || Pair <- InOrder],
    ok.

benchmark(Module, #{name := Name, body := Body, options := Options}, Line, {File, Project, Build}) ->
    Benchmark = #{
        name => atom_to_binary(Name),
        body => {loop, loop(Module, Body)},
        setup => fun(_) -> set_up(Module, Options) end,
        teardown => fun({_, State}, _) -> call_options(Module, Options, {stop, State}), ok end,
        priority => high,
        heap => 5 * 1024 * 1024 div erlang:system_info(wordsize),
        file => unicode:characters_to_binary(File)
    },
    Placed = case Line of 0 -> Benchmark; _ -> Benchmark#{line => Line} end,
    derny_rebar3_cover:wrap(Placed, Module, {Project, Build}).

%% Returns the input and the state. If making the input fails, releases the state.
set_up(Module, Options) ->
    State = call_options(Module, Options, init),
    try {call_options(Module, Options, {input, State}), State}
    catch
        Class:Reason:Stack ->
            call_options(Module, Options, {stop, State}),
            erlang:raise(Class, Reason, Stack)
    end.

%% @doc Calls the options function. Returns [] if the function itself has no matching clause. A
%% function_clause error in a function that it calls is an error of the benchmark.
-spec call_options(module(), atom() | none, term()) -> term().
call_options(_, none, _) -> [];
call_options(Module, Options, Argument) ->
    try Module:Options(Argument)
    catch
        error:function_clause:Stack ->
            case Stack of
                [{Module, Options, [Argument], _}, {?MODULE, call_options, _, _} | _] -> [];
                _ -> erlang:raise(error, function_clause, Stack)
            end
    end.

%% Each body gets a generated module. Its calls are static, and each result is an argument of the next call,
%% so the compiler cannot remove them. A call costs about 2 ns. The fun that rebar3_bench calls costs 10 ns.
loop(Module, Body) ->
    {M, F} = {{atom, 1, Module}, {atom, 1, Body}},
    [N, Input, State, Last] = [{var, 1, Name} || Name <- ['N', 'Input', 'State', 'Last']],
    Both = {tuple, 1, [Input, State]},
    Call = {call, 1, {remote, 1, M, F}, [Input, State]},
    Again = fun(Times, Result) -> {call, 1, {atom, 1, again}, [Times, Result, Input, State]} end,
    Name = list_to_atom("derny_rebar3 " ++ atom_to_list(Module) ++ ":" ++ atom_to_list(Body)),
    Forms = [
        {attribute, 1, module, Name},
        {attribute, 1, export, [{loop, 2}]},
        {function, 1, loop, 2, [{clause, 1, [N, Both], [], [Again(N, {atom, 1, undefined})]}]},
        {function, 1, again, 4, [
            {clause, 1, [{integer, 1, 0}, Last, {var, 1, '_'}, {var, 1, '_'}], [], [Last]},
            {clause, 1, [N, {var, 1, '_'}, Input, State], [], [Again({op, 1, '-', N, {integer, 1, 1}}, Call)]}
        ]}
    ],
    {ok, Name, Code} = compile:forms(Forms, []),
    {module, Name} = code:load_binary(Name, "derny", Code),
    fun Name:loop/2.
