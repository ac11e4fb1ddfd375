%% Tests that need no engine: pairs, options, the project, compiling, and callbacks.
-module(derny_rebar3_tests).
-export([all/1]).

all(Tree) ->
    [{"legacy pairs need no options function", fun legacy/0},
     {"new pairs do", fun new/0},
     {"both styles at once are two benchmarks, and that is said", fun both/0},
     {"what looks like a benchmark and is none is named", fun none/0},
     {"options function: missing clauses give [], mistakes are told", fun() -> callbacks(Tree) end},
     {"the project's options and folders", fun() -> project(Tree) end},
     {"options by profile, rebar.config.script and platform", fun() -> profiles(Tree) end},
     {"compile errors are told with their place", fun() -> compile_error(Tree) end},
     {"only what has changed is compiled anew", fun() -> incremental(Tree) end},
     {"all options of rebar3 bench mean something", fun words/0},
     {"options that mean nothing are refused", fun refused/0},
     {"benchmarks are named as in rebar3_bench or without bench_", fun unwanted/0},
     {"a run of a part leaves _tip alone", fun tips/0}].

find(Exports) -> derny_rebar3_pairs:find(Exports).

legacy() ->
    {[#{name := a, style := legacy, body := bench_a, options := a, stored := bench_a},
      #{name := b, style := legacy, body := bench_b, options := none}], []} =
        find([{bench_b, 2}, {bench_a, 2}, {a, 1}, {bench_, 2}, {c, 2}, {module_info, 1}, {module_info, 0}]).

new() ->
    {[#{name := a, style := new, body := a, options := bench_a, stored := a}], []} =
        find([{a, 2}, {bench_a, 1}, {b, 2}, {bench_b, 0}, {c, 3}, {bench_c, 1}]).

both() ->
    {[#{name := a, style := new}, #{name := bench_a, style := legacy, options := a}], [Remark]} =
        find([{a, 1}, {a, 2}, {bench_a, 1}, {bench_a, 2}]),
    true = string:find(Remark, "new style") =/= nomatch.

none() ->
    {[], []} = find([{bench_old, 1}]),
    true = string:find(derny_rebar3_pairs:why_none([{bench_old, 1}]), "bench_old/1 has no old/2") =/= nomatch.

load(Tree, Name) ->
    File = filename:join([Tree, "test", Name ++ ".erl"]),
    Project = derny_rebar3_project:find(File, Tree),
    derny_rebar3_compile:load(File, derny_rebar3_project:compile_options(Project)).

callbacks(Tree) ->
    {M, _, _} = load(Tree, "bench_edges"),
    Call = fun(Options, Argument) -> derny_rebar3:call_options(M, Options, Argument) end,
    [] = Call(none, init),
    [] = Call(bench_no_clause, init),
    [] = Call(bench_no_clause, {input, []}),
    ok = Call(bench_no_clause, {stop, []}),
    function_clause = try Call(bench_hidden_clause, {input, []}) catch error:Clause -> Clause end,
    undef = try Call(bench_hidden_undef, {input, []}) catch error:Undef -> Undef end,
    cannot_stop = try Call(bench_stop_fails, {stop, []}) catch error:Reason -> Reason end.

project(Tree) ->
    #{top := Tree, app := Tree} = Project = derny_rebar3_project:find(filename:join(Tree, "test/bench_new.erl"), Tree),
    Options = derny_rebar3_project:compile_options(Project),
    true = lists:member({d, 'TEST'}, Options),
    true = lists:member({i, filename:join(Tree, "include")}, Options),
    [Codec] = derny_rebar3_project:sources(Project),
    "tree_codec.erl" = filename:basename(Codec),
    Dirs = ["_build/default/lib/dep/ebin", "_build/default/lib/tree/ebin", "_build/test/lib/tree/ebin", "_build/test/lib/tree/test"],
    [ok = filelib:ensure_dir(filename:join([Tree, Dir, "x"])) || Dir <- Dirs],
    Expected = [filename:join(Tree, Dir) || Dir <- ["_build/test/lib/tree/ebin", "_build/test/lib/tree/test", "_build/default/lib/dep/ebin"]],
    Expected = derny_rebar3_project:code_paths(Project),
    ok = file:del_dir_r(filename:join(Tree, "_build")).

profiles(Tree) ->
    Config = filename:join(Tree, "rebar.config"),
    ok = file:write_file(Config, "{erl_opts, [warnings_as_errors, {d, 'BASE'}, {i, \"more\"}, {platform_define, \"^[0-9]\", 'NUMBERED', 7}, "
                                 "{platform_define, \"^none\", 'NONE'}]}.\n{profiles, [{bench, [{erl_opts, [{d, 'BENCH'}]}]}, {test, [{erl_opts, [{d, 'MORE'}]}]}]}.\n"),
    ok = file:write_file(Config ++ ".script", "[{erl_opts, [{d, 'SCRIPTED'} | proplists:get_value(erl_opts, CONFIG)]} | proplists:delete(erl_opts, CONFIG)].\n"),
    Project = derny_rebar3_project:find(filename:join(Tree, "test/bench_new.erl"), filename:dirname(Tree)),
    #{top := Tree} = Project,
    Defined = fun() -> [Name || {d, Name} <- derny_rebar3_project:compile_options(Project)] end,
    ['TEST', 'SCRIPTED', 'BASE', 'MORE'] = Defined(),
    Options = derny_rebar3_project:compile_options(Project),
    [7] = [Value || {d, 'NUMBERED', Value} <- Options],
    false = lists:member(warnings_as_errors, Options),
    true = lists:member({i, filename:join(Tree, "more")}, Options),
    true = os:putenv("DERNY_REBAR3_PROFILES", "bench"),
    ['SCRIPTED', 'BASE', 'BENCH'] = Defined(),
    "bench" = derny_rebar3_project:build_name(),
    true = os:putenv("DERNY_REBAR3_PROFILES", "bench,test"),
    "bench+test" = derny_rebar3_project:build_name(),
    true = os:unsetenv("DERNY_REBAR3_PROFILES"),
    [ok = file:delete(File) || File <- [Config, Config ++ ".script"]].

compile_error(Tree) ->
    File = filename:join(Tree, "test/bench_wrong.erl"),
    ok = file:write_file(File, "-module(bench_wrong).\n-export([a/2]).\na(_, _) -> B.\n"),
    Told = try derny_rebar3_compile:load(File, []) catch throw:Sentence -> unicode:characters_to_list(Sentence) end,
    true = string:find(Told, "bench_wrong.erl:3") =/= nomatch andalso string:find(Told, "'B' is unbound") =/= nomatch,
    ok = file:delete(File).

incremental(Tree) ->
    Source = filename:join(Tree, "src/tree_codec.erl"),
    Folder = filename:join(Tree, "made"),
    Beam = filename:join(Folder, "tree_codec.beam"),
    ok = file:make_dir(Folder),
    LongAgo = {{2001, 1, 1}, {0, 0, 0}},
    Made = fun(Since) ->
        ok = derny_rebar3_compile:to_file(Source, Folder, {[{i, filename:join(Tree, "include")}], Since}),
        filelib:last_modified(Beam)
    end,
    ok = file:change_time(Source, LongAgo),
    Now = Made(LongAgo),
    ok = file:change_time(Beam, {{2002, 1, 1}, {0, 0, 0}}),
    {{2002, 1, 1}, {0, 0, 0}} = Made(LongAgo),
    true = Made({{2003, 1, 1}, {0, 0, 0}}) >= Now,
    ok = file:del_dir_r(Folder).

run(Options) -> #{files => ["f"], excludes => [], options => Options, more => []}.

words() ->
    Names = [Name || {Name, _, _, _, _} <- rebar3_derny_words:options()],
    [] = [dir, module, benches, duration, samples, confidence, cover, parameter, no_stats, save_baseline, baseline, callback_style] -- Names,
    ["run", "f", "--save", "_tip"] = rebar3_derny_words:measure(run([])),
    Options = [{duration, 3}, {samples, 1}, {confidence, 97}, {parameter, "memory"}, {save_baseline, "new"}],
    ["run", "f", "--exclude", "**s/b", "--budget", "6s", "--set", "rounds=1", "--set", "confidence=97", "--set", "metrics=allocated", "--save", "new",
     "--against", "old", "--quick"] =
        rebar3_derny_words:measure((run(Options))#{excludes := ["s/b"], against => "old", more := ["--quick"]}),
    ["metrics=time", "metrics=time", "metrics=reductions"] =
        [lists:nth(4, rebar3_derny_words:measure(run([{parameter, Parameter}]))) || Parameter <- ["wall_time", "wall-time", "reductions"]],
    ["run", "--once", "--cover=7", "f"] = rebar3_derny_words:cover(run([{calls, 7}, {cover, true}])),
    ["a", "b", "c"] = rebar3_derny_words:modules("a,b, c"),
    any = rebar3_derny_words:modules(undefined).

refused() ->
    Of = fun(Option) -> element(1, {_, _} = rebar3_derny_words:check([Option])) end,
    [error, error, error, error, error] =
        [Of(Option) || Option <- [{callback_style, "old"}, {parameter, "time"}, {confidence, 100}, {samples, 0}, {duration, -1}]],
    ok = rebar3_derny_words:check([{callback_style, "new"}, {parameter, "memory"}, {confidence, 97}, {samples, 1}, {dir, "bench"}]).

unwanted() ->
    Listed = ["test/bench_a/x", "test/bench_a/y", "test/bench_b/x"],
    {[], []} = rebar3_derny_words:unwanted(Listed, any),
    {["test/bench_a/y"], []} = rebar3_derny_words:unwanted(Listed, ["x"]),
    {["test/bench_a/x", "test/bench_b/x"], ["z"]} = rebar3_derny_words:unwanted(Listed, ["bench_y", "z"]).

tips() ->
    {"_tip", ["_tip"]} = rebar3_derny_words:names([]),
    {"_tip-bench_kv-a-b", ["_tip-bench_kv-a-b", "_tip"]} = rebar3_derny_words:names([{benches, "a,b"}, {module, "bench_kv"}]),
    {"v2", ["v1"]} = rebar3_derny_words:names([{benches, "a"}, {save_baseline, "v2"}, {baseline, "v1"}]),
    {"v2", ["_tip"]} = rebar3_derny_words:names([{save_baseline, "v2"}]).
