%% Starts an Elixir file. Finds the compiled Elixir layer and avoids loading Elixir's compiler, which takes as
%% long as starting the runtime.
-module(derny_elixir).
-export([layer/1, start/3]).

%% @doc Returns the files of the Elixir layer, and the folder of their compiled code for this runtime. The
%% folder is none if the harness itself is not cached.
-spec layer(Sdk :: file:filename()) -> {[file:filename()], file:filename() | none}.
layer(Sdk) ->
    Files = lists:append([lists:sort(filelib:wildcard(filename:join([Sdk, Folder, "**", "*.ex"]))) || Folder <- ["lib", "benchee"]]),
    Texts = [element(2, {ok, _} = file:read_file(File)) || File <- Files],
    Key = binary_to_list(binary:encode_hex(erlang:md5([Texts, 'Elixir.System':version(), erlang:system_info(version)]))),
    case derny_compiled:folder() of
        none -> {Files, none};
        Folder -> {Files, filename:join([filename:dirname(Folder), Key, "ebin"])}
    end.

%% @doc Loads the benchmarks of a file, runs the session, and ends the runtime. It starts the same
%% applications, and sets the same arguments and standard streams, as Elixir's own start. Returns if the layer
%% is not compiled yet.
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
