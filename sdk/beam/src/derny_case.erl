%% One open case. It has its own BEAM process, with its own priority and heap, which runs its set-up, batches
%% and tear-down. This module runs turns of batches and does not handle the protocol's verbs. The trace of
%% a turn is in derny_trace.
%%
%% There are three modes. In `time', the process has a heap of 5 MB and garbage is collected between batches,
%% so that a batch of the usual length contains no collection. In `time_default_heap', the process has the
%% default heap, and its collections are timed too. `trace' is like `time_default_heap', but traces
%% collections, which makes them slower.
-module(derny_case).
-export([open/4, close/1, check/1, collect/1, turn/2, empty/2, idle/2, modes/0]).
-export_type([opened/0, request/0]).

-type mode() :: time | time_default_heap | trace.
-type opened() :: #{pid := pid(), mode := mode(), evaluated := boolean()}.
%% `within' is the time limit of the turn in ns: no batch begins after it. `words' is the number of heap words
%% that a batch is expected to allocate, and `expected' is false if that is not known yet.
-type request() :: #{iterations := pos_integer(), batches := pos_integer(), within := integer() | infinity,
                     words := non_neg_integer(), expected := boolean(), hash := boolean()}.

%% 5 MB in 64-bit words, as in rebar3_bench. When batches have used four fifths of the heap, garbage is
%% collected.
-define(HEAP, 655360).

modes() -> [time, time_default_heap, trace].

%% @doc Starts the process of a case and runs the set-up in it. Returns {skip, Reason} if the set-up throws
%% that. Throws {failed, Failure} for any other error.
-spec open(derny_registry:benchmark(), derny_registry:params(), mode(), #{clock := derny_clock:clock(), times := atomics:atomics_ref(), atom() => term()}) ->
    opened() | {skip, term()}.
open(#{body := Body} = Benchmark, Params, Mode, Tools) ->
    {Kind, Loop} = derny_loop:of_body(Body),
    State = maps:merge(Tools, #{benchmark => Benchmark, params => Params, mode => Mode, loop => Loop, kind => Kind, full => heap(Benchmark) * 4 div 5}),
    Parent = self(),
    Pid = spawn_opt(fun() -> begin_case(Parent, State) end, options(Benchmark, Mode)),
    Opened = #{pid => Pid, mode => Mode, evaluated => derny_loop:is_evaluated(Body)},
    case answered(Opened) of
        {ok, opened} -> Opened;
        {skip, Reason} -> {skip, Reason};
        {failed, Failure} -> throw({failed, Failure})
    end.

%% The process is bound to the scheduler whose thread the engine observes. Off-heap binaries have a separate
%% limit.
options(Benchmark, Mode) ->
    Heap = case Mode of
        time -> [{min_heap_size, heap(Benchmark)}, {min_bin_vheap_size, ?HEAP}];
        _ -> []
    end,
    [{scheduler, 1}, {priority, maps:get(priority, Benchmark, normal)} | Heap].

heap(Benchmark) -> maps:get(heap, Benchmark, ?HEAP).

%% @doc Runs the tear-down and ends the process of the case.
-spec close(opened()) -> ok.
close(Opened) ->
    done(ask(Opened, close)),
    ok.

%% @doc Calls the body once and returns a hash of its result.
check(Opened) -> done(ask(Opened, check)).

%% @doc Runs a full garbage collection in the process of the case.
collect(Opened) -> done(ask(Opened, collect)).

%% @doc Runs one turn and returns the number of batches and other results. The times are stored in the buffer
%% `times'.
-spec turn(opened(), request()) -> #{count := pos_integer(), reductions := integer(), frame := {integer(), integer()}, atom() => term()}.
turn(Opened, Request) -> done(ask(Opened, {turn, Request})).

%% @doc Runs a turn with an empty body.
empty(Opened, Request) -> done(ask(Opened, {empty, Request})).

%% @doc Runs a turn of the case's loop with 0 iterations. It shows the allocations of a turn other than the body's.
idle(Opened, Request) -> done(ask(Opened, {idle, Request#{iterations := 0}})).

done({ok, Result}) -> Result;
done({skip, Reason}) -> throw({failed, {derny_failure:inspect({skip, Reason}), undefined}});
done({failed, Failure}) -> throw({failed, Failure}).

ask(#{pid := Pid} = Opened, Question) ->
    Pid ! {derny, self(), Question},
    answered(Opened).

answered(#{pid := Pid} = Opened) ->
    Monitor = erlang:monitor(process, Pid),
    Answer = answer(Opened, Monitor),
    erlang:demonitor(Monitor, [flush]),
    Answer.

%% The process that runs the body announces itself and waits until it is traced. Trace messages of its
%% collections arrive while it runs.
answer(#{pid := Pid, mode := Mode} = Opened, Monitor) ->
    receive
        {derny, Pid, Answer} -> Answer;
        {derny_runs, Runner} ->
            derny_trace:begin_turn(Runner, Mode),
            Runner ! derny_go,
            answer(Opened, Monitor);
        {derny_stops, Runner} ->
            Runner ! {derny_counted, derny_trace:end_turn(Runner)},
            answer(Opened, Monitor);
        {'DOWN', Monitor, process, Pid, Reason} -> {failed, derny_failure:ended(Reason)};
        {trace_ts, _, _, _, _} = Event ->
            derny_trace:event(Event),
            answer(Opened, Monitor)
    end.

%% ---- Below: code that runs in the process of the case ----

begin_case(Parent, #{benchmark := Benchmark, params := Params} = State) ->
    Setup = maps:get(setup, Benchmark, fun(Same) -> Same end),
    case guarded(fun() -> Setup(Params) end) of
        {ok, Input} ->
            Parent ! {derny, self(), {ok, opened}},
            serve(Parent, State#{input => Input});
        Other -> Parent ! {derny, self(), Other}
    end.

serve(Parent, State) ->
    receive
        {derny, Parent, close} ->
            Parent ! {derny, self(), guarded(fun() -> tear_down(State) end)};
        {derny, Parent, Question} ->
            Parent ! {derny, self(), guarded(fun() -> reply(Question, Parent, State) end)},
            serve(Parent, State)
    end.

tear_down(#{benchmark := Benchmark, params := Params, input := Input}) ->
    Teardown = maps:get(teardown, Benchmark, fun(_, _) -> ok end),
    Teardown(Input, Params).

guarded(Act) ->
    try {ok, Act()}
    catch
        throw:{failed, Failure}:_ -> {failed, Failure};
        throw:{skip, Reason}:_ -> {skip, Reason};
        Class:Reason:Stack -> {failed, derny_failure:caught(Class, Reason, Stack)}
    end.

reply(check, _, #{loop := Loop} = State) ->
    in_process(State, fun() ->
        Input = before_batch(State, 1),
        Result = Loop(1, Input),
        after_batch(State, Input, 1, Result),
        hash(Result)
    end);
reply(collect, _, _) -> garbage_collect();
reply({turn, Request}, Parent, State) -> take(Request, Parent, State, values(State));
reply({empty, Request}, Parent, #{kind := Kind} = State) -> take(Request, Parent, (bare(State))#{loop := derny_loop:empty(Kind)}, fun() -> [] end);
reply({idle, Request}, Parent, State) -> take(Request, Parent, bare(State), fun() -> [] end).

bare(#{benchmark := Benchmark} = State) -> State#{benchmark := maps:without([before_batch, after_batch], Benchmark)}.

take(Request, Parent, State, Values) ->
    in_process(State, fun() ->
        Parent ! {derny_runs, self()},
        receive derny_go -> ok end,
        watched(Request, Parent, State, Values)
    end).

%% Runs Act in the process of the case, or in a new process if the benchmark requires one per turn.
in_process(#{benchmark := #{process := turn} = Benchmark, mode := Mode}, Act) ->
    Self = self(),
    Tag = make_ref(),
    {Pid, Monitor} = spawn_opt(fun() -> Self ! {Tag, guarded(Act)} end, [monitor | options(Benchmark, Mode)]),
    receive
        {Tag, Guarded} ->
            erlang:demonitor(Monitor, [flush]),
            done(Guarded);
        {'DOWN', Monitor, process, Pid, Reason} -> throw({failed, derny_failure:ended(Reason)})
    end;
in_process(_, Act) -> Act().

values(#{benchmark := Benchmark, input := Input}) ->
    Readers = [maps:get(read, Metric) || {_, Metric} <- maps:get(metrics, Benchmark, [])],
    fun() -> [Read(Input) || Read <- Readers] end.

watched(#{iterations := N, batches := Batches, within := Within, words := Words, hash := IsHashed} = Request, Parent, #{clock := Clock} = State, Values) ->
    Turn = State#{iterations => N, limit => Batches, words => Words, within => derny_clock:ticks(Clock, Within), pause => pause(Request, Parent, State)},
    collected(State),
    %% Yield so that the trace messages of that collection are handled now and not during a batch.
    erlang:yield(),
    From = erlang:monotonic_time(),
    paused(Turn),
    try batches(1, 0, derny_clock:read(Clock), 0, [], Turn) of
        {Count, Reductions, Forced, Last} ->
            resumed(Turn),
            To = erlang:monotonic_time(),
            collected(State),
            Counted = counted(Parent),
            #{count => Count, reductions => Reductions, frame => {From, To}, forced => Forced, counted => Counted, values => Values(),
              paused => map_get(pause, Turn) =/= none,
              hash => case IsHashed of true -> hash(Last); false -> undefined end}
    catch
        Class:Reason:Stack ->
            counted(Parent),
            erlang:raise(Class, Reason, Stack)
    end.

%% Returns the flags for pausing the trace, or none if it is not paused. A traced process is slower each time
%% that it is scheduled, which may be many times per call. The trace is therefore paused during the batches if
%% they are expected to contain no collection.
pause(#{expected := true, words := Words}, Parent, #{mode := time, full := Full}) when Words =< Full -> derny_trace:flags(Parent);
pause(_, _, _) -> none.

paused(#{pause := none}) -> ok;
paused(#{pause := Flags}) -> catch erlang:trace(self(), false, Flags).

resumed(#{pause := none}) -> ok;
resumed(#{pause := Flags}) -> catch erlang:trace(self(), true, Flags).

counted(Parent) ->
    Parent ! {derny_stops, self()},
    receive {derny_counted, Counted} -> Counted end.

%% Used is an estimate of the heap words in use, based on earlier turns. The allocations of this module
%% between the first and the last collection of a turn are subtracted later. Those allocations must therefore
%% depend only on the numbers of batches and collections: use only small integers, and compute nothing
%% unnecessary.
batches(Index, Used, Begin, Reductions, Forced, #{words := Words, mode := time, full := Full} = Turn) when Used + Words > Full, Used > 0 ->
    From = erlang:monotonic_time(),
    resumed(Turn),
    collected(Turn),
    paused(Turn),
    batches(Index, 0, Begin, Reductions, [{From, erlang:monotonic_time()} | Forced], Turn);
batches(Index, Used, Begin, Reductions, Forced, Turn) ->
    #{clock := Clock, loop := Loop, iterations := N, times := Times, words := Words, limit := Limit, within := Within} = Turn,
    Input = before_batch(Turn, N),
    {reductions, Before} = process_info(self(), reductions),
    Last = derny_clock:time(Clock, Loop, N, Input, {Times, Index}),
    {reductions, After} = process_info(self(), reductions),
    after_batch(Turn, Input, N, Last),
    case Index =:= Limit orelse derny_clock:read(Clock) - Begin >= Within of
        true -> {Index, Reductions + After - Before, Forced, Last};
        false -> batches(Index + 1, Used + Words, Begin, Reductions + After - Before, Forced, Turn)
    end.

%% Forces a minor collection. The second one promotes long-lived data, so that later ones cost about 1 µs. In
%% `time_default_heap', no collection is forced because allocations are not reported.
collected(#{mode := time_default_heap}) -> true;
collected(_) -> garbage_collect(self(), [{type, minor}]).

before_batch(#{benchmark := #{before_batch := Before}, input := Input}, N) -> Before(Input, N);
before_batch(#{input := Input}, _) -> Input.

after_batch(#{benchmark := #{after_batch := After}}, Input, N, Last) when is_function(After, 3) -> After(Input, N, Last);
after_batch(#{benchmark := #{after_batch := After}}, Input, N, _) -> After(Input, N);
after_batch(_, _, _, _) -> ok.

hash(Result) -> string:lowercase(integer_to_binary(erlang:phash2(Result, 1 bsl 32), 16)).
