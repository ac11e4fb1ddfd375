%% The bodies that Derny and the plain loop call. Each takes the input that input/1 creates for it.
-module(bench_truth).
-export([benchmarks/0, input/1]).
-export([objects/1, buffer/1, strings/1, join/1, builder/1, map/1, sort/1, parse/1, closures/1, stream/1]).
-export([sum/1, mix/1, search/1, matrix/1]).

-define(SIZE, 1000).
-define(RANK, 16).

benchmarks() ->
    Names = [objects, buffer, strings, join, builder, map, sort, parse, closures, stream, sum, mix, search, matrix],
    [{atom_to_list(Name), fun ?MODULE:Name/1, #{setup => fun(_) -> input(Name) end}} || Name <- Names].

%% Creates the input once, before any timing.
input(buffer) -> 64 * 1024;
input(join) -> [<<"word", (integer_to_binary(I))/binary>> || I <- lists:seq(0, ?SIZE - 1)];
input(parse) -> iolist_to_binary(lists:join($,, [integer_to_list(N) || N <- shuffled()]));
input(mix) -> {?SIZE, 88172645463325};
input(search) -> {list_to_tuple(lists:seq(0, ?SIZE - 1)), shuffled()};
input(matrix) -> {matrix_of(7), matrix_of(5)};
input(_) -> shuffled().

shuffled() -> [I * 7919 rem ?SIZE || I <- lists:seq(0, ?SIZE - 1)].

matrix_of(N) -> [[(Row * ?RANK + Column) rem N || Column <- lists:seq(0, ?RANK - 1)] || Row <- lists:seq(0, ?RANK - 1)].

objects(Numbers) -> [{N, N + 1} || N <- Numbers].

buffer(Size) -> <<1, 0:((Size - 1) * 8)>>.

strings(Numbers) -> [integer_to_binary(N) || N <- Numbers].

join(Words) -> iolist_to_binary(lists:join(" ", Words)).

builder(Numbers) -> append(Numbers, <<>>).

append([N | Rest], Text) -> append(Rest, <<Text/binary, (integer_to_binary(N))/binary, $;>>);
append([], Text) -> Text.

map(Numbers) -> lists:foldl(fun(N, Map) -> Map#{N => N} end, #{}, Numbers).

sort(Numbers) -> lists:sort(Numbers).

parse(Text) -> [binary_to_integer(Word) || Word <- binary:split(Text, <<",">>, [global])].

closures(Numbers) ->
    Functions = [fun(Total) -> Total bxor N end || N <- Numbers],
    lists:foldl(fun(Function, Total) -> Function(Total) end, 0, Functions).

stream(Numbers) ->
    Tripled = lists:map(fun(N) -> N * 3 end, Numbers),
    lists:foldl(fun(N, Total) -> N + Total end, 0, lists:filter(fun(N) -> N rem 2 =:= 0 end, Tripled)).

sum(Numbers) -> lists:sum(Numbers).

%% 48 bits, shifted by at most 8. Numbers below 2^59 need no memory on the heap.
mix({Steps, State}) -> mix(Steps, State).

mix(0, State) -> State;
mix(Steps, State0) ->
    State1 = State0 bxor ((State0 bsl 7) band 16#FFFFFFFFFFFF),
    State2 = State1 bxor (State1 bsr 9),
    mix(Steps - 1, State2 bxor ((State2 bsl 8) band 16#FFFFFFFFFFFF)).

search({Sorted, Wanted}) -> places(Wanted, Sorted, 0).

places([Value | Rest], Sorted, Total) -> places(Rest, Sorted, Total + place(Value, Sorted, 1, tuple_size(Sorted)));
places([], _, Total) -> Total.

place(_, _, Low, High) when Low >= High -> Low;
place(Value, Sorted, Low, High) ->
    Middle = (Low + High) bsr 1,
    case element(Middle, Sorted) < Value of
        true -> place(Value, Sorted, Middle + 1, High);
        false -> place(Value, Sorted, Low, Middle)
    end.

%% Multiplies the rows of one matrix with the rows of the other, which represent its columns. There
%% is no array to write into. All cells are combined to one number, so that nothing is allocated.
matrix({Left, Right}) -> rows(Left, Right, 0).

rows([Row | Rest], Right, Total) -> rows(Rest, Right, columns(Row, Right, Total));
rows([], _, Total) -> Total.

columns(Row, [Column | Rest], Total) -> columns(Row, Rest, Total bxor cell(Row, Column, 0));
columns(_, [], Total) -> Total.

cell([A | Row], [B | Column], Total) -> cell(Row, Column, Total + A * B);
cell([], [], Total) -> Total.
