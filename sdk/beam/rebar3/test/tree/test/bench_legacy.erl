-module(bench_legacy).
-export([bench_encode/2, encode/1, bench_alone/2, helper/3]).

encode({input, _}) -> tree_words:some(10).

bench_encode(Words, []) -> tree_codec:encode(Words).

%% There is no options function, so both arguments are [].
bench_alone([], []) -> ok.

helper(_, _, _) -> not_a_benchmark.
