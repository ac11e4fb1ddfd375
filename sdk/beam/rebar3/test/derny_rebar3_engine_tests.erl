%% Tests that need an engine (DERNY_BIN, or derny on the PATH), in a copy of the tree: whole files with `derny
%% run', coverage, and the plugin if rebar3 is installed.
-module(derny_rebar3_engine_tests).
-export([all/2]).

all(Tree, Plugin) ->
    [{"each benchmark of each file is found and called, and what fails is told", fun() -> once(Tree) end},
     {"bodies that rebar3_bench cannot measure are measured", fun() -> measured(Tree) end},
     {"a file without pairs is a remark, and the others are run", fun() -> nothing(Tree) end},
     {"changed sources are measured, not what was compiled before", fun() -> changed(Tree) end},
     {"an umbrella project: each application's benchmarks, and those of the top, with the code of all", fun() -> umbrella(Tree) end},
     {"where rebar3 fails its words have no colours, and what to do without it is told", fun() -> failing(Tree) end},
     {"coverage tells how often what ran", fun() -> cover(Tree) end}
     | case os:find_executable("rebar3") of
         false -> [{skipped, "the plugin: there is no rebar3"}];
         _ -> [{"rebar3 bench", fun() -> plugin(Tree, Plugin) end}]
     end].

derny(Tree, Words) -> command(Tree, os:find_executable(engine()), ["--no-config" | Words], []).

engine() -> case os:getenv("DERNY_BIN", "") of "" -> "derny"; Named -> Named end.

command(Tree, Program, Words, Env) ->
    Port = open_port({spawn_executable, Program}, [{args, Words}, {cd, Tree}, {env, Env}, exit_status, stderr_to_stdout, binary]),
    collect(Port, []).

collect(Port, Parts) ->
    receive
        {Port, {data, Part}} -> collect(Port, [Parts, Part]);
        {Port, {exit_status, Status}} -> {Status, unicode:characters_to_list(iolist_to_binary(Parts))}
    end.

says(Text, Part) -> string:find(Text, Part) =/= nomatch orelse error({does_not_say, Part, Text}).

once(Tree) ->
    {3, Text} = derny(Tree, ["run", "--once" | ["test/" ++ Name ++ ".erl" || Name <- ["bench_legacy", "bench_mixed", "bench_edges", "odd_name"]]]),
    Passed = ["odd_name/odd", "bench_legacy/encode", "bench_legacy/alone", "bench_mixed/decode", "bench_mixed/copy", "bench_mixed/both", "bench_mixed/bench_both",
              "bench_edges/one_process", "bench_edges/no_clause", "bench_edges/stops", "bench_edges/test_defined", "bench_edges/greedy",
              "bench_edges/mailbox", "bench_edges/slow", "bench_edges/constant"],
    [says(Text, ["test/", Name, " passed"]) || Name <- Passed],
    [says(Text, Reason) || Reason <- ["function_clause", "undef", "error: crashed", "error: no_input"]],
    ok = file:delete(filename:join(Tree, "given-back")),
    [nomatch = string:find(Text, ["bench_edges/", Name, " passed"]) || Name <- ["hidden_clause", "hidden_undef", "crash", "exits", "input_fails"]],
    nomatch = string:find(Text, "helper").

measured(Tree) ->
    Names = ["test/bench_edges/" ++ Name || Name <- ["slow", "greedy", "mailbox", "constant"]],
    {0, Text} = derny(Tree, ["run", "--set", "processes=2", "--set", "rounds=2", "--set", "warmup=0", "-f", "csv" | Names]),
    [says(Text, ["bench_edges,", Name]) || Name <- ["slow", "greedy", "mailbox", "constant"]].

%% A file that contains no pair, because it was written for the first version of rebar3_bench.
nothing(Tree) ->
    Top = filename:join(Tree, "nothing"),
    Put = fun(Name, Text) -> ok = filelib:ensure_dir(filename:join(Top, Name)), ok = file:write_file(filename:join(Top, Name), Text) end,
    Put("test/bench_first.erl", "-module(bench_first).\n-export([bench_old/1]).\nbench_old(_) -> ok.\n"),
    Put("test/bench_good.erl", "-module(bench_good).\n-export([bench_all/2]).\nbench_all(_, _) -> ok.\n"),
    {0, Text} = derny(Top, ["run", "--once"]),
    [says(Text, Part) || Part <- ["note: test/bench_first.erl has no benchmark", "bench_old/1 has no old/2", "bench_good/all passed"]],
    nomatch = string:find(Text, "DY310"),
    {4, Named} = derny(Top, ["run", "--once", "test/bench_first.erl"]),
    [says(Named, Part) || Part <- ["bench_old/1 has no old/2", "no benchmarks found"]],
    ok = file:del_dir_r(Top).

changed(Tree) ->
    File = filename:join(Tree, "src/tree_codec.erl"),
    {ok, Before} = file:read_file(File),
    Slower = binary:replace(Before, <<"encode(Words) ->">>, <<"encode(_) -> error(changed);\nencode(Words) ->">>),
    ok = file:write_file(File, Slower),
    {3, Text} = derny(Tree, ["run", "--once", "bench_legacy/encode"]),
    says(Text, "error: changed"),
    ok = file:write_file(File, Before).

umbrella(Tree) ->
    Top = filename:join(Tree, "umbrella"),
    Put = fun(Name, Text) -> ok = filelib:ensure_dir(filename:join(Top, Name)), ok = file:write_file(filename:join(Top, Name), Text) end,
    Put("rebar.config", "{erl_opts, [{d, 'ALL', 3}]}.\n"),
    [begin
         Put(["apps/", App, "/src/", App, ".app.src"], ["{application, ", App, ", [{vsn, \"1\"}, {applications, [kernel, stdlib]}]}.\n"]),
         Put(["apps/", App, "/src/", App, ".erl"], ["-module(", App, ").\n-export([all/0]).\nall() -> ", Body, ".\n"]),
         Put(["apps/", App, "/test/bench_", App, ".erl"], ["-module(bench_", App, ").\n-export([bench_all/2]).\nbench_all(_, _) -> 6 = ", App, ":all() * ", Times, ".\n"])
     end || {App, Body, Times} <- [{"one", "?ALL", "2"}, {"two", "one:all() * 2", "1"}]],
    Put("test/bench_top.erl", "-module(bench_top).\n-export([bench_all/2]).\nbench_all(_, _) -> 9 = one:all() + two:all().\n"),
    [begin
         {0, Text} = command(Top, os:find_executable(engine()), ["--no-config", "run", "--once"], Env),
         [says(Text, [Name, " passed"]) || Name <- ["bench_one/all", "bench_two/all", "bench_top/all"]],
         _ = file:del_dir_r(filename:join(Top, "_build"))
     end || Env <- [[{"DERNY_REBAR3", "no"}], []]],
    ok = file:del_dir_r(Top).

failing(Tree) ->
    Top = filename:join(Tree, "failing"),
    Put = fun(Name, Text) -> ok = filelib:ensure_dir(filename:join(Top, Name)), ok = file:write_file(filename:join(Top, Name), Text) end,
    Put("rebar.config", "{erl_opts, []}.\n"),
    Put("test/bench_one.erl", "-module(bench_one).\n-export([bench_all/2]).\nbench_all(_, _) -> ok.\n"),
    Put("bin/rebar3", "#!/bin/sh\nprintf '\\033[1m\\033[31m===> no such plugin\\033[0m\\n'\nexit 1\n"),
    ok = file:change_mode(filename:join(Top, "bin/rebar3"), 8#755),
    Path = filename:join(Top, "bin") ++ ":" ++ os:getenv("PATH"),
    Run = fun(Env) -> command(Top, os:find_executable(engine()), ["--no-config", "run", "--once"], [{"PATH", Path} | Env]) end,
    {2, Text} = Run([]),
    [says(Text, Part) || Part <- ["  ===> no such plugin\n", "DERNY_REBAR3=no"]],
    {0, Without} = Run([{"DERNY_REBAR3", "no"}]),
    says(Without, "bench_one/all passed"),
    ok = file:del_dir_r(Top).

cover(Tree) ->
    {0, _} = derny(Tree, ["run", "--once", "--cover=5", "bench_legacy/encode", "bench_mixed/decode"]),
    Folder = filename:join(Tree, "_build/test/cover"),
    Files = filelib:wildcard(filename:join(Folder, "*.coverdata")),
    2 = length(Files),
    {ok, _} = cover:start(),
    [ok = cover:import(File) || File <- Files],
    {ok, Calls} = cover:analyse(tree_codec, calls, function),
    [{{tree_codec, decode, 1}, 5}, {{tree_codec, encode, 1}, 5}] = lists:sort(Calls),
    ok = cover:stop(),
    ok = file:del_dir_r(filename:join(Tree, "_build")).

%% Tests the plugin. It is installed in _checkouts, with `rebar3 bench' as its alias.
plugin(Tree, Plugin) ->
    ok = file:write_file(filename:join(Tree, "rebar.config"), "{project_plugins, [rebar3_derny]}.\n{derny, [{bench, true}]}.\n"),
    Copy = filename:join(Tree, "_checkouts/rebar3_derny"),
    [begin
         To = filename:join(Copy, File),
         ok = filelib:ensure_dir(To),
         {ok, _} = file:copy(filename:join(Plugin, File), To)
     end || File <- ["rebar.config" | filelib:wildcard("src/*", Plugin)]],
    Rebar3 = os:find_executable("rebar3"),
    Bench = fun(Words) -> command(Tree, Rebar3, ["bench" | Words], [{"DERNY_QUICK", "1"}, {"QUIET", "1"}]) end,
    {1, Unknown} = Bench(["-m", "bench_nowhere"]),
    says(Unknown, "there is no module bench_nowhere"),
    {1, Missing} = Bench(["-m", "bench_mixed", "-b", "decode,no_such"]),
    says(Missing, "there is no benchmark no_such"),
    Short = ["-m", "bench_mixed", "-b", "decode,bench_copy", "-t", "1", "-n", "2", "--", "--set", "processes=2", "--set", "warmup=0"],
    {0, First} = Bench(Short),
    says(First, "decode"),
    says(First, "copy"),
    nomatch = string:find(First, "bench_both"),
    {0, Second} = Bench(["--callback-style", "new" | Short]),
    says(Second, "unpaired"),
    Dumps = filename:join(Tree, "_build/test/bench"),
    {ok, Dump} = file:read_file(filename:join(Dumps, "_tip-bench_mixed-decode-bench_copy")),
    {[0, 1, 0], Benches} = binary_to_term(Dump),
    [{bench_mixed, copy, [[Wall, _, _] | _]}, {bench_mixed, decode, _}] = lists:sort(Benches),
    true = is_float(Wall) andalso Wall > 0,
    ok = file:write_file(filename:join(Dumps, "foreign"), Dump),
    {0, Third} = Bench(["--baseline", "foreign" | Short]),
    says(Third, "foreign"),
    {1, Never} = Bench(["--baseline", "never" | Short]),
    says(Never, "there is no baseline never"),
    {0, _} = Bench(["-c", "--calls", "3", "-m", "bench_legacy"]),
    {0, Covered} = command(Tree, Rebar3, ["cover", "-v"], []),
    says(Covered, "tree_codec"),
    ["derny-bench_legacy-alone.coverdata", "derny-bench_legacy-encode.coverdata"] = lists:sort(filelib:wildcard("*.coverdata", filename:join(Tree, "_build/test/cover"))).
