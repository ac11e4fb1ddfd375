%% Turns a caught error into a message (class and reason) and a stack trace, in Elixir's syntax if Elixir is
%% loaded, otherwise in Erlang's. For a string that this SDK has thrown, the message is the string itself.
-module(derny_failure).
-export([caught/3, caught/4, sentence/1, ended/1, inspect/1]).
-export_type([failure/0]).

%% The detail is a stack trace, or undefined.
-type failure() :: {Message :: unicode:chardata(), Detail :: unicode:chardata() | undefined}.

%% @doc Returns the failure for an error in user code, where a thrown string is not a message of this SDK.
-spec caught(error | exit | throw, term(), list()) -> failure().
caught(Class, Reason, Stack) -> caught(Class, Reason, Stack, []).

caught(Class, Reason, Stack, More) ->
    Frames = [Frame || Frame <- Stack, not is_own(element(1, Frame))],
    try
        {message(Class, Reason, Frames), detail(Class, Reason, Frames, More)}
    catch
        _:_ -> {io_lib:format("~ts: ~0tp", [Class, Reason]), io_lib:format("~0tp", [Frames])}
    end.

%% @doc Returns the failure for an error in this SDK: a message that it has thrown, or a bug.
-spec sentence({error | exit | throw, term(), list()}) -> failure().
sentence({throw, {failed, Failure}, _}) -> Failure;
sentence({throw, Sentence, _}) when is_list(Sentence); is_binary(Sentence) -> {Sentence, undefined};
sentence({Class, Reason, Stack}) -> caught(Class, Reason, Stack).

%% @doc Returns the failure for a process that ended unexpectedly.
ended({Reason, [{_, _, _, _} | _] = Stack}) -> caught(error, Reason, Stack);
ended(Reason) -> {["exit: the process of the case ended: ", inspect(Reason)], inspect(Reason)}.

is_own(Module) -> lists:prefix("derny_", atom_to_list(Module)).

message(Class, Reason, Stack) ->
    case is_elixir() of
        true -> elixir_message(Class, Reason, Stack);
        false -> io_lib:format("~ts: ~0tp", [Class, Reason])
    end.

elixir_message(error, Reason, Stack) ->
    #{'__struct__' := Struct} = Exception = 'Elixir.Exception':normalize(error, Reason, Stack),
    ['Elixir.Macro':to_string(Struct), ": ", 'Elixir.Exception':message(Exception)];
elixir_message(Class, Reason, _) -> [atom_to_list(Class), ": ", inspect(Reason)].

detail(Class, Reason, Stack, _) ->
    case is_elixir() of
        true -> 'Elixir.Exception':format(Class, Reason, Stack);
        false -> erl_error:format_exception(Class, Reason, Stack)
    end.

%% @doc Formats a term in Elixir's syntax if Elixir is loaded, otherwise in Erlang's.
-spec inspect(term()) -> unicode:chardata().
inspect(Term) ->
    case is_elixir() of
        true -> 'Elixir.Kernel':inspect(Term);
        false -> io_lib:format("~0tp", [Term])
    end.

is_elixir() -> erlang:module_loaded(elixir) andalso code:ensure_loaded('Elixir.Exception') =:= {module, 'Elixir.Exception'}.
