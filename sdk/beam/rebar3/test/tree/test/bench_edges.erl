%% Unusual benchmarks and faulty ones. Each body fails if its expectation is not met.
-module(bench_edges).
-export([bench_one_process/1, one_process/2, bench_no_clause/1, no_clause/2, bench_stops/1, stops/2, bench_test_defined/1,
         test_defined/2, bench_greedy/1, greedy/2, bench_mailbox/1, mailbox/2, bench_slow/1, slow/2, bench_constant/1, constant/2,
         bench_hidden_clause/1, hidden_clause/2, bench_hidden_undef/1, hidden_undef/2, bench_crash/1, crash/2, bench_exits/1, exits/2,
         bench_stop_fails/1, stop_fails/2, bench_input_fails/1, input_fails/2]).

bench_one_process(init) ->
    put(mine, true),
    Table = ets:new(private, [private]),
    true = ets:insert(Table, {key, self()}),
    Table;
bench_one_process({input, Table}) ->
    [{key, Self}] = ets:lookup(Table, key),
    Self = self();
bench_one_process({stop, Table}) ->
    true = get(mine),
    true = ets:delete(Table).

one_process(Self, Table) ->
    Self = self(),
    true = get(mine),
    {priority, high} = process_info(self(), priority),
    {min_heap_size, Words} = process_info(self(), min_heap_size),
    true = Words * erlang:system_info(wordsize) >= 5 * 1024 * 1024,
    ets:lookup(Table, key).

%% Only the clause for `stop' exists, so state and input are [].
bench_no_clause({stop, []}) -> ok.

no_clause([], []) -> ok.

%% The result of init is released even if making the input fails.
bench_input_fails(init) -> state;
bench_input_fails({input, state}) -> error(no_input);
bench_input_fails({stop, state}) -> ok = file:write_file("given-back", "").

input_fails(_, _) -> ok.

bench_stops({input, _}) -> true = (list_to_atom("tree_" ++ "named")):found();
bench_stops(init) -> {ok, [tree]} = application:ensure_all_started(tree);
bench_stops({stop, _}) -> ok = application:stop(tree).

stops(_, _) -> ok.

bench_test_defined({input, _}) -> is_test().

-ifdef(TEST).
is_test() -> true.
-else.
is_test() -> false.
-endif.

test_defined(true, _) -> ok.

%% Fails if a message arrives. rebar3_bench sends messages to the process that runs the body.
bench_greedy(_) -> [].

greedy(_, _) -> receive Message -> error({not_for_me, Message}) after 0 -> ok end.

%% Fills its own mailbox.
bench_mailbox(_) -> [].

mailbox(_, _) -> self() ! message.

%% Takes more than twice the time that rebar3_bench allows for a sample.
bench_slow(_) -> [].

slow(_, _) -> timer:sleep(250).

bench_constant(_) -> [].

constant(_, _) -> constant.

%% A function_clause error inside a callback does not mean that the callback lacks a clause.
bench_hidden_clause({input, _}) -> lists:nth(0, []).

hidden_clause(_, _) -> ok.

bench_hidden_undef({input, _}) -> tree_codec:no_such_function().

hidden_undef(_, _) -> ok.

bench_crash(_) -> [].

crash(_, _) -> error(crashed).

bench_exits(_) -> [].

exits(_, _) -> exit(self(), kill), timer:sleep(1000).

bench_stop_fails({stop, _}) -> error(cannot_stop);
bench_stop_fails(_) -> [].

stop_fails(_, _) -> ok.
