#!/usr/bin/env escript
%%! +sbwt none
%% Runs the EUnit tests of this folder; the last line is `N passed, N failed`.
-mode(compile).

main(_) ->
    Here = filename:dirname(filename:absname(escript:script_name())),
    Files = filelib:wildcard(filename:join(Here, "../src/*.erl")) ++ filelib:wildcard(filename:join(Here, "*.erl")),
    Modules = [load(File) || File <- Files],
    Tests = [Module || Module <- Modules, lists:suffix("_tests", atom_to_list(Module))],
    Result = eunit:test(Tests, [no_tty, {report, {derny_listener, []}}]),
    halt(case Result of ok -> 0; _ -> 1 end).

load(File) ->
    {ok, Module, Code} = compile:file(File, [binary, report, warnings_as_errors]),
    {module, Module} = code:load_binary(Module, File, Code),
    Module.
