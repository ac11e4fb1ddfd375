%% Handles each verb of the conversation and keeps the open case. Does not depend on where benchmarks come
%% from or how they are timed.
-module(derny_session).
-export([run/2, attached/2]).

-define(BATCHES, 4096).

%% @doc Serves the engine until `quit' or until the stream ends, and returns the exit status. `language',
%% `runtime' and `clock' appear in the first line.
-spec run(derny_wire:streams(), #{language := string(), runtime := string(), clock := derny_clock:clock()}) -> 0 | 1.
run(Streams, #{clock := Clock} = About) ->
    derny_wire:send(Streams, [hello(About)]),
    {Status, _} = loop(Streams, begun(Clock)),
    Status.

%% @doc Like run/2, for a program that continues afterwards. Returns the engine's final report, or `gone' if the
%% engine ended without one.
-spec attached(derny_wire:streams(), map()) -> {ok, Report :: binary(), Json :: binary()} | gone.
attached(Streams, #{clock := Clock} = About) ->
    derny_wire:send(Streams, [hello(About)]),
    case loop(Streams, (begun(Clock))#{told => #{<<"report">> => [], <<"result">> => []}}) of
        {0, #{told := #{<<"report">> := Report, <<"result">> := Json}, quit := true}} ->
            {ok, iolist_to_binary(lists:reverse(Report)), iolist_to_binary(lists:reverse(Json))};
        _ -> gone
    end.

begun(Clock) -> #{clock => Clock, times => atomics:new(?BATCHES, [{signed, false}]), opened => undefined, was_open => false}.

hello(#{language := Language, runtime := Runtime, clock := Clock} = About) ->
    F = fun derny_wire:field/2,
    derny_wire:line("derny 1", [
        F("language", Language), F("runtime", Runtime), F("harness", derny_main:version()), F("pid", os:getpid()), F("thread", thread()),
        F("clock", derny_clock:name(Clock)), F("step_ns", derny_clock:step_ns(Clock)),
        derny_wire:items("can", ["overhead", "collect", "check", "hash" | maps:get(can, About, [])]),
        %% In the mode `time', collections run only between batches.
        F("collector", "none"),
        derny_wire:items("modes", [atom_to_list(Mode) || Mode <- derny_case:modes()]),
        derny_wire:items("metrics", derny_counters:declared())]).

%% Returns the operating system's id of the first scheduler's thread, which runs all bodies. OTP 26 changed
%% the name of that thread.
thread() ->
    {ok, Threads} = case file:list_dir("/proc/self/task") of {error, _} -> {ok, []}; Listed -> Listed end,
    Named = [Thread || Thread <- Threads, {ok, Name} <- [file:read_file(["/proc/self/task/", Thread, "/comm"])],
             lists:member(string:trim(Name), [<<"1_scheduler">>, <<"erts_sched_1">>])],
    case Named of
        [Thread] -> Thread;
        _ -> undefined
    end.

loop(Streams, State) ->
    try derny_wire:read(Streams) of
        eof -> {0, State};
        <<>> -> loop(Streams, State);
        Line ->
            case hd(binary:split(Line, <<" ">>)) of
                <<"quit">> ->
                    quit(State),
                    {0, State#{quit => true}};
                Verb when is_map_key(told, State), Verb =:= <<"report">>; is_map_key(told, State), Verb =:= <<"result">> ->
                    loop(Streams, told(Verb, derny_wire:parse(Line), State));
                Verb -> answer(Verb, Line, Streams, State)
            end
    catch
        Class:Reason:Stack ->
            {Message, Detail} = derny_failure:sentence({Class, Reason, Stack}),
            derny_wire:send(Streams, [derny_wire:failure(Message, Detail, derny_wire:field("fatal", true))]),
            {1, State}
    end.

%% Runs the tear-down. Its failures are ignored because the conversation is over.
quit(#{opened := undefined}) -> ok;
quit(#{opened := Opened}) ->
    try derny_case:close(Opened) catch _:_ -> ok end.

told(Verb, Message, #{told := Told} = State) ->
    Piece = derny_wire:needed(case Verb of <<"report">> -> <<"text">>; <<"result">> -> <<"json">> end, Message),
    State#{told := maps:update_with(Verb, fun(Pieces) -> [Piece | Pieces] end, Told)}.

answer(Verb, Line, Streams, State) ->
    {Reply, State1} =
        try
            case lists:member(Verb, [<<"list">>, <<"open">>, <<"check">>, <<"measure">>, <<"overhead">>, <<"collect">>, <<"close">>]) of
                true -> verb(Verb, derny_wire:parse(Line), State);
                false -> {[derny_wire:line("unsupported", [derny_wire:field("verb", Verb)])], State}
            end
        catch
            Class:Reason:Stack ->
                {Message, Detail} = derny_failure:sentence({Class, Reason, Stack}),
                Left = case Verb of <<"close">> -> State#{opened := undefined}; _ -> State end,
                {[derny_wire:failure(Message, Detail)], Left}
        end,
    derny_wire:send(Streams, Reply),
    loop(Streams, State1).

verb(<<"list">>, _, #{was_open := true}) -> throw("list: only allowed before the first open");
verb(<<"list">>, Message, State) ->
    Remarks = derny_registry:prepare(all),
    Cases = derny_registry:cases(derny_wire:lists(Message), derny_wire:get(<<"mode">>, Message) =:= <<"test">>),
    {logs(Remarks) ++ [describe(Benchmark, Params) || {Benchmark, Params} <- Cases] ++ ["end"], State};
verb(<<"open">>, Message, #{opened := undefined} = State) -> open(Message, State);
verb(<<"open">>, _, _) -> throw("open: a case is open already");
verb(Verb, _, #{opened := undefined}) -> throw([Verb, ": no case is open"]);
verb(<<"check">>, _, #{opened := Opened} = State) ->
    {[derny_wire:line("checked", [derny_wire:field("hash", derny_case:check(Opened))])], State};
verb(<<"collect">>, _, #{opened := Opened, clock := Clock} = State) ->
    Begin = derny_clock:read(Clock),
    derny_case:collect(Opened),
    {[derny_wire:line("collected", [derny_wire:field("ns", derny_clock:ns(Clock, derny_clock:read(Clock) - Begin))])], State};
verb(<<"close">>, _, #{opened := Opened} = State) ->
    derny_case:close(Opened),
    {["closed"], State#{opened := undefined}};
verb(Verb, Message, State) -> turn(Verb, Message, State).

open(Message, State) ->
    Name = derny_wire:needed(<<"benchmark">>, Message),
    Remarks = derny_registry:prepare({'case', Name}),
    {Lines, Opened} = found(Name, Message, State),
    {logs(Remarks) ++ Lines, Opened}.

logs(Remarks) -> [derny_wire:line("log", [derny_wire:field("message", Remark)]) || Remark <- Remarks].

found(Name, Message, State) ->
    case derny_registry:find(Name) of
        undefined -> throw(["there is no benchmark \"", Name, "\""]);
        Benchmark ->
            Params = derny_registry:params(Benchmark, derny_wire:values(Message)),
            case reason(maps:get(skip, Benchmark, false), Params) of
                Run when Run =:= false; Run =:= nil; Run =:= undefined ->
                    opened(derny_case:open(Benchmark, Params, hd(derny_case:modes()), State), Benchmark, Params, State);
                Reason -> skipped(Reason, State)
            end
    end.

reason(Skip, Params) when is_function(Skip, 1) -> Skip(Params);
reason(Skip, _) -> Skip.

skipped(Reason, State) -> {[derny_wire:line("skip", [derny_wire:field("reason", derny_registry:text(Reason))])], State}.

opened({skip, Reason}, _, _, State) -> skipped(Reason, State);
opened(Opened, Benchmark, Params, State) ->
    {["opened"], State#{opened := Opened, was_open := true, benchmark => Benchmark, params => Params, cost => undefined, words => {unknown, 0}}}.

%% ---- turns ----

turn(Verb, Message, State) ->
    Request = request(Verb, Message),
    #{opened := Opened, clock := Clock, times := Times, cost := Cost, benchmark := Benchmark} = State1 = prepared(mode(Verb, Message), State),
    #{iterations := N} = Request,
    {Act, Words, HasHooks} = case Verb of
        <<"measure">> -> {fun derny_case:turn/2, maps:get(words, State1), has_hooks(Benchmark)};
        <<"overhead">> -> {fun derny_case:empty/2, 0, false}
    end,
    Expecting = expecting(Words, N, Request),
    lead(Act, Opened, Expecting, derny_wire:integer(<<"lead">>, Message, 0)),
    #{count := Count, hash := Hash, values := Values} = Turn = Act(Opened, Expecting),
    Trace = traced(Turn, Expecting),
    About = (maps:with([mode, evaluated], Opened))#{iterations => N, cost => Cost, hooks => HasHooks},
    Own = case Verb of <<"measure">> -> Values; <<"overhead">> -> [undefined || _ <- maps:get(metrics, Benchmark, [])] end,
    Counters = derny_counters:of_turn(Turn, Trace, About) ++ Own,
    Told = [integer_to_binary(derny_clock:ns(Clock, atomics:get(Times, Index))) || Index <- lists:seq(1, Count)],
    Lines = [
        derny_wire:line("times", [[$\s, Time] || Time <- Told]),
        derny_wire:line("end", [[[$\s, number(Value)] || Value <- Counters], derny_wire:field("hash", Hash)])
    ],
    {Lines, learnt(Verb, Trace, Turn, N, State1)}.

%% Adds to a request the number of words that a batch is expected to allocate. It is uncertain before the first
%% turn, and after a turn whose allocations differed from it.
expecting({unknown, Words}, N, Request) -> Request#{words => ceil(Words * N), expected => false};
expecting(Words, N, Request) -> Request#{words => ceil(Words * N), expected => true}.

traced(#{counted := Events, frame := Frame, forced := Forced} = Turn, #{words := Words}) ->
    Trace = derny_trace:summary(Events, Frame, Forced),
    case derny_counters:is_incomplete(Trace, Turn, Words) of
        true -> none;
        false -> Trace
    end.

%% Runs batches of the same kind for Lead nanoseconds, and discards their results.
lead(_, _, _, 0) -> ok;
lead(Act, Opened, Request, Lead) -> Act(Opened, Request#{batches := ?BATCHES, within := Lead, hash := false}).

learnt(<<"measure">>, none, _, _, #{words := {unknown, _}} = State) -> State;
learnt(<<"measure">>, none, _, _, #{words := Words} = State) -> State#{words := {unknown, Words}};
learnt(<<"measure">>, Trace, Turn, N, #{cost := Cost} = State) -> State#{words := derny_counters:words_per_iteration(Trace, Turn, N, Cost)};
learnt(_, _, _, _, State) -> State.

has_hooks(Benchmark) -> maps:is_key(before_batch, Benchmark) orelse maps:is_key(after_batch, Benchmark).

number(Value) when is_integer(Value) -> integer_to_binary(Value);
number(Value) when is_float(Value) -> float_to_binary(Value, [short]);
number(_) -> "-".

request(Verb, Message) ->
    [Iterations, Batches] = [derny_wire:integer(Key, Message) || Key <- [<<"iterations">>, <<"batches">>]],
    Iterations >= 1 orelse throw([Verb, ": iterations must be at least 1"]),
    (Batches >= 1 andalso Batches =< ?BATCHES) orelse throw([Verb, ": batches must be 1 to 4096"]),
    #{iterations => Iterations, batches => Batches, words => 0, hash => derny_wire:get(<<"hash">>, Message) =:= <<"1">>,
      within => derny_wire:integer(<<"within">>, Message, infinity)}.

%% Returns the requested mode. A turn of the overhead uses the mode of the turns before it.
mode(<<"overhead">>, _) -> same;
mode(Verb, Message) ->
    case derny_wire:get(<<"mode">>, Message) of
        undefined -> hd(derny_case:modes());
        Text ->
            case [Mode || Mode <- derny_case:modes(), atom_to_binary(Mode) =:= Text] of
                [Mode] -> Mode;
                [] -> throw([Verb, ": there is no mode \"", Text, "\""])
            end
    end.

%% Prepares the open case for a turn in a mode. Another mode needs another process, so the case is torn down and
%% set up again. Before the first turn in a process, the cost of empty turns is measured.
prepared(Mode, #{opened := #{mode := Is} = Opened, benchmark := Benchmark, params := Params} = State) when Mode =/= same, Mode =/= Is ->
    derny_case:close(Opened),
    prepared(Mode, State#{opened := derny_case:open(Benchmark, Params, Mode, State), cost := undefined, words := {unknown, 0}});
prepared(_, #{opened := Opened, cost := undefined} = State) ->
    Take = fun(Iterations, Batches, Words) ->
        Request = #{iterations => Iterations, batches => Batches, words => Words, expected => true, hash => false, within => infinity},
        Act = case Iterations of 0 -> fun derny_case:idle/2; _ -> fun derny_case:empty/2 end,
        Turn = Act(Opened, Request),
        {Turn, traced(Turn, Request)}
    end,
    State#{cost := derny_counters:own_cost(Take)};
prepared(_, State) -> State.

%% ---- cases ----

describe(#{name := Name} = Benchmark, Params) ->
    F = fun(Key) -> derny_wire:field(atom_to_binary(Key), maps:get(Key, Benchmark, undefined)) end,
    Known = maps:from_list(Params),
    Amount = fun(Key) -> derny_wire:field(atom_to_binary(Key), amount(maps:get(Key, Benchmark, undefined), Known)) end,
    I = fun(Key) -> derny_wire:items(atom_to_binary(Key), [derny_registry:text(Item) || Item <- maps:get(Key, Benchmark, [])]) end,
    derny_wire:line("case", [
        derny_wire:field("benchmark", Name),
        [derny_wire:field(["p.", derny_registry:text(Key)], derny_registry:text(Value)) || {Key, Value} <- Params],
        failure(maps:get(failure, Benchmark, none)),
        I(args), derny_wire:items("env", [[derny_registry:text(Key), $=, derny_registry:text(Value)] || {Key, Value} <- maps:get(env, Benchmark, [])]),
        F(max_iterations), Amount(ops), F(unit), Amount(bytes), Amount(items), F(isolate),
        derny_wire:items("metrics", [metric(Metric) || Metric <- maps:get(metrics, Benchmark, [])]),
        F(group), I(tags), F(file), F(line)]).

failure(none) -> [];
failure({Text, Detail}) -> [derny_wire:field("error", Text), derny_wire:field("detail", Detail)].

amount(Amount, Params) when is_function(Amount, 1) -> Amount(Params);
amount(Amount, _) -> Amount.

metric({Name, #{} = Metric}) ->
    Part = fun(Text) -> string:replace(derny_registry:text(Text), ":", "%3A", all) end,
    Exact = case maps:get(exact, Metric, false) of true -> ":exact"; false -> "" end,
    [Part(Name), $:, Part(maps:get(unit, Metric, count)), word(kind, [level, total, peak, rate], Name, Metric),
     word(better, [none, less, more], Name, Metric), Exact].

%% The first of the known words is the default.
word(Key, [Default | _] = Known, Name, Metric) ->
    Word = maps:get(Key, Metric, Default),
    lists:member(Word, Known) orelse error({bad_metric, Name, Key, Word}),
    [$:, atom_to_list(Word)].
