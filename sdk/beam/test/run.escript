#!/usr/bin/env escript
%%! +sbwt none
%% Runs the EUnit tests of this folder. The last line is `N passed, N failed`.
-mode(compile).

main(_) ->
    Here = filename:dirname(filename:absname(escript:script_name())),
    Files = filelib:wildcard(filename:join(Here, "../src/*.erl")) ++ filelib:wildcard(filename:join(Here, "*.erl")),
    Modules = [load(File) || File <- Files],
    Result = eunit:test([tests(Module) || Module <- Modules, lists:suffix("_tests", atom_to_list(Module))], [no_tty, {report, {derny_listener, []}}]),
    halt(case Result of ok -> 0; _ -> 1 end).

%% EUnit's default limit of five seconds per test is too short for a slow machine.
tests(Module) ->
    Exports = Module:module_info(exports),
    {atom_to_list(Module), [{timeout, 600, {test, Module, Name}} || {Name, 0} <- Exports, lists:suffix("_test", atom_to_list(Name))] ++
        [{generator, Module, Name} || {Name, 0} <- Exports, lists:suffix("_test_", atom_to_list(Name))]}.

load(File) ->
    {ok, Module, Code} = compile:file(File, [binary, report, warnings_as_errors]),
    {module, Module} = code:load_binary(Module, File, Code),
    Module.
