%% What the runtime reports about a turn: a trace of the collections in the process that runs the body.
%% Allocations are the growth of the heap between the end of one collection and the start of the next,
%% off-heap binaries included. The calling process (the session) is the tracer. If the heap is large enough, a
%% turn has only the two forced collections at its ends, and is traced only during them.
-module(derny_trace).
-export([begin_turn/2, end_turn/1, event/1, flags/1, summary/3]).

-type event() :: {minor | major, 'begin' | 'end', Time :: integer(), Info :: [{atom(), integer()}]}.
-type summary() :: #{gc := non_neg_integer(), gc_time_ns := non_neg_integer(), heap_words := integer(), binary_words := integer(),
                     peak_words := integer()}.
-export_type([event/0, summary/0]).

-define(FLAGS, [garbage_collection, monotonic_timestamp]).

%% @doc Starts to trace a process, except in `time_default_heap', where tracing would slow down collections.
begin_turn(_, time_default_heap) -> put(?MODULE, none);
begin_turn(Runner, _) ->
    %% erlang:trace/3 fails if another tracer is active. Then no events are recorded.
    put(?MODULE, try erlang:trace(Runner, true, ?FLAGS) of _ -> [] catch error:badarg -> none end).

%% @doc Returns the flags with which a process calls erlang:trace/3 to pause and resume its own trace by Tracer.
flags(Tracer) -> [{tracer, Tracer} | ?FLAGS].

%% @doc Ends the trace and returns its events, oldest first, or none if unavailable.
end_turn(Runner) ->
    case get(?MODULE) of
        none -> none;
        _ ->
            catch erlang:trace(Runner, false, ?FLAGS),
            delivered(erlang:trace_delivered(Runner), Runner),
            lists:reverse(put(?MODULE, none))
    end.

delivered(Reference, Runner) ->
    receive
        {trace_ts, _, _, _, _} = Event ->
            event(Event),
            delivered(Reference, Runner);
        {trace_delivered, Runner, Reference} -> ok
    end.

%% @doc Stores a trace message if a trace is active.
event({trace_ts, _, Tag, Info, Time}) ->
    case get(?MODULE) of
        none -> ok;
        undefined -> ok;
        Events -> put(?MODULE, [shortened(Tag, Time, Info) | Events])
    end.

%% A long turn with a small heap causes thousands of messages: only the necessary values of each are kept.
shortened(Tag, Time, Info) ->
    Sum = fun(Keys) -> lists:sum([Value || {Key, Value} <- Info, lists:member(Key, Keys)]) end,
    {edge(Tag), Time, Sum([heap_size, old_heap_size, mbuf_size]), Sum([bin_vheap_size, bin_old_vheap_size]),
     Sum([heap_block_size, old_heap_block_size, mbuf_size, bin_vheap_size, bin_old_vheap_size])}.

edge(gc_minor_start) -> 'begin';
edge(gc_major_start) -> 'begin';
edge(_) -> 'end'.

%% @doc Summarises the events of a turn. {From, To} are the start of its first batch and the end of its last
%% one, in native time units. Collections outside {From, To} were forced to determine the use of the heap,
%% as were those that began within an interval of Forced. Forced collections are not counted.
-spec summary(list() | none, {integer(), integer()}, [{integer(), integer()}]) -> summary() | none.
summary(none, _, _) -> none;
summary(Events, {From, To}, Forced) ->
    {Before, Rest} = lists:splitwith(fun({Begin, _}) -> element(2, Begin) < From end, pairs(Events)),
    {Within, After} = lists:splitwith(fun({Begin, _}) -> element(2, Begin) < To end, Rest),
    case {Before, After} of
        {[_ | _], [Last | _]} ->
            Own = [Pair || Pair <- Within, not is_forced(Pair, Forced)],
            All = [lists:last(Before) | Within] ++ [Last],
            #{gc => length(Own), gc_time_ns => lists:sum([time_ns(Pair) || Pair <- Own]),
              heap_words => grown(All, 3), binary_words => grown(All, 4),
              peak_words => lists:max([element(5, Begin) || {Begin, _} <- tl(All)])};
        _ -> none
    end.

%% If a minor collection does not free enough memory, a major one follows at once. Count both as one. The
%% minor one is recognised because the heap does not shrink.
pairs([{'begin', _, Used, _, _} = Begin, {'end', _, More, _, _}, {'begin', _, _, _, _}, {'end', _, _, _, _} = End | Events]) when More > Used ->
    [{Begin, End} | pairs(Events)];
pairs([{'begin', _, _, _, _} = Begin, {'end', _, _, _, _} = End | Events]) -> [{Begin, End} | pairs(Events)];
pairs([_ | Events]) -> pairs(Events);
pairs([]) -> [].

is_forced({Begin, _}, Forced) ->
    Time = element(2, Begin),
    lists:any(fun({From, To}) -> Time >= From andalso Time =< To end, Forced).

time_ns({Begin, End}) -> erlang:convert_time_unit(element(2, End) - element(2, Begin), native, nanosecond).

%% Returns the sum of growth from the end of each collection to the start of the next.
grown([{_, End} | [{Begin, _} | _] = Rest], Element) -> element(Element, Begin) - element(Element, End) + grown(Rest, Element);
grown([_], _) -> 0.
