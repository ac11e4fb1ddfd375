%% The plugin `rebar3 derny'. Finds the benchmark modules of the applications, as `rebar3 bench' does, and
%% starts the engine, which measures, stores and compares. With `{derny, [{bench, true}]}' in rebar.config,
%% `rebar3 bench' is an alias.
-module(rebar3_derny).
-export([init/1, do/1, format_error/1]).

-define(INSTALL, "the engine is not installed: put the `derny` binary on the PATH, or set DERNY_BIN to its path").

init(State) ->
    Names = [derny | [bench || proplists:get_value(bench, rebar_state:get(State, derny, []), false)]],
    {ok, lists:foldl(fun(Name, Added) -> rebar_state:add_provider(Added, provider(Name)) end, State, Names)}.

provider(Name) ->
    providers:create([
        {name, Name}, {module, ?MODULE}, {profiles, [test]}, {bare, true}, {deps, [compile, app_discovery]},
        {example, "rebar3 " ++ atom_to_list(Name) ++ " -m bench_codec -b encode,decode"},
        {opts, rebar3_derny_words:options()},
        {short_desc, "Run benchmarks with Derny."},
        {desc, "Run the bench_*.erl modules of the project with Derny. Arguments after `--` are passed to `derny run`."}
    ]).

do(State) ->
    {Options, More} = rebar_state:command_parsed_args(State),
    try
        ok = needed(rebar3_derny_words:check(Options)),
        Engine = engine(),
        Dumps = filename:join(rebar_dir:base_dir(State), "bench"),
        Where = #{engine => Engine, folder => rebar_state:dir(State), env => environment(State), dumps => Dumps},
        Files = files(State, Options),
        Run = selected(Where, #{files => Files, options => Options, more => words(More)}),
        case proplists:get_value(cover, Options, false) of
            true -> cover(Where, Run);
            false -> measure(Where, Run)
        end
    of
        ok -> {ok, State}
    catch
        throw:{?MODULE, _} = Reason -> {error, Reason}
    end.

format_error(Sentence) -> unicode:characters_to_list(Sentence).

needed(ok) -> ok;
needed({error, Sentence}) -> fail(Sentence).

-spec fail(unicode:chardata()) -> no_return().
fail(Sentence) -> throw({?MODULE, lists:flatten(Sentence)}).

words(More) -> [Word || Word <- More, is_list(Word), Word =/= "--"].

engine() ->
    Named = case os:getenv("DERNY_BIN", "") of "" -> "derny"; Path -> Path end,
    case os:find_executable(Named) of
        false -> fail(?INSTALL);
        Engine -> Engine
    end.

%% Returns the harness's environment variables: the profiles of this command, and the project's folder, which
%% has just been compiled.
environment(State) ->
    Profiles = [atom_to_list(Profile) || Profile <- rebar_state:current_profiles(State), Profile =/= default],
    [{"DERNY_REBAR3_PROFILES", lists:flatten(lists:join(",", Profiles))}, {"DERNY_REBAR3", "done"},
     {"DERNY_REBAR3_DONE", rebar_state:dir(State)}].

%% ---- selecting benchmarks ----

files(State, Options) ->
    Folder = proplists:get_value(dir, Options, "test"),
    Own = [App || App <- rebar_state:project_apps(State), not rebar_app_info:is_checkout(App)],
    Apps = [filename:join(rebar_app_info:dir(App), Folder) || App <- Own],
    Dirs = lists:uniq(Apps ++ [filename:join(rebar_state:dir(State), Folder)]),
    Found = case rebar3_derny_words:modules(proplists:get_value(module, Options)) of
        any -> [File || Dir <- Dirs, File <- filelib:wildcard(filename:join(Dir, "bench_*.erl"))];
        Modules -> lists:append([module(Name, Dirs) || Name <- Modules])
    end,
    Found =/= [] orelse fail(["no file matches bench_*.erl in ", lists:join(", ", Dirs)]),
    Found.

module(Name, Dirs) ->
    case [File || Dir <- Dirs, File <- [filename:join(Dir, Name ++ ".erl")], filelib:is_regular(File)] of
        [] -> fail(["there is no module ", Name, " in ", lists:join(", ", Dirs)]);
        Files -> Files
    end.

selected(Where, #{files := Files, options := Options} = Run) ->
    case rebar3_derny_words:modules(proplists:get_value(benches, Options)) of
        any -> Run#{excludes => []};
        Wanted ->
            Listed = lines(captured(Where, rebar3_derny_words:list(Files))),
            case rebar3_derny_words:unwanted(Listed, Wanted) of
                {Unwanted, []} -> Run#{excludes => Unwanted};
                {_, Missing} -> fail(["there is no benchmark ", lists:join(", ", Missing), " in ", lists:join(", ", Files)])
            end
    end.

%% ---- the engine ----

measure(Where, #{options := Options} = Run) ->
    {Save, Baselines} = rebar3_derny_words:names(Options),
    Stored = stored(Where),
    IsThere = fun(Name) -> lists:member(Name, Stored) orelse is_taken_in(Where, Name) end,
    Words = rebar3_derny_words:measure(case lists:search(IsThere, Baselines) of
        {value, Name} -> Run#{against => Name};
        false ->
            Named = proplists:get_value(baseline, Options, "_tip"),
            Named =:= "_tip" orelse fail(["there is no baseline ", Named]),
            Run
    end),
    case proplists:get_value(no_stats, Options, false) of
        false -> shown(Where, Words);
        true ->
            _ = captured(Where, Words),
            rebar_api:info("Stored as ~ts; show it with: derny show ~ts", [Save, Save])
    end,
    dump(Where, Save, proplists:get_value(callback_style, Options)).

dump(_, _, undefined) -> ok;
dump(#{dumps := Dumps} = Where, Name, Style) ->
    File = filename:join(Dumps, Name),
    ok = filelib:ensure_dir(File),
    _ = captured(Where, rebar3_derny_words:dump(Name, Style, File)),
    ok.

cover(Where, Run) ->
    shown(Where, rebar3_derny_words:cover(Run)),
    rebar_api:info("Coverage is stored; show it with: rebar3 cover -v", []).

%% Returns the names of baselines. Before the first run there is no store, and the engine's error is ignored.
stored(Where) ->
    Port = port(Where, ["runs", "baseline", "list"], [binary, stderr_to_stdout]),
    try string:lexemes(unicode:characters_to_list(collect(Port, ["baseline"], [])), " ,\n")
    catch throw:{?MODULE, _} -> []
    end.

%% Imports the rebar3_bench dump with this name as a baseline. Returns false if there is no such dump.
is_taken_in(#{dumps := Dumps} = Where, Name) ->
    Dump = filename:join(Dumps, Name),
    filelib:is_regular(Dump) andalso begin
        rebar_api:info("Importing ~ts", [Dump]),
        _ = captured(Where, ["import", "--save", Name, Dump]),
        true
    end.

lines(Text) -> string:lexemes(unicode:characters_to_list(Text), "\n").

shown(Where, Words) -> ended(port(Where, Words, [nouse_stdio]), Words).

ended(Port, Words) ->
    receive
        {Port, {exit_status, 0}} -> ok;
        {Port, {exit_status, Status}} -> failed(Words, Status)
    end.

captured(Where, Words) -> collect(port(Where, Words, [binary]), Words, []).

collect(Port, Words, Parts) ->
    receive
        {Port, {data, Part}} -> collect(Port, Words, [Parts, Part]);
        {Port, {exit_status, 0}} -> Parts;
        {Port, {exit_status, Status}} -> failed(Words, Status)
    end.

-spec failed([string()], pos_integer()) -> no_return().
failed([Verb | _], Status) -> fail(io_lib:format("derny ~ts exited with status ~b", [Verb, Status])).

port(#{engine := Engine, folder := Folder, env := Env}, Words, Options) ->
    open_port({spawn_executable, Engine}, [{args, Words}, {cd, Folder}, {env, Env}, exit_status | Options]).
