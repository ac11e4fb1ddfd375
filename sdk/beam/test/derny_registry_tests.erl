-module(derny_registry_tests).
-include_lib("eunit/include/eunit.hrl").

clean(Act) -> {setup, fun derny_registry:clear/0, fun(_) -> derny_registry:clear() end, Act}.

body() -> fun() -> ok end.

cases(Given, Smallest) -> [{Name, Params} || {#{name := Name}, Params} <- derny_registry:cases(Given, Smallest)].

product_test_() ->
    clean(fun() ->
        derny_registry:add(#{name => "a", body => body(), params => [{n, [1, 2]}, {kind, [x, y]}], filter => fun(P) -> P =/= #{n => 2, kind => y} end}),
        derny_registry:add(#{name => <<"b">>, body => body()}),
        All = [{<<"a">>, [{n, 1}, {kind, x}]}, {<<"a">>, [{n, 1}, {kind, y}]}, {<<"a">>, [{n, 2}, {kind, x}]}, {<<"b">>, []}],
        ?assertEqual(All, cases([], false)),
        ?assertEqual([hd(All), lists:last(All)], cases([], true)),
        ?assertEqual([{<<"a">>, [{n, 5}, {kind, y}]}, {<<"b">>, []}], cases([{<<"n">>, [<<"2">>, <<"5">>]}, {<<"kind">>, [<<"y">>]}], false))
    end).

values_have_the_type_of_the_benchmarks_own_test() ->
    [?assertEqual(#{p => Value}, derny_registry:params(#{name => <<"a">>, params => [{p, Own}]}, [{<<"p">>, Text}])) || {Own, Text, Value} <- [
        {[1, 2], <<"77">>, 77}, {[1, 2], <<"1.5">>, 1.5}, {[a], <<"b">>, b}, {[true], <<"false">>, false}, {[<<"x">>], <<"7">>, <<"7">>},
        {["x"], <<"yé"/utf8>>, "yé"}, {[{1, 2}], <<"{1,2}">>, {1, 2}}, {[[]], <<"[]">>, []}]],
    [?assertThrow(_, derny_registry:params(#{name => <<"a">>, params => [{p, Own}]}, Given)) || {Own, Given} <- [
        {[1], [{<<"p">>, <<"x">>}]}, {[true], [{<<"p">>, <<"1">>}]}, {[{1}], [{<<"p">>, <<"{2}">>}]}, {[1], []}, {[1], [{<<"q">>, <<"1">>}, {<<"p">>, <<"1">>}]}]].

mistakes_are_told_test_() ->
    clean(fun() ->
        derny_registry:add(#{name => "a", body => body()}),
        [?assertThrow(_, derny_registry:add(Benchmark)) || Benchmark <- [
            #{name => "a", body => body()}, #{name => "", body => body()}, #{name => "b", body => body(), parms => []}, #{name => "b", body => none},
            #{name => "b", body => body(), params => [{n, []}]}, #{name => "b", body => body(), params => [{n, [1, a]}]}]],
        derny_registry:replace(#{name => "a", body => body(), tags => ["new"]}),
        ?assertMatch([#{name := <<"a">>, tags := ["new"]}], derny_registry:all())
    end).
