%% Compiles Erlang files and loads them into this runtime: a benchmark file, and the uncompiled modules in its
%% folder that it calls.
-module(derny_rebar3_compile).
-export([load/2, to_file/3, lines/1]).

%% @doc Compiles and loads a file, and the modules in its folder that it calls. Returns its module, exports
%% and code. Throws the compiler's errors as text.
-spec load(file:filename(), [compile:option()]) -> {module(), [{atom(), arity()}], binary()}.
load(File, Options) ->
    {Module, Code} = compiled(File, Options),
    {module, Module} = code:load_binary(Module, File, Code),
    [load(Beside, Options) || Beside <- beside(File, Code)],
    {Module, Module:module_info(exports), Code}.

beside(File, Code) ->
    {ok, {_, [{imports, Imports}]}} = beam_lib:chunks(Code, [imports]),
    Called = lists:usort([Module || {Module, _, _} <- Imports]),
    Missing = [atom_to_list(Module) || Module <- Called, code:which(Module) =:= non_existing],
    Sources = [filename:join(filename:dirname(File), Name ++ ".erl") || Name <- Missing],
    [Source || Source <- Sources, filelib:is_regular(Source)].

compiled(File, Options) ->
    case compile:file(File, [binary, return_errors, nowarn_export_all | Options]) of
        {ok, Module, Code} -> {Module, Code};
        {ok, Module, Code, _} -> {Module, Code};
        {error, Errors, _} -> throw(["cannot compile ", File, "\n" | told(Errors)])
    end.

told(Errors) ->
    [io_lib:format("~ts~ts: ~ts~n", [File, place(Place), Kind:format_error(Reason)]) ||
        {File, Found} <- Errors, {Place, Kind, Reason} <- lists:map(fun full/1, Found)].

full({Kind, Reason}) -> {none, Kind, Reason};
full(Full) -> Full.

place(none) -> "";
place({Line, Column}) -> io_lib:format(":~b:~b", [Line, Column]);
place(Line) -> io_lib:format(":~b", [Line]).

%% @doc Compiles a file into a folder, unless the compiled file is newer than the source and than Since. Since
%% is the modification time of the newest header or configuration file.
-spec to_file(file:filename(), file:filename(), {[compile:option()], calendar:datetime()}) -> ok.
to_file(File, Folder, {Options, Since}) ->
    Beam = filename:join(Folder, filename:basename(File, ".erl") ++ ".beam"),
    Newest = max(Since, filelib:last_modified(File)),
    case filelib:last_modified(Beam) of
        Made when Made =/= 0, Made > Newest -> ok;
        _ ->
            {_, Code} = compiled(File, Options),
            Draft = Beam ++ "." ++ os:getpid(),
            ok = file:write_file(Draft, Code),
            ok = file:rename(Draft, Beam)
    end.

%% @doc Returns the first line of each function of compiled code. The map is empty for code without debug
%% information.
-spec lines(binary()) -> #{{atom(), arity()} => pos_integer()}.
lines(Code) ->
    case beam_lib:chunks(Code, [abstract_code]) of
        {ok, {_, [{abstract_code, {raw_abstract_v1, Forms}}]}} ->
            maps:from_list([{{Name, Arity}, erl_anno:line(Anno)} || {function, Anno, Name, Arity, _} <- Forms]);
        _ -> #{}
    end.
