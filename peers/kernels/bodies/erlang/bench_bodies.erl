%% The bodies, as benchmarks of Derny.
-module(bench_bodies).
-export([benchmarks/0, mix/1, allocate/1]).

benchmarks() ->
    Steps = fun(_) -> 3200 + list_to_integer(os:getenv("KERNEL_EXTRA", "0")) end,
    [{"mix", fun ?MODULE:mix/1, #{setup => Steps}}, {"allocate", fun ?MODULE:allocate/1, #{setup => Steps}}].

mix(Steps) -> mix(Steps, 2463534242).

mix(0, X) -> X;
mix(Steps, X0) ->
    X1 = X0 bxor ((X0 bsl 13) band 16#FFFFFFFF),
    X2 = X1 bxor (X1 bsr 17),
    mix(Steps - 1, X2 bxor ((X2 bsl 5) band 16#FFFFFFFF)).

allocate(Steps) -> allocate(Steps div 16, []).

allocate(0, Kept) -> Kept;
allocate(Count, Kept) -> allocate(Count - 1, [{Count, Count} | Kept]).
