-module(bench_dead_code).
-export([benchmarks/0, constant/0, dropped/1, right/1, two/1, nothing/1]).

benchmarks() ->
    Input = #{setup => fun(_) -> 3.0 end},
    [{"1 wrong: constant input", fun ?MODULE:constant/0},
     {"2 wrong: result dropped", fun ?MODULE:dropped/1, Input},
     {"3 right", fun ?MODULE:right/1, Input},
     {"4 right: two results", fun ?MODULE:two/1, Input},
     {"5 nothing", fun ?MODULE:nothing/1, Input}].

%% WRONG: the compiler computes this.
constant() -> 3.0 * 3.0 + 1.0.

%% WRONG: nobody uses the result, so it is left out.
dropped(R) ->
    _ = R * R + 1.0,
    R.

%% RIGHT: the input is not known beforehand, and the result is returned.
right(R) -> R * R + 1.0.

%% RIGHT: several results are returned together, at the price of a tuple.
two(R) -> {R * R + 1.0, R}.

%% What all of them share: the loop, the call, keeping the result.
nothing(R) -> R.
