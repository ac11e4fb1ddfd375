-module(derny_loop_tests).
-include_lib("eunit/include/eunit.hrl").
-export([count/0, count/1]).

count() -> put(calls, get(calls) + 1).

count(Input) ->
    put(calls, get(calls) + 1),
    {Input, get(calls)}.

every_loop_calls_its_body_that_often_test() ->
    Self = fun(N, Input) -> own(N, undefined, Input) end,
    Local = fun(Input) -> count(Input) end,
    [begin
         {_, Loop} = derny_loop:of_body(Body),
         put(calls, 0),
         ?assertEqual({in, 7}, Loop(7, in)),
         ?assertEqual(7, get(calls))
     end || Body <- [fun ?MODULE:count/1, Local, {loop, Self}, fun() -> count(in) end]],
    {_, Loop} = derny_loop:of_body(fun ?MODULE:count/0),
    put(calls, 0),
    ?assertEqual(2, Loop(3, in)),
    ?assertEqual(3, get(calls)).

own(0, Last, _) -> Last;
own(N, _, Input) -> own(N - 1, count(Input), Input).

an_exported_function_is_called_statically_test() ->
    {Kind, Loop} = derny_loop:of_body(fun ?MODULE:count/1),
    ?assertEqual({remote, 1}, Kind),
    ?assertEqual({type, external}, erlang:fun_info(Loop, type)),
    %% The generated module is reused.
    ?assertEqual({Kind, Loop}, derny_loop:of_body(fun ?MODULE:count/1)).

every_kind_has_an_empty_loop_test() ->
    [?assertEqual(ok, (derny_loop:empty(Kind))(3, in)) || Kind <- [inline, {remote, 0}, {remote, 1}, {closure, 0}, {closure, 1}]].

evaluated_bodies_are_known_test() ->
    {ok, Tokens, _} = erl_scan:string("fun() -> ok end."),
    {ok, Expressions} = erl_parse:parse_exprs(Tokens),
    {value, Evaluated, _} = erl_eval:exprs(Expressions, []),
    ?assert(derny_loop:is_evaluated(Evaluated)),
    IsSlow = erlang:system_info(build_type) =/= opt,
    ?assertEqual(IsSlow, derny_loop:is_evaluated(fun() -> ok end)),
    ?assertEqual(IsSlow, derny_loop:is_evaluated(fun ?MODULE:count/0)).

what_is_no_body_is_refused_test() ->
    [?assertThrow(_, derny_loop:of_body(Body)) || Body <- [fun(_, _) -> ok end, 7]].
