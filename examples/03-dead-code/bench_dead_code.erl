-module(bench_dead_code).
-export([benchmarks/0, constant/0, dropped/1, right/1, two/1, nothing/1]).

benchmarks() ->
    Input = #{setup => fun(_) -> 3.0 end},
    [{"1 wrong: constant input", fun ?MODULE:constant/0},
     {"2 wrong: result dropped", fun ?MODULE:dropped/1, Input},
     {"3 right", fun ?MODULE:right/1, Input},
     {"4 right: two results", fun ?MODULE:two/1, Input},
     {"5 nothing", fun ?MODULE:nothing/1, Input}].

%% WRONG: the compiler computes this constant at compile time.
constant() -> 3.0 * 3.0 + 1.0.

%% WRONG: the result is unused, so the compiler removes the computation.
dropped(R) ->
    _ = R * R + 1.0,
    R.

%% RIGHT: the compiler cannot know the input, and the result is returned.
right(R) -> R * R + 1.0.

%% RIGHT: several results are returned together, at the cost of a tuple.
two(R) -> {R * R + 1.0, R}.

%% The cost that all benchmarks share: the loop, the call, keeping the result.
nothing(R) -> R.
