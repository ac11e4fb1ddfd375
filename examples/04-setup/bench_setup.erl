-module(bench_setup).
-export([benchmarks/0, insert/1, insert_next/1]).

benchmarks() ->
    %% Data are immutable: every iteration sorts the same list, without a copy.
    [{"1 sort", fun lists:sort/1, #{params => [{n, [1000]}], setup => fun(#{n := N}) -> disorder(N, 42) end}},
     %% WRONG: a table is mutable. The first iteration inserts the key, and all others find it.
     {"2 wrong: inserted once", fun ?MODULE:insert/1, #{
         setup => fun(_) -> ets:new(numbers, [set]) end,
         teardown => fun(Table, _) -> ets:delete(Table) end}},
     %% RIGHT: a new table before every batch, and a new key in every iteration. Neither hook is timed.
     {"3 fresh table for each batch", fun ?MODULE:insert_next/1, #{
         before_batch => fun(_, _) -> {ets:new(numbers, [set]), counters:new(1, [])} end,
         after_batch => fun({Table, _}, _) -> ets:delete(Table) end}}].

%% Returns the same unsorted numbers in every process, so that all processes sort the same input.
disorder(0, _) -> [];
disorder(N, State) -> [State | disorder(N - 1, (State * 1103515245 + 12345) rem 2147483648)].

insert(Table) -> ets:insert_new(Table, {1}).

insert_next({Table, Keys}) ->
    counters:add(Keys, 1, 1),
    ets:insert_new(Table, {counters:get(Keys, 1)}).
