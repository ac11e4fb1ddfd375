%% Describes the project of a benchmark file: the folders of its code, and its compiler options. They come
%% from rebar.config or, if there is none, from conventions. Reads files, but compiles and loads nothing.
%%
%% The profile is `test', as in `rebar3 bench'. DERNY_REBAR3_PROFILES selects others: a comma-separated list,
%% most specific last, as in `rebar3 as bench,test'.
-module(derny_rebar3_project).
-export([find/2, code_paths/1, compile_options/1, profiles/0, build_name/0, sources/1, applications/1]).
-export_type([project/0]).

%% `app' is the folder of the application that contains the file. `top' is the outermost folder with a
%% rebar.config. Without a rebar.config, both are the same folder.
-type project() :: #{top := file:filename(), app := file:filename()}.

%% @doc Returns the project of a file or folder below Root.
-spec find(file:filename(), file:filename()) -> project().
find(Path, Root) ->
    Ancestors = ancestors(filename:dirname(Path), Root),
    Apps = [Dir || Dir <- Ancestors, filelib:is_dir(filename:join(Dir, "src"))],
    Configured = [Dir || Dir <- Ancestors, filelib:is_regular(filename:join(Dir, "rebar.config"))],
    Top = lists:last([hd(Apps ++ [Root]) | Configured]),
    #{top => Top, app => hd(Apps ++ [Top])}.

%% Returns the folders from the innermost one up to the root.
ancestors(Dir, Root) ->
    IsLast = Dir =:= Root orelse filename:dirname(Dir) =:= Dir,
    [Dir | case IsLast of true -> []; false -> ancestors(filename:dirname(Dir), Root) end].

%% @doc Returns the names of the profiles, without `default'.
-spec profiles() -> [atom()].
profiles() ->
    Named = string:lexemes(os:getenv("DERNY_REBAR3_PROFILES", "test"), ", "),
    [list_to_atom(Name) || Name <- Named, Name =/= "default"].

%% @doc Returns the name of rebar3's build folder for these profiles.
build_name() ->
    case profiles() of
        [] -> "default";
        Profiles -> lists:flatten(lists:join("+", [atom_to_list(Profile) || Profile <- Profiles]))
    end.

%% @doc Returns folders with compiled code of the project and its dependencies, in order of precedence.
-spec code_paths(project()) -> [file:filename()].
code_paths(#{top := Top, app := App}) ->
    Builds = lists:uniq([build_name(), "test", "default"]),
    OfBuild = fun(Build) -> ["_build/" ++ Build ++ "/" ++ Rest || Rest <- ["lib/*/ebin", "lib/*/test", "checkouts/*/ebin"]] end,
    Globs = lists:flatmap(OfBuild, Builds) ++ ["_build/*/lib/*/ebin", "ebin", "apps/*/ebin", "lib/*/ebin", "deps/*/ebin"],
    Own = [filename:join(App, "ebin")],
    once_each([Dir || Dir <- lists:flatmap(fun(Glob) -> below(Top, Glob) end, Globs) ++ Own, filelib:is_dir(Dir)]).

below(Dir, Glob) -> [filename:join(Dir, Found) || Found <- filelib:wildcard(Glob, Dir)].

%% Keeps the first of several folders of the same application, which may be built in several profiles.
once_each(Dirs) -> once_each(Dirs, []).

once_each([], _) -> [];
once_each([Dir | Dirs], Seen) ->
    Key = case lists:reverse(filename:split(Dir)) of
        [Kind, App, "lib" | _] -> {App, Kind};
        [Kind, App, "checkouts" | _] -> {App, Kind};
        _ -> Dir
    end,
    [Dir || not lists:member(Key, Seen)] ++ once_each(Dirs, [Key | Seen]).

%% @doc Returns the source files of the project's applications, without dependencies.
-spec sources(project()) -> [file:filename()].
sources(#{top := Top}) ->
    lists:flatmap(fun(Glob) -> below(Top, Glob) end, ["src/**/*.erl", "apps/*/src/**/*.erl", "lib/*/src/**/*.erl"]).

%% @doc Returns the .app.src files of the project's applications.
-spec applications(project()) -> [file:filename()].
applications(#{top := Top}) ->
    lists:flatmap(fun(Glob) -> below(Top, Glob) end, ["src/*.app.src", "apps/*/src/*.app.src", "lib/*/src/*.app.src"]).

%% @doc Returns options for compile:file/2: those of rebar.config and its selected profiles, the macro TEST in
%% the profile `test', and the include path. Warnings do not become errors and are not printed.
-spec compile_options(project()) -> [compile:option()].
compile_options(#{top := Top, app := App}) ->
    Configs = [config(Dir) || Dir <- lists:uniq([Top, App])],
    Said = lists:flatmap(fun options/1, Configs),
    Defined = [{d, 'TEST'} || lists:member(test, profiles()), not is_test_defined(Said)],
    Includes = [{i, Dir} || Dir <- includes(Top, App)],
    Defined ++ [placed(Option, App) || Option <- Said, is_kept(Option)] ++ Includes ++ [debug_info].

is_test_defined(Options) -> lists:member({d, 'TEST'}, Options) orelse lists:keymember('TEST', 2, Options).

includes(Top, App) ->
    [filename:join(App, "include"), filename:join(App, "src"), App, filename:join(Top, "include"), filename:join(Top, "apps"),
     filename:join(Top, "lib")].

config(Dir) ->
    File = filename:join(Dir, "rebar.config"),
    Terms = case file:consult(File) of
        {ok, Read} -> Read;
        {error, enoent} -> [];
        {error, Reason} -> throw([File, ": ", file:format_error(Reason)])
    end,
    scripted(File ++ ".script", Terms).

%% A rebar.config.script computes the final terms from those of rebar.config.
scripted(Script, Terms) ->
    case filelib:is_regular(Script) of
        true ->
            {ok, Computed} = file:script(Script, [{'CONFIG', Terms}, {'SCRIPT', Script}]),
            Computed;
        false -> Terms
    end.

options(Terms) ->
    Profiles = proplists:get_value(profiles, Terms, []),
    Of = fun(In) -> lists:append([Options || {erl_opts, Options} <- In]) end,
    Of(Terms) ++ lists:flatmap(fun(Profile) -> Of(proplists:get_value(Profile, Profiles, [])) end, profiles()).

%% Returns true for options of rebar.config that are passed to the compiler.
is_kept(warnings_as_errors) -> false;
is_kept(no_debug_info) -> false;
is_kept({src_dirs, _}) -> false;
is_kept({platform_define, Pattern, _}) -> is_platform(Pattern);
is_kept({platform_define, Pattern, _, _}) -> is_platform(Pattern);
is_kept(_) -> true.

is_platform(Pattern) ->
    Platform = [erlang:system_info(otp_release), "-", erlang:system_info(system_architecture), "-",
                integer_to_list(8 * erlang:system_info(wordsize))],
    re:run(lists:flatten(Platform), Pattern, [{capture, none}]) =:= match.

placed({i, Dir}, App) -> {i, filename:absname(Dir, App)};
placed({platform_define, _, Key}, _) -> {d, Key};
placed({platform_define, _, Key, Value}, _) -> {d, Key, Value};
placed(Option, _) -> Option.
