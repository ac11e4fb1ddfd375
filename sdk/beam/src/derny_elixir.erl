%% How a file of Elixir is started: where the compiled layer for Elixir lies, and a start that does without Elixir's compiler. To load
%% that takes as long as to start the runtime. Knows nothing of benchmarks.
-module(derny_elixir).
-export([layer/1, start/3]).

%% @doc The files of the layer, and the folder of its compiled code, which is that of their text and of this runtime; none where the harness
%% itself is not kept.
-spec layer(Sdk :: file:filename()) -> {[file:filename()], file:filename() | none}.
layer(Sdk) ->
    Files = lists:sort(filelib:wildcard(filename:join([Sdk, "lib", "**", "*.ex"]))),
    Texts = [element(2, {ok, _} = file:read_file(File)) || File <- Files],
    Key = binary_to_list(binary:encode_hex(erlang:md5([Texts, 'Elixir.System':version(), erlang:system_info(version)]))),
    case derny_compiled:folder() of
        none -> {Files, none};
        Folder -> {Files, filename:join([filename:dirname(Folder), Key, "ebin"])}
    end.

%% @doc Loads the benchmarks of a file, speaks, and ends the runtime; returns where the layer is not compiled yet. As Elixir's own start
%% does it: the same applications, arguments and standard streams.
-spec start(Sdk :: file:filename(), file:filename(), Mark :: term()) -> ok.
start(Sdk, File, Mark) ->
    {ok, _} = application:ensure_all_started(elixir),
    {_, Ebin} = layer(Sdk),
    case Ebin =/= none andalso code:add_patha(Ebin) of
        true -> run(unicode:characters_to_binary(File), Mark);
        _ -> ok
    end.

run(File, Mark) ->
    _ = code:ensure_loaded('Elixir.Logger') =:= {module, 'Elixir.Logger'} andalso application:ensure_all_started(logger),
    'Elixir.System':argv([File]),
    {Pid, Monitor} = spawn_monitor(fun() ->
        group_leader(whereis(user), self()),
        'Elixir.Derny.Boot':main(File, Mark)
    end),
    receive
        {'DOWN', Monitor, process, Pid, Reason} ->
            io:put_chars(standard_error, ["derny: ", 'Elixir.Exception':format_exit(Reason), "\n"]),
            halt(1)
    end.
