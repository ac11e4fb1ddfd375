%% The clock that times loops: os:perf_counter/0. Reading it takes a third of the time of
%% erlang:monotonic_time/0, and it is not adjusted during a measurement. If the two clocks disagree about a
%% duration, erlang:monotonic_time/0 is used.
-module(derny_clock).
-export([mark/0, choose/1, name/1, read/1, step_ns/1, ns/2, ticks/2, time/5]).
-export_type([clock/0]).

-type clock() :: perf | monotonic.

%% @doc Returns the current times of both clocks, for choose/1.
mark() -> {os:perf_counter(), erlang:monotonic_time()}.

%% @doc Chooses the clock by comparing how much time each reports since Mark, which should be a few
%% milliseconds old.
-spec choose({integer(), integer()}) -> clock().
choose({Perf, Monotonic}) ->
    {Perf1, Monotonic1} = mark(),
    [A, B] = [ns(perf, Perf1 - Perf), ns(monotonic, Monotonic1 - Monotonic)],
    %% Monotonic time may be slewed by up to 1 %, and the thread may be preempted between the two readings.
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

%% @doc Converts nanoseconds to clock ticks. `infinity' is kept: as an atom it compares greater than any
%% number.
ticks(_, infinity) -> infinity;
ticks(perf, Ns) -> erlang:convert_time_unit(Ns, nanosecond, perf_counter);
ticks(monotonic, Ns) -> erlang:convert_time_unit(Ns, nanosecond, native).

%% @doc Returns the resolution of the clock in nanoseconds, at least 1: the smallest difference, other than 0,
%% between two consecutive readings, of a thousand pairs.
step_ns(Clock) -> max(1, ns(Clock, step(Clock, 1000, infinity))).

step(_, 0, infinity) -> 0;
step(_, 0, Least) -> Least;
step(Clock, N, Least) ->
    Begin = read(Clock),
    case read(Clock) - Begin of
        0 -> step(Clock, N - 1, Least);
        Difference -> step(Clock, N - 1, min(Least, Difference))
    end.

%% @doc Runs Loop(N, Input), stores the elapsed ticks at Index of Times, and returns the last result. Only
%% the loop and one call of a fun run between the two readings.
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
