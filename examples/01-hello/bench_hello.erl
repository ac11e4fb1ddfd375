-module(bench_hello).
-export([benchmarks/0, join/1, concatenate/1]).

benchmarks() ->
    Words = [<<"word", (integer_to_binary(I))/binary>> || I <- lists:seq(0, 99)],
    [{Name, Body, #{setup => fun(_) -> Words end}} || {Name, Body} <- [{"join", fun ?MODULE:join/1}, {"concatenate", fun ?MODULE:concatenate/1}]].

join(Words) -> iolist_to_binary(lists:join(" ", Words)).

concatenate([First | Rest]) -> lists:foldl(fun(Word, Text) -> <<Text/binary, " ", Word/binary>> end, First, Rest).
