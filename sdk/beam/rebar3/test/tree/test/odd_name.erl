%% The name does not begin with bench_, so it contains benchmarks only if the user names
%% the file.
-module(odd_name).
-export([bench_odd/2]).

bench_odd([], []) -> ok.
