-module(derny_compiled_tests).
-include_lib("eunit/include/eunit.hrl").

%% Tests the cache with the harness in a separate folder, as in the real cache, and an Erlang file beside it.
kept_test_() -> {timeout, 60, fun() ->
    place(fun(Place) ->
        File = filename:join(Place, "kept.erl"),
        ok = file:write_file(File, "-module(kept). -export([f/0]). f() -> 1."),
        ?assertEqual([made, kept], [how(File), how(File)]),
        %% A changed text is a different source.
        ok = file:write_file(File, "-module(kept). -export([f/0]). f() -> 2."),
        ?assertEqual([made, kept], [how(File), how(File)])
    end)
end}.

what_depends_on_more_than_its_text_is_not_kept_test_() -> {timeout, 60, fun() ->
    place(fun(Place) ->
        File = filename:join(Place, "more.erl"),
        ok = file:write_file(filename:join(Place, "more.hrl"), "-define(F, 1)."),
        Made = fun(Text) ->
            ok = file:write_file(File, ["-module(more). ", Text]),
            [how(File), how(File)]
        end,
        ?assertEqual([made, made], Made("-include(\"more.hrl\").")),
        ?assertEqual([made, made], Made("-compile([{parse_transform, nosuch}, nowarn_export_all]).")),
        ?assertEqual([made, made], Made("f( -> 1.")),
        os:putenv("ERL_COMPILER_OPTIONS", "[]"),
        ?assertEqual([made, made], Made("-export([g/0]). g() -> 1.")),
        os:unsetenv("ERL_COMPILER_OPTIONS"),
        ?assertEqual([made, kept], Made("-export([g/0]). g() -> 1."))
    end)
end}.

where_nothing_can_be_kept_all_is_made_test() ->
    ?assertEqual(<<"code">>, derny_compiled:binary(something, fun() -> <<"code">> end)),
    ?assertEqual(<<"other">>, derny_compiled:binary(something, fun() -> <<"other">> end)).

how(File) ->
    Self = self(),
    _ = derny_compiled:of_file(File, fun() -> Self ! made, <<"code">> end),
    receive made -> made after 0 -> kept end.

place(Act) ->
    Place = filename:join("/tmp", "derny-compiled-" ++ os:getpid()),
    Ebin = filename:join(Place, "ebin"),
    ok = filelib:ensure_dir(filename:join(Ebin, "x")),
    Source = code:which(derny_compiled),
    try
        {ok, derny_compiled} = compile:file(Source, [{outdir, Ebin}]),
        load(filename:join(Ebin, "derny_compiled")),
        Act(Place)
    after
        {ok, derny_compiled, Code} = compile:file(Source, [binary]),
        code:purge(derny_compiled),
        {module, derny_compiled} = code:load_binary(derny_compiled, Source, Code),
        file:del_dir_r(Place)
    end.

load(Beam) ->
    code:purge(derny_compiled),
    {module, derny_compiled} = code:load_abs(Beam).
