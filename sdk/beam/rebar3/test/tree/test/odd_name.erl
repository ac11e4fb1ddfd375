%% Not called bench_*: it is a file of benchmarks for those who name it.
-module(odd_name).
-export([bench_odd/2]).

bench_odd([], []) -> ok.
