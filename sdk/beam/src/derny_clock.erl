%% The clock: os:perf_counter/0, which costs a third of erlang:monotonic_time/0 and is not adjusted during a measurement. If
%% the two disagree about a duration, the latter is used. Times a loop, whatever the loop does.
-module(derny_clock).
-export([mark/0, choose/1, name/1, read/1, step_ns/1, ns/2, ticks/2, time/5]).
-export_type([clock/0]).

-type clock() :: perf | monotonic.

%% @doc The current time of both clocks, for choose/1.
mark() -> {os:perf_counter(), erlang:monotonic_time()}.

%% @doc The clock to use, from the time that both report since Mark, which should be some milliseconds ago.
-spec choose({integer(), integer()}) -> clock().
choose({Perf, Monotonic}) ->
    {Perf1, Monotonic1} = mark(),
    [A, B] = [ns(perf, Perf1 - Perf), ns(monotonic, Monotonic1 - Monotonic)],
    %% Monotonic time may be slewed by 1 %, and a thread may lose the processor between the two readings.
    case abs(A - B) =< B / 20 + 1000000 of
        true -> perf;
        false -> monotonic
    end.

name(perf) -> <<"perf_counter">>;
name(monotonic) -> <<"monotonic_time">>.

read(perf) -> os:perf_counter();
read(monotonic) -> erlang:monotonic_time().

ns(perf, Difference) -> erlang:convert_time_unit(Difference, perf_counter, nanosecond);
ns(monotonic, Difference) -> erlang:convert_time_unit(Difference, native, nanosecond).

%% @doc Converts nanoseconds to steps of the clock; `infinity' is kept, since it is larger than any number.
ticks(_, infinity) -> infinity;
ticks(perf, Ns) -> erlang:convert_time_unit(Ns, nanosecond, perf_counter);
ticks(monotonic, Ns) -> erlang:convert_time_unit(Ns, nanosecond, native).

%% @doc The smallest step in a thousand pairs of readings, in nanoseconds and at least 1.
step_ns(Clock) -> max(1, ns(Clock, step(Clock, 1000, infinity))).

step(_, 0, infinity) -> 0;
step(_, 0, Least) -> Least;
step(Clock, N, Least) ->
    Begin = read(Clock),
    case read(Clock) - Begin of
        0 -> step(Clock, N - 1, Least);
        Difference -> step(Clock, N - 1, min(Least, Difference))
    end.

%% @doc Runs Loop(N, Input) and stores the elapsed clock ticks at Index of Times; returns the last result. Only one call
%% of a fun and its loop lies between the readings.
time(perf, Loop, N, Input, {Times, Index}) ->
    Begin = os:perf_counter(),
    Last = Loop(N, Input),
    End = os:perf_counter(),
    atomics:put(Times, Index, End - Begin),
    Last;
time(monotonic, Loop, N, Input, {Times, Index}) ->
    Begin = erlang:monotonic_time(),
    Last = Loop(N, Input),
    End = erlang:monotonic_time(),
    atomics:put(Times, Index, End - Begin),
    Last.
