%% Benchmarks that `derny dev conform' runs. Their correct results are in protocol/IMPLEMENTING.md.
-module(conform_bench).
-export([benchmarks/0, nothing/0, busy/1, count/1, setup/0, same/1, call/1, print/0]).

benchmarks() ->
    [{["conform/", Name], Body, Options} || {Name, Body, Options} <- [
        {"empty", fun ?MODULE:nothing/0, #{}},
        {"busy", fun ?MODULE:busy/1, #{params => [{us, [20, 200]}]}},
        {"count", fun ?MODULE:count/1, #{
            setup => fun(_) -> counters:new(1, []) end,
            metrics => [{calls, #{unit => count, kind => total, better => none, exact => true, read => fun read/1}}]}},
        {"setup", fun ?MODULE:setup/0, #{before_batch => fun(Input, _) -> wait(2000), Input end}},
        {"params", fun ?MODULE:nothing/0, #{
            params => [{size, [1, 2]}, {kind, [a, b]}],
            filter => fun(Params) -> Params =/= #{size => 2, kind => b} end}},
        {"text", fun ?MODULE:same/1, #{params => [{text, [<<"plain">>]}], setup => fun(#{text := Text}) -> Text end}},
        {"throw", fun ?MODULE:call/1, #{
            params => [{at, [setup, call, teardown]}],
            setup => fun(#{at := At}) -> fail(setup, At) end,
            teardown => fun(At, _) -> fail(teardown, At) end}},
        {"print", fun ?MODULE:print/0, #{}},
        {"skip", fun ?MODULE:nothing/0, #{skip => "not here"}}]].

nothing() -> ok.

busy(#{us := Us}) -> wait(Us).

count(Calls) -> counters:add(Calls, 1, 1).

read(Calls) ->
    Count = counters:get(Calls, 1),
    counters:put(Calls, 1, 0),
    Count.

setup() -> wait(20).

same(Text) -> Text.

call(At) -> fail(call, At).

print() ->
    io:put_chars("times 1 2 3\n"),
    io:put_chars(standard_error, "error message=printed fatal=1\n").

fail(Place, Place) -> error({thrown_in, Place});
fail(_, At) -> At.

wait(Us) -> until(os:perf_counter() + erlang:convert_time_unit(Us, microsecond, perf_counter)).

until(End) ->
    case os:perf_counter() >= End of
        true -> ok;
        false -> until(End)
    end.
