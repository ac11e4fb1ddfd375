-module(bench_mixed).
-export([decode/2, bench_decode/1, bench_copy/2, copy/1, both/2, bench_both/1, bench_both/2]).

%% New style.
bench_decode({input, _}) -> "one,two,three".

decode(Text, []) -> ["one", "two", "three"] = tree_codec:decode(Text).

%% Legacy style.
copy(init) -> state;
copy({input, state}) -> <<"text">>;
copy({stop, state}) -> ok.

bench_copy(Text, state) -> binary:copy(Text).

%% A benchmark in both styles.
bench_both({input, _}) -> input.

both(input, _) -> ok.

bench_both(_, _) -> ok.
