-module(derny_case_tests).
-include_lib("eunit/include/eunit.hrl").
-export([seq/0, binary/0, nothing/0]).

seq() -> lists:seq(1, 10).

binary() -> binary:copy(<<"x">>, 1000).

nothing() -> ok.

%% Runs a conversation with these benchmarks, through files. Returns the exit status, and the lines of the
%% replies after the first.
talk(Benchmarks, Commands) ->
    derny_registry:clear(),
    lists:foreach(fun derny_registry:add/1, Benchmarks),
    Place = filename:join(os:getenv("TMPDIR", "/tmp"), "derny-case-" ++ os:getpid()),
    [In, Out] = [Place ++ End || End <- [".commands", ".replies"]],
    ok = file:write_file(In, [[Command, $\n] || Command <- Commands]),
    ok = file:write_file(Out, ""),
    true = os:putenv("DERNY_COMMANDS", In),
    true = os:putenv("DERNY_REPLIES", Out),
    %% A separate process, like the session of a program.
    Self = self(),
    {Pid, Monitor} = spawn_monitor(fun() -> Self ! derny_session:run(derny_wire:open(), #{language => "erlang", runtime => "test/1", clock => perf}) end),
    Status = receive S when is_integer(S) -> S; {'DOWN', Monitor, _, Pid, Reason} when Reason =/= normal -> error(Reason) end,
    erlang:demonitor(Monitor, [flush]),
    false = os:getenv("DERNY_COMMANDS"),
    {ok, Text} = file:read_file(Out),
    [ok, ok] = [file:delete(Name) || Name <- [In, Out]],
    derny_registry:clear(),
    {Status, tl(binary:split(string:trim(Text), <<"\n">>, [global]))}.

%% Returns [gc, gc_time, allocated, reductions, evaluated, peak | own values] of each turn.
counters(Lines) -> [[value(Word) || Word <- binary:split(Rest, <<" ">>, [global])] || <<"end ", Rest/binary>> <- Lines].

value(<<"-">>) -> none;
value(Text) -> binary_to_integer(Text).

measure(Iterations, Batches, Mode) ->
    io_lib:format("measure iterations=~b batches=~b within=60000000000 mode=~ts", [Iterations, Batches, Mode]).

%% A list of ten elements is 20 words. The SDK's own allocations are subtracted in turns of any size.
allocation_is_exact_test() ->
    Word = erlang:system_info(wordsize),
    Turns = [{N, B, Mode} || Mode <- [time, trace], {N, B} <- [{1, 1}, {1, 7}, {10, 10}, {1000, 10}, {1000, 100}, {10000, 20}, {3, 1000}]],
    Measured = fun(Name) -> ["open benchmark=" ++ Name] ++ [measure(N, B, Mode) || {N, B, Mode} <- Turns] ++ ["close"] end,
    Closure = fun() -> lists:seq(1, 10) end,
    Specs = [#{name => "seq", body => fun ?MODULE:seq/0}, #{name => "closure", body => Closure},
             #{name => "alone", body => fun ?MODULE:seq/0, process => turn}, #{name => "small", body => fun ?MODULE:seq/0, heap => 30000},
             #{name => "nothing", body => fun ?MODULE:nothing/0}],
    {0, Lines} = talk(Specs, lists:append([Measured(Name) || #{name := Name} <- Specs]) ++ ["quit"]),
    Seen = [{Gc, Allocated} || [Gc, _, Allocated | _] <- counters(Lines)],
    Expected = [N * B * Words * Word || Words <- [20, 20, 20, 20, 0], {N, B, _} <- Turns],
    ?assertEqual(Expected, [Allocated || {_, Allocated} <- Seen]),
    %% Collections occurred during the turns. Those of the fifth turn were forced between batches and are not
    %% counted; those of traced turns are.
    ?assertEqual([0, 0], [Gc || {{Gc, _}, {1000, 100, time}} <- lists:zip(lists:sublist(Seen, 14), Turns)] ++ [hd([Gc || {Gc, _} <- Seen])]),
    ?assert(lists:all(fun(Gc) -> Gc > 10 end, [Gc || {{Gc, _}, {1000, 100, trace}} <- lists:zip(lists:sublist(Seen, 14), Turns)])).

%% A traced process is slower each time that it is scheduled. After the first turn, which shows how much the
%% body allocates, it is traced only between the batches.
batches_are_not_traced_test() ->
    Table = ets:new(flags, [public, ordered_set]),
    Body = fun() -> ets:insert(Table, {ets:info(Table, size), element(2, erlang:trace_info(self(), flags))}) end,
    {0, _} = talk([#{name => "flags", body => Body}], ["open benchmark=flags", measure(1, 1, time), measure(2, 2, time), measure(1, 1, trace), "quit"]),
    ?assertMatch([[_, _], [], [], [], [], [_, _]], [Flags || {_, Flags} <- ets:tab2list(Table)]).

%% The third turn unexpectedly allocates more than the heap holds, so its allocations are reported as unknown.
unexpected_allocations_are_not_reported_wrong_test() ->
    Calls = counters:new(1, []),
    Body = fun() -> counters:add(Calls, 1, 1), lists:seq(1, case counters:get(Calls, 1) of 2001 -> 1000000; _ -> 100 end) end,
    {0, Lines} = talk([#{name => "varies", body => Body}], ["open benchmark=varies"] ++ [measure(1000, 1, time) || _ <- lists:seq(1, 5)] ++ ["quit"]),
    ?assertMatch([Same, Same, none, Same, Same], [case Words of none -> none; _ -> round(Words / 1.0e4) end || [_, _, Words | _] <- counters(Lines)]).

%% 200 binaries of 1,000 bytes are stored off-heap.
binaries_are_allocated_too_test() ->
    {0, Lines} = talk([#{name => "binary", body => fun ?MODULE:binary/0}], ["open benchmark=binary", measure(100, 2, time), "quit"]),
    [[_, _, Binary | _]] = counters(Lines),
    ?assert(Binary >= 200 * 1000),
    ?assert(Binary =< 200 * 1200).

collections_and_their_time_are_told_test() ->
    {0, Lines} = talk([#{name => "seq", body => fun ?MODULE:seq/0}], [
        "open benchmark=seq", measure(10000, 3, time), measure(10000, 3, time), measure(10000, 3, time_default_heap), measure(10000, 3, trace), "quit"]),
    [_, [Gc, GcTime, _, _, 0, none], [none, none, none, _, 0, none], [TracedGc, TracedTime, _, _, 0, Peak]] = counters(Lines),
    ?assertEqual({0, 0}, {Gc, GcTime}),
    ?assert(TracedGc > 10),
    ?assert(TracedTime > 0),
    ?assert(Peak > 0).

reductions_are_those_of_the_body_test() ->
    Deep = fun() -> lists:foldl(fun(N, Sum) -> N + Sum end, 0, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) end,
    {0, Lines} = talk([#{name => "nothing", body => fun ?MODULE:nothing/0}, #{name => "deep", body => Deep}], [
        "open benchmark=nothing", measure(10000, 10, time), "close", "open benchmark=deep" | [measure(10000, 10, time) || _ <- lists:seq(1, 9)]] ++ ["quit"]),
    [Nothing | Deeps] = [lists:nth(4, Turn) || Turn <- counters(Lines)],
    ?assert(Nothing =< 100),
    %% Equal work gives equal reductions, regardless of other load.
    Median = lists:nth(5, lists:sort(Deeps)),
    ?assert(Median >= 10 * 100000),
    ?assert(length([Told || Told <- Deeps, abs(Told - Median) =< Median / 1000]) >= 7).

a_case_has_a_process_and_a_turn_may_have_one_test() ->
    Test = self(),
    Tell = fun(Place, Result) -> Test ! {Place, self()}, Result end,
    Spec = fun(Name, Process) ->
        #{name => Name, process => Process, setup => fun(_) -> Tell(setup, in) end, body => fun(in) -> Tell(body, ok) end,
          teardown => fun(in, #{}) -> Tell(teardown, ok) end}
    end,
    Turns = ["measure iterations=1 batches=1 within=1", "measure iterations=1 batches=1 within=1"],
    {0, _} = talk([Spec("a", 'case'), Spec("b", turn)], ["open benchmark=a"] ++ Turns ++ ["close", "open benchmark=b"] ++ Turns ++ ["close", "quit"]),
    [[A, A, A, A], [B, C, D, B]] = [[receive {Place, Pid} -> Pid end || Place <- [setup, body, body, teardown]] || _ <- [1, 2]],
    ?assertEqual(4, length(lists:usort([A, B, C, D]))).

the_process_has_the_chosen_priority_and_heap_test() ->
    Test = self(),
    Body = fun() -> Test ! [process_info(self(), Key) || Key <- [priority, garbage_collection]] end,
    {0, _} = talk([#{name => "a", body => Body, priority => high, heap => 100000}], ["open benchmark=a", measure(1, 1, time), "close", "open benchmark=a", measure(1, 1, time_default_heap), "quit"]),
    [[{priority, high}, {garbage_collection, Large}], [{priority, high}, {garbage_collection, Usual}]] = [receive [_, _] = Told -> Told end || _ <- [1, 2]],
    ?assert(proplists:get_value(min_heap_size, Large) >= 100000),
    ?assert(proplists:get_value(min_heap_size, Usual) < 1000).

hooks_are_not_in_the_counters_test() ->
    Test = self(),
    Spec = #{name => "a", setup => fun(#{n := N}) -> N end, params => [{n, [3]}],
             before_batch => fun(N, Iterations) -> Test ! {before, N, Iterations}, N + 1 end,
             body => fun(Given) -> Test ! {body, Given} end,
             after_batch => fun(N, Iterations) -> Test ! {'after', N, Iterations} end,
             metrics => [{half, #{unit => count, read => fun(N) -> N / 2 end}}]},
    {0, Lines} = talk([Spec], ["open benchmark=a p.n=3", "measure iterations=2 batches=2 within=60000000000", "check", "quit"]),
    Told = [receive Message -> Message end || _ <- lists:seq(1, 11)],
    Batch = [{before, 3, 2}, {body, 4}, {body, 4}, {'after', 4, 2}],
    ?assertEqual(Batch ++ Batch ++ [{before, 3, 1}, {body, 4}, {'after', 4, 1}], Told),
    [End] = [Line || <<"end ", Line/binary>> <- Lines],
    ?assertMatch([_, _, <<"-">>, _, <<"0">>, <<"-">>, <<"1.5">>], binary:split(End, <<" ">>, [global])).

a_metric_says_its_kind_and_what_it_is_by_default_test() ->
    Read = fun(_) -> 1 end,
    Spec = fun(Metrics) -> [#{name => "a", body => fun() -> ok end, metrics => Metrics}] end,
    {0, Lines} = talk(Spec([{size, #{unit => <<"B">>, exact => true, read => Read}}, {calls, #{kind => total, better => less, read => Read}}]), ["list", "quit"]),
    ?assert(lists:any(fun(Line) -> binary:match(Line, <<"metrics=size:B:level:none:exact,calls:count:total:less">>) =/= nomatch end, Lines)),
    {0, [Error]} = talk(Spec([{size, #{kind => sum, read => Read}}]), ["list", "quit"]),
    ?assertMatch(<<"error ", _/binary>>, Error).

what_goes_wrong_is_told_and_survived_test() ->
    Specs = [#{name => "dies", body => fun() -> exit(self(), kill) end},
             #{name => "exits", body => fun() -> exit(gone) end},
             #{name => "turn dies", process => turn, body => fun() -> exit(self(), kill) end},
             #{name => "skips", setup => fun(_) -> throw({skip, "not today"}) end, body => fun() -> ok end},
             #{name => "fine", body => fun() -> ok end}],
    Turn = "measure iterations=1 batches=1 within=1",
    {0, Lines} = talk(Specs, ["open benchmark=dies", Turn, Turn, "close", "open benchmark=exits", Turn, "close", "open benchmark=turn%20dies", Turn, "close",
                              "open benchmark=skips", "close", "open benchmark=fine", Turn, "dance", "list", "open", "quit"]),
    Heads = [hd(binary:split(Line, <<" ">>)) || Line <- Lines],
    ?assertEqual([<<"opened">>, <<"error">>, <<"error">>, <<"error">>, <<"opened">>, <<"error">>, <<"closed">>, <<"opened">>, <<"error">>, <<"closed">>,
                  <<"skip">>, <<"error">>, <<"opened">>, <<"times">>, <<"end">>, <<"unsupported">>, <<"error">>, <<"error">>], Heads),
    ?assert(lists:member(<<"skip reason=not%20today">>, Lines)).

the_end_of_the_stream_ends_the_session_test() ->
    ?assertMatch({0, [<<"opened">>]}, talk([#{name => "a", body => fun() -> ok end}], ["open benchmark=a"])),
    {1, [Fatal]} = talk([], [<<255, 254>>]),
    ?assertMatch({match, _}, re:run(Fatal, "^error .*fatal=1$")),
    ?assertMatch({1, [_]}, talk([], [lists:duplicate(70000, $x)])).
