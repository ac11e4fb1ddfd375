%% Brings the project's compiled code up to date before a measurement. It uses rebar3 if the project has a rebar.config and rebar3
%% is installed. Otherwise it compiles the sources into the build folder. Code that is up to date is left alone.
%%
%% DERNY_REBAR3=no disables rebar3. `done' means that rebar3 has just compiled, for example because it started all this. It applies
%% to the project in the folder that DERNY_REBAR3_DONE names, and not to a build of another revision.
-module(derny_rebar3_build).
-export([main/1]).

%% @doc Builds every project below Root that has benchmark files, and Root's own. Ends the runtime: with status 0, or with 1
%% after reporting what went wrong.
main([Root, Build]) ->
    Top = filename:absname(Root),
    try lists:foreach(fun(Project) -> build(Project, Build) end, projects(Top)) of
        ok ->
            [remark(File, Top) || File <- files(Top)],
            halt(0)
    catch
        throw:Sentence ->
            io:format("~ts~n", [Sentence]),
            halt(1)
    end.

files(Root) ->
    [filename:join(Root, File) || File <- filelib:wildcard("**/bench_*.erl", Root), not is_built(File)].

%% A file without benchmarks is reported but not a failure: others may share it. Lines that begin with `derny:
%% ' are shown to the user. A parse transform may add functions that are not in the source.
remark(File, Root) ->
    Options = derny_rebar3_project:compile_options(derny_rebar3_project:find(File, Root)),
    Includes = [filename:dirname(File) | [Folder || {i, Folder} <- Options]],
    Macros = [Name || {d, Name} <- Options] ++ [{Name, Value} || {d, Name, Value} <- Options],
    IsSource = lists:member("src", filename:split(filename:dirname(File))),
    case IsSource orelse epp:parse_file(File, [{includes, Includes}, {macros, Macros}]) of
        {ok, Forms} ->
            Said = lists:append([lists:flatten([Said]) || {attribute, _, compile, Said} <- Forms]),
            Exports = case lists:member(export_all, Said) of
                true -> [{Name, Arity} || {function, _, Name, Arity, _} <- Forms];
                false -> lists:append([List || {attribute, _, export, List} <- Forms])
            end,
            IsOther = lists:member({benchmarks, 0}, Exports) orelse lists:keymember(parse_transform, 1, [T || T <- Said ++ Options, is_tuple(T)]),
            {Pairs, _} = derny_rebar3_pairs:find(Exports),
            Below = string:prefix(File, Root ++ "/"),
            [io:format("derny: ~ts has no benchmark: ~ts~n", [Below, derny_rebar3_pairs:why_none(Exports)]) || Pairs =:= [], not IsOther];
        _ -> []
    end.

%% Of several applications below one rebar.config the first represents all.
projects(Root) ->
    Found = [derny_rebar3_project:find(File, Root) || File <- [filename:join(Root, "any") | files(Root)]],
    [hd([Project || #{top := Same} = Project <- Found, Same =:= Top]) || Top <- lists:uniq([Top || #{top := Top} <- Found])].

is_built(File) ->
    IsOther = fun([C | _] = Part) -> C =:= $. orelse lists:member(Part, ["_build", "_checkouts", "deps", "node_modules"]) end,
    lists:any(IsOther, filename:split(File)).

build(#{top := Top} = Project, Build) ->
    case {filelib:is_regular(filename:join(Top, "rebar.config")), use(Top), os:find_executable("rebar3")} of
        {false, _, _} -> compile_all(Project, Build);
        {true, "done", _} -> ok;
        {true, Use, Rebar3} when Use =:= "no"; Rebar3 =:= false -> compile_all(Project, Build);
        {true, _, Rebar3} -> rebar3(Rebar3, Top)
    end.

use(Top) ->
    case {os:getenv("DERNY_REBAR3", ""), os:getenv("DERNY_REBAR3_DONE", Top)} of
        {"done", Other} when Other =/= Top -> "";
        {Use, _} -> Use
    end.

rebar3(Rebar3, Top) ->
    As = case derny_rebar3_project:profiles() of
        [] -> [];
        Profiles -> ["as", lists:flatten(lists:join(",", [atom_to_list(Profile) || Profile <- Profiles]))]
    end,
    Options = [{args, As ++ ["compile"]}, {cd, Top}, exit_status, stderr_to_stdout, binary],
    case output(open_port({spawn_executable, Rebar3}, Options)) of
        0 -> ok;
        Status -> throw(io_lib:format("rebar3 ended with status ~b in ~ts; with DERNY_REBAR3=no in the environment Derny compiles without it",
                                     [Status, Top]))
    end.

output(Port) ->
    receive
        {Port, {data, Text}} ->
            io:put_chars(Text),
            output(Port);
        {Port, {exit_status, Status}} -> Status
    end.

%% Behaviours and parse transforms are compiled before their users: failed files are retried while others
%% succeed.
compile_all(Project, Build) ->
    Folder = filename:join(Build, "ebin"),
    ok = filelib:ensure_dir(filename:join(Folder, "x")),
    code:add_pathsa([Folder | derny_rebar3_project:code_paths(Project)]),
    Options = derny_rebar3_project:compile_options(Project),
    Sources = derny_rebar3_project:sources(Project),
    [application(File, Folder) || File <- derny_rebar3_project:applications(Project)],
    How = {Options, newest(Project)},
    round(Sources, Folder, How),
    %% A benchmark may name a module beside it in a way that the compiler does not see. Modules for other
    %% tests may need something that is missing here.
    [attempt(File, Folder, How) || File <- beside(Project)],
    ok.

%% Modules beside benchmarks that are not benchmarks themselves.
beside(#{top := Top}) ->
    Folders = lists:uniq([filename:dirname(File) || File <- filelib:wildcard("**/bench_*.erl", Top), not is_built(File)]),
    [filename:join([Top, Folder, File]) || Folder <- Folders, not lists:member("src", filename:split(Folder)),
     File <- filelib:wildcard("*.erl", filename:join(Top, Folder)), not lists:prefix("bench_", File)].

%% A benchmark may start its application, which is defined by this file.
application(Source, Folder) ->
    {ok, [{application, Name, Properties}]} = file:consult(Source),
    Beside = filelib:wildcard(filename:join(filename:dirname(Source), "**/*.erl")),
    Modules = [list_to_atom(filename:basename(Erl, ".erl")) || Erl <- Beside],
    Version = case proplists:get_value(vsn, Properties) of Text when is_list(Text) -> Text; _ -> "0" end,
    Own = [{modules, Modules}, {vsn, Version} | lists:keydelete(modules, 1, lists:keydelete(vsn, 1, Properties))],
    File = filename:join(Folder, atom_to_list(Name) ++ ".app"),
    ok = file:write_file(File, io_lib:format("~tp.~n", [{application, Name, Own}])).

round([], _, _) -> ok;
round(Sources, Folder, How) ->
    Failed = [{Source, Sentence} || Source <- Sources, {failed, Sentence} <- [attempt(Source, Folder, How)]],
    case length(Failed) < length(Sources) of
        true -> round([Source || {Source, _} <- Failed], Folder, How);
        false -> throw(element(2, hd(Failed)))
    end.

attempt(Source, Folder, How) ->
    try derny_rebar3_compile:to_file(Source, Folder, How)
    catch throw:Sentence -> {failed, Sentence}
    end.

%% Dependencies of any module: headers and the configuration.
newest(#{top := Top, app := App}) ->
    Headers = [Folder ++ "/**/*.hrl" || Folder <- ["include", "src", "apps/*/include", "apps/*/src", "lib/*/include", "lib/*/src"]],
    Globs = ["rebar.config", "rebar.config.script" | Headers],
    Times = [filelib:last_modified(filename:join(Dir, File)) ||
        Dir <- lists:uniq([Top, App]), Glob <- Globs, File <- filelib:wildcard(Glob, Dir)],
    lists:max([{{1970, 1, 1}, {0, 0, 0}} | Times]).
