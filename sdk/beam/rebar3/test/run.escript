#!/usr/bin/env escript
%%! +sbwt none
%% Runs the tests of this folder in a copy of the tree. The last line is `N passed, N failed`.
-mode(compile).

main(_) ->
    Here = filename:dirname(filename:absname(escript:script_name())),
    Sdk = filename:dirname(filename:dirname(Here)),
    Place = filename:join(os:getenv("TMPDIR", "/tmp"), "derny-rebar3-" ++ os:getpid()),
    Tree = filename:join(Place, "tree"),
    copy(filename:join(Here, "tree"), Tree),
    Files = lists:append([filelib:wildcard(filename:join(Sdk, Glob)) || Glob <- ["src/*.erl", "rebar3/harness/*.erl", "rebar3/src/rebar3_derny_words.erl", "rebar3/test/*_tests.erl"]]),
    [{module, _} = load(File) || File <- Files],
    Tests = derny_rebar3_tests:all(Tree) ++ derny_rebar3_engine_tests:all(Tree, filename:join(Sdk, "rebar3")),
    Failed = length([Name || {Name, Test} <- Tests, Name =/= skipped, not passes(Name, Test)]),
    Skipped = length([io:format("skipped  ~ts~n", [Why]) || {skipped, Why} <- Tests]),
    ok = file:del_dir_r(Place),
    io:format("~b passed, ~b failed, ~b skipped~n", [length(Tests) - Skipped - Failed, Failed, Skipped]),
    halt(min(Failed, 1)).

load(File) ->
    {ok, Module, Code} = compile:file(File, [binary, report, warnings_as_errors]),
    code:load_binary(Module, File, Code).

passes(Name, Test) ->
    try Test() of
        _ -> io:format("ok       ~ts~n", [Name]), true
    catch
        Class:Reason:Stack ->
            io:format("FAILED   ~ts~n~ts~n", [Name, erl_error:format_exception(Class, Reason, Stack)]),
            false
    end.

copy(From, To) ->
    [begin
         ok = filelib:ensure_dir(filename:join(To, File)),
         {ok, _} = file:copy(filename:join(From, File), filename:join(To, File))
     end || File <- filelib:wildcard("**/*.*", From)].
