%% Reports the results of EUnit's tests in the form that `make test' counts.
-module(derny_listener).
-behaviour(eunit_listener).
-export([start/1, init/1, handle_begin/3, handle_end/3, handle_cancel/3, terminate/2]).

start(Options) -> eunit_listener:start(?MODULE, Options).

init(Options) -> Options.

handle_begin(_, _, State) -> State.

handle_end(test, Data, State) ->
    {Module, Name, _} = proplists:get_value(source, Data),
    case proplists:get_value(status, Data) of
        ok -> ok;
        {error, {Class, Reason, Stack}} ->
            io:format("FAILED   ~ts:~ts~n~ts~n", [Module, Name, erl_error:format_exception(Class, Reason, Stack)]);
        Other -> io:format("FAILED   ~ts:~ts ~tp~n", [Module, Name, Other])
    end,
    State;
handle_end(_, _, State) -> State.

handle_cancel(_, Data, State) ->
    io:format("FAILED   ~tp~n", [Data]),
    State.

terminate({ok, Data}, _) ->
    [Passed, Failed, Cancelled] = [proplists:get_value(Key, Data, 0) || Key <- [pass, fail, cancel]],
    io:format("~b passed, ~b failed~n", [Passed, Failed + Cancelled]);
terminate({error, Reason}, _) -> io:format("0 passed, 1 failed~n~tp~n", [Reason]).
