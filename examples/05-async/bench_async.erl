-module(bench_async).
-export([benchmarks/0, message/1, process/0]).

benchmarks() ->
    Server = #{setup => fun(_) -> spawn_link(fun answer/0) end, teardown => fun(Pid, _) -> unlink(Pid), exit(Pid, kill) end},
    [{"message", fun ?MODULE:message/1, Server},
     %% By default, one scheduler runs all processes.
     {"message, two schedulers", fun ?MODULE:message/1, Server#{schedulers => 2}},
     {"spawn", fun ?MODULE:process/0}].

answer() ->
    receive {From, Reference} -> From ! Reference end,
    answer().

%% The time covers the request and the answer.
message(Server) ->
    Reference = make_ref(),
    Server ! {self(), Reference},
    receive Reference -> ok end.

process() ->
    {_, Monitor} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Monitor, _, _, Reason} -> Reason end.
