%% A plain loop around one body: erl … -run plain main BODY [WARM_MS [MEASURE_MS [SLICE_NS]]]
-module(plain).
-export([main/1]).

%% Maximum number of times in the median.
-define(SLICES, 200000).

main([Name | Plan]) ->
    [WarmMs, MeasureMs, SliceNs] = plan([list_to_integer(Word) || Word <- Plan], [1500, 1500, 20000]),
    Body = list_to_atom(Name),
    %% The loop runs in a separate process with the initial heap of any process.
    {_, Monitor} = spawn_monitor(fun() -> run(Body, WarmMs, MeasureMs, SliceNs) end),
    receive
        {'DOWN', Monitor, process, _, normal} -> halt(0);
        {'DOWN', Monitor, process, _, Why} -> io:format(standard_error, "~p~n", [Why]), halt(1)
    end.

plan([Given | Rest], [_ | Defaults]) -> [Given | plan(Rest, Defaults)];
plan([], Defaults) -> Defaults.

run(Body, WarmMs, MeasureMs, SliceNs) ->
    Input = bench_truth:input(Body),
    %% An atomics array is outside of the heap, so that collections do not copy it. It is written in
    %% advance, so that its pages exist before the measurement.
    Times = atomics:new(?SLICES, []),
    lists:foreach(fun(I) -> atomics:put(Times, I, 1) end, lists:seq(1, ?SLICES)),
    %% The first reading loads the code that reads page faults.
    _ = faults(),
    N = warm_up(Body, Input, SliceNs, os:perf_counter(nanosecond) + WarmMs * 1000000, 1),
    Faults = faults(),
    Collections = collections(),
    Start = os:perf_counter(nanosecond),
    {Slices, Stop} = measure(Body, Input, N, Times, Start + MeasureMs * 1000000, 0),
    Counted = [collections() - Collections, difference(faults(), Faults)],
    Calls = Slices * N,
    io:format("{\"median_ns\":~p,\"mean_ns\":~p,\"calls\":~b,\"slices\":~b,"
              "\"collections\":~b,\"collection_ns\":null,\"faults\":~ts}~n",
              [median(Times, min(Slices, ?SLICES)) / N, (Stop - Start) / Calls, Calls, Slices | Counted]).

%% Calls the body until the time has passed. Returns the suitable number of calls per slice.
warm_up(Body, Input, SliceNs, End, N) ->
    Ns = max(1, slice(N, Body, Input)),
    case os:perf_counter(nanosecond) < End of
        true -> warm_up(Body, Input, SliceNs, End, max(1, min(2 * N, round(N * SliceNs / Ns))));
        false -> max(1, round(SliceNs / lists:min([slice(N, Body, Input) / N || _ <- lists:seq(1, 5)])))
    end.

measure(Body, Input, N, Times, End, Slices) ->
    Ns = slice(N, Body, Input),
    Slices < ?SLICES andalso atomics:put(Times, Slices + 1, Ns),
    case os:perf_counter(nanosecond) of
        Now when Now >= End -> {Slices + 1, Now};
        _ -> measure(Body, Input, N, Times, End, Slices + 1)
    end.

%% Calls the body n times. Returns the time in nanoseconds.
slice(N, Body, Input) ->
    Start = os:perf_counter(nanosecond),
    _ = loop(N, undefined, Body, Input),
    os:perf_counter(nanosecond) - Start.

%% The result is an argument of the next iteration, so only the last one is alive.
loop(0, Last, _, _) -> Last;
loop(N, _, Body, Input) -> loop(N - 1, bench_truth:Body(Input), Body, Input).

median(Times, Count) ->
    Sorted = lists:sort([atomics:get(Times, I) || I <- lists:seq(1, Count)]),
    (lists:nth((Count + 1) div 2, Sorted) + lists:nth(Count div 2 + 1, Sorted)) / 2.

collections() -> element(1, erlang:statistics(garbage_collection)).

%% Returns the minor page faults of the runtime so far, or undefined if the system has no /proc.
faults() ->
    case file:read_file("/proc/self/stat") of
        {ok, Text} ->
            [_, Rest] = string:split(Text, ") ", trailing),
            binary_to_integer(lists:nth(8, binary:split(Rest, <<" ">>, [global])));
        {error, _} -> undefined
    end.

difference(undefined, _) -> "null";
difference(After, Before) -> integer_to_list(After - Before).
