%% Entry point of programs. If an engine has started the program, it serves that engine. If a user has started
%% it, it starts an engine with its own command line. This module also sets the flags of the runtime and loads
%% Erlang files.
-module(derny_main).
-export([version/0, erlang_file/2, load/1, serve/2, serve/3, program/2, project_paths/1, attach/3]).

-define(INSTALL, "derny: the engine is not installed. Put the `derny` binary on the PATH, or set DERNY_BIN to its path.\n").
%% Waiting schedulers do not spin. A single scheduler runs everything, so that the CPU time of its thread is
%% that of the benchmark.
-define(FLAGS, "+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none").

version() -> "0.1.0".

%% @doc Loads the benchmarks of an Erlang file and serves the engine, which starts the runtime with this
%% function.
erlang_file(File, Mark) ->
    serve(erlang, Mark, fun() -> load(File) end).

%% @doc Compiles a file, unless its code is cached, and registers the benchmarks that its benchmarks/0
%% returns.
load(File) ->
    project_paths("."),
    Folder = filename:dirname(File),
    Options = [binary, return_errors, debug_info, {i, Folder}, {i, "include"}, {i, "src"}],
    Binary = derny_compiled:of_file(File, fun() -> compiled(File, Options) end),
    Module = proplists:get_value(module, beam_lib:info(Binary)),
    {module, Module} = code:load_binary(Module, File, Binary),
    derny:register(Module).

compiled(File, Options) ->
    case compile:file(File, Options) of
        {ok, _, Binary} -> Binary;
        {error, Errors, _} ->
            throw([io_lib:format("~ts:~tp: ~ts~n", [Name, Place, Of:format_error(Why)]) || {Name, Found} <- Errors, {Place, Of, Why} <- Found])
    end.

%% @doc Adds the compiled code of the project in Root to the code path: the folder ebin, and what rebar3 has
%% built in its default profile.
project_paths(Root) ->
    Found = [filelib:wildcard(filename:join(Root, Pattern)) || Pattern <- ["ebin", "_build/default/lib/*/ebin", "_build/default/checkouts/*/ebin"]],
    code:add_pathsz(lists:append(Found)).

%% @doc Opens the streams, loads the benchmarks, runs the session, and ends the runtime. Mark comes from
%% derny_clock:mark/0. Load may return `{can, Words}': capabilities beyond the common ones.
-spec serve(erlang | elixir, term(), fun(() -> term())) -> no_return().
serve(Language, Mark, Load) ->
    case streams() of
        none -> stop("derny: only the engine can start this program; run `derny run FILE`\n", 2);
        Streams ->
            try Load() of
                {can, More} -> speak(Streams, Language, Mark, More);
                _ -> speak(Streams, Language, Mark, [])
            catch
                Class:Reason:Stack ->
                    {Message, Detail} = derny_failure:sentence({Class, Reason, Stack}),
                    derny_wire:send(Streams, [derny_wire:failure(Message, Detail, derny_wire:field("fatal", true))]),
                    halt(1)
            end
    end.

%% @doc Like serve/3, for a program that has already loaded its benchmarks.
serve(Language, Mark) -> serve(Language, Mark, fun() -> ok end).

speak(Streams, Language, Mark, Can) ->
    About = #{language => atom_to_list(Language), runtime => runtime(Language), clock => derny_clock:choose(Mark), can => Can},
    halt(derny_session:run(Streams, About)).

runtime(erlang) -> ["otp/", erlang:system_info(otp_release), "-erts-", erlang:system_info(version)];
runtime(elixir) -> ["elixir/", 'Elixir.System':version(), "-otp-", erlang:system_info(otp_release)].

streams() ->
    try derny_wire:is_engine_there() of
        true -> derny_wire:open();
        false -> none
    catch
        throw:Sentence -> stop(["derny: ", Sentence, "\n"], 2)
    end.

%% @doc Runs a program that contains benchmarks, whether an engine or a user has started it, and ends the
%% runtime. Command is the command line that starts the program again.
-spec program(erlang | elixir, {Command :: [string()], Mark :: term()}) -> no_return().
program(Language, {Command, Mark}) ->
    try derny_wire:is_engine_there() of
        true -> serve(Language, Mark);
        false -> run_engine(Command)
    catch
        throw:Sentence -> stop(["derny: ", Sentence, "\n"], 2)
    end.

%% @doc Measures the benchmarks in a session of this process, which continues afterwards. Flags are those of
%% `derny dev attach'. The engine prints progress to standard error.
-spec attach(erlang | elixir, [string()], Mark :: term()) -> {ok, Report :: binary(), Json :: binary()} | {error, string()}.
attach(Language, Flags, Mark) ->
    case engine() of
        false -> {error, ?INSTALL};
        Engine ->
            About = #{language => atom_to_list(Language), runtime => runtime(Language), clock => derny_clock:choose(Mark)},
            Self = self(),
            %% A separate process is used because the shell's mailbox may contain other messages.
            {Pid, Monitor} = spawn_monitor(fun() -> Self ! {self(), derny_session:attached(derny_wire:attach(Engine, ["dev", "attach" | Flags]), About)} end),
            receive
                {Pid, {ok, _, _} = Told} -> erlang:demonitor(Monitor, [flush]), Told;
                {Pid, gone} -> erlang:demonitor(Monitor, [flush]), {error, "derny: the engine ended without a result"};
                {'DOWN', Monitor, process, Pid, Reason} -> {error, lists:flatten(io_lib:format("derny: ~tp", [Reason]))}
            end
    end.

engine() ->
    Named = case os:getenv("DERNY_BIN") of Value when Value =:= false; Value =:= "" -> "derny"; Value -> Value end,
    os:find_executable(Named).

%% The engine controls the terminal. This runtime stays alive only to exit with the engine's status. Flags of
%% the command line come after those set here and override them.
run_engine(Command) ->
    case engine() of
        false -> stop(?INSTALL, 2);
        Engine ->
            Flags = case os:getenv("ERL_AFLAGS") of false -> ?FLAGS; Own -> ?FLAGS " " ++ Own end,
            Port = open_port({spawn_executable, Engine}, [{args, ["run", "--" | Command]}, nouse_stdio, exit_status, {env, [{"ERL_AFLAGS", Flags}]}]),
            receive {Port, {exit_status, Status}} -> halt(Status) end
    end.

stop(Text, Status) ->
    io:put_chars(standard_error, Text),
    halt(Status).
