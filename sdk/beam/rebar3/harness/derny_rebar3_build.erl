%% Brings the project's compiled code up to date before a measurement. Uses rebar3 if the project has a
%% rebar.config and rebar3 is installed. Otherwise it compiles the sources into the build folder. Code that is
%% up to date is not compiled again.
%%
%% DERNY_REBAR3=no disables rebar3. DERNY_REBAR3=done means that rebar3 has just compiled the project, for
%% example because `rebar3 derny' started the engine, so it is not compiled again. If DERNY_REBAR3_DONE is set,
%% this applies only to the project in that folder: other revisions are still compiled.
-module(derny_rebar3_build).
-export([main/1]).

%% @doc Builds the project of Root, and every project below it that has benchmark files. Ends the runtime:
%% with status 0, or with 1 after reporting an error.
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

%% Reports a file without benchmarks, which is not an error: modules for other purposes may be named bench_*
%% too. Lines that begin with `derny: ' are shown to the user. The compiled module is read because a parse
%% transform may add functions.
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
            [io:format("derny: ~ts has no benchmarks: ~ts~n", [Below, derny_rebar3_pairs:why_none(Exports)]) || Pairs =:= [], not IsOther];
        _ -> []
    end.

%% Returns the projects at Root and below. If one rebar.config has several applications, the first represents
%% all of them.
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
        Status -> throw(io_lib:format("rebar3 exited with status ~b in ~ts; to compile without rebar3, set DERNY_REBAR3=no",
                                     [Status, Top]))
    end.

output(Port) ->
    receive
        {Port, {data, Text}} ->
            io:put_chars(Text),
            output(Port);
        {Port, {exit_status, Status}} -> Status
    end.

%% Compiles in rounds: behaviours and parse transforms must be compiled before the files that use them. Failed
%% files are retried as long as others succeed.
compile_all(Project, Build) ->
    Folder = filename:join(Build, "ebin"),
    ok = filelib:ensure_dir(filename:join(Folder, "x")),
    code:add_pathsa([Folder | derny_rebar3_project:code_paths(Project)]),
    Options = derny_rebar3_project:compile_options(Project),
    Sources = derny_rebar3_project:sources(Project),
    [application(File, Folder) || File <- derny_rebar3_project:applications(Project)],
    How = {Options, newest(Project)},
    round(Sources, Folder, How),
    %% A benchmark may refer to a module in its folder in ways that the compiler does not see. Errors are
    %% ignored: modules for other tests may need files that are missing here.
    [attempt(File, Folder, How) || File <- beside(Project)],
    ok.

%% Returns the modules in the folders of benchmarks that are not benchmarks themselves.
beside(#{top := Top}) ->
    Folders = lists:uniq([filename:dirname(File) || File <- filelib:wildcard("**/bench_*.erl", Top), not is_built(File)]),
    [filename:join([Top, Folder, File]) || Folder <- Folders, not lists:member("src", filename:split(Folder)),
     File <- filelib:wildcard("*.erl", filename:join(Top, Folder)), not lists:prefix("bench_", File)].

%% Copies the file that defines the application, because a benchmark may start the application.
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

%% Returns the modification time of the newest header or configuration file. Any module may depend on it.
newest(#{top := Top, app := App}) ->
    Headers = [Folder ++ "/**/*.hrl" || Folder <- ["include", "src", "apps/*/include", "apps/*/src", "lib/*/include", "lib/*/src"]],
    Globs = ["rebar.config", "rebar.config.script" | Headers],
    Times = [filelib:last_modified(filename:join(Dir, File)) ||
        Dir <- lists:uniq([Top, App]), Glob <- Globs, File <- filelib:wildcard(Glob, Dir)],
    lists:max([{{1970, 1, 1}, {0, 0, 0}} | Times]).
