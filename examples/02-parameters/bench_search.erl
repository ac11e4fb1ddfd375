-module(bench_search).
-export([benchmarks/0, list/1, set/1]).

benchmarks() ->
    %% All combinations of the values: 2 × 3 = 6 cases per benchmark. n is the outer parameter, because it is the first.
    Options = #{params => [{n, [10, 1000]}, {where, [first, last, absent]}], group => "search", setup => fun setup/1},
    [{"search/list", fun ?MODULE:list/1, Options},
     {"search/set", fun ?MODULE:set/1, Options#{filter => fun(Params) -> Params =/= #{n => 10, where => absent} end}}].

%% Runs once per case, untimed. The returned value is the body's argument.
setup(#{n := N, where := Where}) ->
    Items = lists:seq(1, N),
    {Items, sets:from_list(Items, [{version, 2}]), maps:get(Where, #{first => 1, last => N, absent => 0})}.

list({Items, _, Wanted}) -> lists:member(Wanted, Items).

set({_, Set, Wanted}) -> sets:is_element(Wanted, Set).
