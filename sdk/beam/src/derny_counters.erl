%% Computes the counters that are reported at the end of each turn. The SDK's own share is measured with empty
%% turns, and subtracted.
-module(derny_counters).
-export([declared/0, own_cost/1, of_turn/3, is_incomplete/3, words_per_iteration/4]).
-export_type([cost/0]).

%% A number of words per batch that forces a collection before every batch except the first.
-define(MORE_THAN_FITS, 1 bsl 40).

%% A turn that is expected to allocate no more words than this is not checked by is_incomplete/3: it fills only
%% a small part of the heap of 655,360 words.
-define(MUCH, 130000).

%% `words': words allocated by a turn, by each batch, and by each forced collection, for a loop with 0
%% iterations. `reductions': reductions of a batch, and of an iteration without a body.
-type cost() :: #{words := {integer(), integer(), integer()}, reductions := {number(), number()}}.

declared() ->
    ["gc:count:total:less", "gc_time:ns:total:less", "allocated:B:total:less:exact", "reductions:count:total:less:exact",
     "evaluated:count:total:less", "peak:B:peak:less"].

%% @doc Measures the cost of empty turns. Take(Iterations, Batches, Words) runs a turn that expects Words per
%% batch, and returns it with the summary of its trace. Take must use the loop of the case for 0 iterations, and
%% otherwise a loop with an empty body.
-spec own_cost(fun((non_neg_integer(), pos_integer(), non_neg_integer()) -> {map(), derny_trace:summary() | none})) -> cost().
own_cost(Take) ->
    {_, _} = Take(1, 1, 0),
    {#{reductions := R1}, _} = Take(1, 1, 0),
    {#{reductions := R10}, _} = Take(1, 11, 0),
    {#{reductions := R11}, _} = Take(1001, 11, 0),
    PerIteration = (R11 - R10) / 11000,
    PerBatch = (R10 - R1) / 10 - PerIteration,
    {_, _} = Take(0, 1, 0),
    #{words => words(Take(0, 1, 0), Take(0, 11, 0), Take(0, 11, ?MORE_THAN_FITS)), reductions => {PerBatch, PerIteration}}.

words({_, #{heap_words := One}}, {_, #{heap_words := Ten}}, {#{forced := Forced}, #{heap_words := WithForced}}) ->
    PerBatch = (Ten - One) div 10,
    {One - PerBatch, PerBatch, (WithForced - Ten) div max(1, length(Forced))};
words(_, _, _) -> {0, 0, 0}.

%% @doc Returns the values of the counters in declared/0 for a turn. A value that could not be read is
%% undefined.
of_turn(#{count := Batches} = Turn, Trace, #{iterations := N, cost := Cost, hooks := HasHooks, evaluated := IsEvaluated, mode := Mode}) ->
    Evaluated = case IsEvaluated of true -> Batches * N; false -> 0 end,
    [traced(gc, Trace), traced(gc_time_ns, Trace), allocated(Trace, Turn, Cost, HasHooks), reductions(Turn, N, Cost), Evaluated,
     peak(Trace, Mode)].

traced(_, none) -> undefined;
traced(Key, Trace) -> map_get(Key, Trace).

%% Allocations of hooks between batches cannot be separated from those of the body.
allocated(none, _, _, _) -> undefined;
allocated(_, _, _, true) -> undefined;
allocated(#{binary_words := Binary} = Trace, Turn, Cost, false) ->
    (heap(Trace, Turn, Cost) + Binary) * erlang:system_info(wordsize).

heap(#{heap_words := Words}, #{count := Batches, forced := Forced}, #{words := {PerTurn, PerBatch, PerForced}}) ->
    max(0, Words - PerTurn - PerBatch * Batches - PerForced * length(Forced)).

reductions(#{count := Batches, reductions := Sum}, N, #{reductions := {PerBatch, PerIteration}}) ->
    max(0, round(Sum - Batches * (PerBatch + N * PerIteration))).

peak(#{peak_words := Words}, trace) -> Words * erlang:system_info(wordsize);
peak(_, _) -> undefined.

%% @doc Returns true if a collection was probably missed while the trace was paused: the heap has grown much
%% less than expected, in a turn that was expected to fill a good part of it.
-spec is_incomplete(derny_trace:summary() | none, map(), Words :: non_neg_integer()) -> boolean().
is_incomplete(#{heap_words := Heap, binary_words := Binary}, #{paused := true, count := Batches}, Words) when Words * Batches > ?MUCH ->
    max(Heap, Binary) < Words * Batches * 3 div 4;
is_incomplete(_, _, _) -> false.

%% @doc Estimates the words that the next turn allocates per iteration, from the total of this one.
words_per_iteration(#{binary_words := Binary} = Trace, #{count := Batches} = Turn, N, Cost) -> max(heap(Trace, Turn, Cost), Binary) / (N * Batches).
