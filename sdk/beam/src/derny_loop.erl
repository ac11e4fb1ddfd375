%% The timed loops. Each is a recursive function, and the call of the body is an argument of the recursive call.
%% The compiler cannot remove the body, because its result is used. This module reads no clock.
-module(derny_loop).
-export([of_body/1, empty/1, is_evaluated/1]).
%% The empty bodies of remote0/2 and remote1/3, which call them as exported functions.
-export([nothing/0, nothing/1]).
-export_type([loop/0, kind/0]).

%% Calls the body `Iterations' times with the input, and returns the last result.
-type loop() :: fun((Iterations :: non_neg_integer(), Input :: term()) -> term()).
%% How a loop calls its body, which determines the overhead: `inline' has no call, `remote' calls an
%% exported function statically, and `closure' calls a local fun. The number is the arity.
-type kind() :: inline | {remote, 0 | 1} | {closure, 0 | 1}.

%% @doc Returns the loop of a body. `{loop, Loop}' is one already. A fun has no argument, or one: the input.
%% For an exported function (`fun M:F/A') a module with its own loop is generated, in which a call is as cheap
%% as a local one. Calling any other fun costs about 8 ns more.
-spec of_body({loop, loop()} | fun(() -> term()) | fun((term()) -> term())) -> {kind(), loop()}.
of_body({loop, Loop}) when is_function(Loop, 2) -> {inline, Loop};
of_body(Body) when is_function(Body, 0); is_function(Body, 1) ->
    {arity, Arity} = erlang:fun_info(Body, arity),
    case erlang:fun_info(Body, type) of
        {type, external} -> {{remote, Arity}, generated(Body, Arity)};
        {type, local} when Arity =:= 0 -> {{closure, 0}, fun(N, _) -> closure0(N, undefined, Body) end};
        {type, local} -> {{closure, 1}, fun(N, Input) -> closure1(N, undefined, Body, Input) end}
    end;
of_body(_) -> throw("a body must be a fun with no argument or one argument").

%% @doc Returns the same kind of loop with an empty body.
-spec empty(kind()) -> loop().
empty(inline) -> fun(N, Input) -> inline(N, undefined, Input) end;
empty({remote, 0}) -> fun(N, _) -> remote0(N, undefined) end;
empty({remote, 1}) -> fun(N, Input) -> remote1(N, undefined, Input) end;
empty({closure, 0}) -> fun(N, _) -> closure0(N, undefined, fun() -> ok end) end;
empty({closure, 1}) -> fun(N, Input) -> closure1(N, undefined, fun(_) -> ok end, Input) end.

%% @doc Returns true if calls of a body are unusually slow: they are made by an evaluator (the shell, or a
%% script that is not compiled), or the emulator is not an optimised build.
is_evaluated(Body) ->
    is_slow_emulator() orelse (is_function(Body) andalso erlang:fun_info(Body, module) =:= {module, erl_eval}).

is_slow_emulator() -> erlang:system_info(build_type) =/= opt.

inline(0, Last, _) -> Last;
inline(N, _, Input) -> inline(N - 1, ok, Input).

closure0(0, Last, _) -> Last;
closure0(N, _, Body) -> closure0(N - 1, Body(), Body).

closure1(0, Last, _, _) -> Last;
closure1(N, _, Body, Input) -> closure1(N - 1, Body(Input), Body, Input).

remote0(0, Last) -> Last;
remote0(N, _) -> remote0(N - 1, ?MODULE:nothing()).

remote1(0, Last, _) -> Last;
remote1(N, _, Input) -> remote1(N - 1, ?MODULE:nothing(Input), Input).

nothing() -> ok.

nothing(_) -> ok.

%% Returns a loop like remote0 or remote1 that calls Body. Its module is generated once per body.
generated(Body, Arity) ->
    [{module, M}, {name, F}] = [erlang:fun_info(Body, Key) || Key <- [module, name]],
    {module, M} = code:ensure_loaded(M),
    Module = list_to_atom(lists:flatten(io_lib:format("derny_loop ~ts:~ts/~b", [M, F, Arity]))),
    erlang:module_loaded(Module) orelse load(Module, M, F, Arity),
    fun Module:loop/2.

load(Module, M, F, Arity) ->
    Input = [{var, 1, 'Input'} || Arity =:= 1],
    Call = {call, 1, {remote, 1, {atom, 1, M}, {atom, 1, F}}, Input},
    Again = {call, 1, {atom, 1, again}, [{op, 1, '-', {var, 1, 'N'}, {integer, 1, 1}}, Call | Input]},
    Begin = {call, 1, {atom, 1, again}, [{var, 1, 'N'}, {atom, 1, undefined} | Input]},
    Unused = [{var, 1, '_'} || Arity =:= 1],
    Forms = [
        {attribute, 1, module, Module},
        {attribute, 1, export, [{loop, 2}]},
        {function, 1, loop, 2, [{clause, 1, [{var, 1, 'N'}, {var, 1, case Arity of 1 -> 'Input'; 0 -> '_' end}], [], [Begin]}]},
        {function, 1, again, 2 + Arity, [
            {clause, 1, [{integer, 1, 0}, {var, 1, 'Last'} | Unused], [], [{var, 1, 'Last'}]},
            {clause, 1, [{var, 1, 'N'}, {var, 1, '_'} | Input], [], [Again]}
        ]}
    ],
    Binary = derny_compiled:binary(Forms, fun() -> {ok, Module, Made} = compile:forms(Forms, []), Made end),
    {module, Module} = code:load_binary(Module, "derny", Binary),
    true.
