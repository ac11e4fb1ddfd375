%% Translates the options of `rebar3 bench' to arguments of the engine. Pure: reads no file and starts
%% nothing.
-module(rebar3_derny_words).
-export([options/0, check/1, list/1, modules/1, unwanted/2, measure/1, cover/1, dump/3, names/1]).
-export_type([parsed/0, run/0]).

%% Seconds of warm-up in rebar3_bench, in addition to the given duration.
-define(WARMUP, 3).

-type parsed() :: [{atom(), term()} | atom()].
%% `against' is the name of a stored run; `more' are the user's own arguments for the engine.
-type run() :: #{files := [string()], excludes := [string()], against => string(), options := parsed(), more := [string()]}.

%% @doc For providers:create/1: name, letter, word, type with default, help. Those of rebar3_bench, and `calls' for coverage.
options() ->
    [{dir, $d, "dir", {string, "test"}, "directory of the benchmark modules, in every application"},
     {module, $m, "module", string, "names of the modules to run, parted by commas (default: all bench_*)"},
     {benches, $b, "bench", string, "names of the benchmarks to run, parted by commas (default: all)"},
     {duration, $t, "duration", integer,
      "seconds for a benchmark, to which three for warming up are added (default: as in derny.toml, or 10 in total)"},
     {samples, $n, "num-samples", integer, "measured rounds in every process (default: as many as needed)"},
     {confidence, undefined, "confidence", integer, "confidence of intervals in percent (default: 95)"},
     {cover, $c, "cover", {boolean, false}, "measure nothing, report the code that the benchmarks cover: see rebar3 cover"},
     {calls, undefined, "calls", {integer, 1000}, "with --cover: calls of each benchmark"},
     {parameter, $p, "parameter", string, "what to show: wall_time, memory or reductions (default: all)"},
     {no_stats, undefined, "no-stats", {boolean, false}, "only measure and store"},
     {save_baseline, undefined, "save-baseline", {string, "_tip"}, "remember the run under this name"},
     {baseline, undefined, "baseline", {string, "_tip"}, "compare with the run of this name"},
     {callback_style, undefined, "callback-style", string,
      "new or legacy: write a dump for rebar3_bench too, with its names in this style (both are found without it)"}].

%% @doc `ok', or a sentence about an invalid combination.
-spec check(parsed()) -> ok | {error, unicode:chardata()}.
check(Options) ->
    Wrong = [Sentence || {Key, Value} <- Options, {error, Sentence} <- [check(Key, Value)]],
    case Wrong of
        [] -> ok;
        [First | _] -> {error, First}
    end.

check(callback_style, Style) when Style =/= "new", Style =/= "legacy" ->
    {error, ["--callback-style: ", Style, " is neither new nor legacy"]};
check(parameter, Parameter) ->
    case metric(Parameter) of
        unknown -> {error, ["--parameter: ", Parameter, " is not one of wall_time, memory, reductions"]};
        _ -> ok
    end;
check(confidence, Percent) when Percent < 50; Percent > 99 -> {error, "--confidence: from 50 to 99"};
check(Key, Count) when (Key =:= duration orelse Key =:= samples orelse Key =:= calls), Count < 1 ->
    {error, ["--", case Key of samples -> "num-samples"; _ -> atom_to_list(Key) end, ": at least 1"]};
check(_, _) -> ok.

metric("wall_time") -> "time";
metric("wall-time") -> "time";
metric("memory") -> "allocated";
metric("reductions") -> "reductions";
metric(_) -> unknown.

%% @doc The names of a comma-separated list; `any' if none is given.
-spec modules(string() | undefined) -> [string()] | any.
modules(undefined) -> any;
modules(Text) -> string:lexemes(Text, ", ").

%% @doc Lists all names.
list(Files) -> ["list", "--format", "plain" | Files].

%% @doc Returns the `suite/benchmark' names that were not requested, and the requested ones that do not exist. A name may be that
%% of rebar3_bench, with or without `bench_'.
-spec unwanted([string()], [string()] | any) -> {Unwanted :: [string()], Missing :: [string()]}.
unwanted(_, any) -> {[], []};
unwanted(Listed, Wanted) ->
    Short = fun(Name) -> lists:last(string:split(Name, "/", trailing)) end,
    Is = fun(Name, Asked) -> Short(Name) =:= Asked orelse "bench_" ++ Short(Name) =:= Asked end,
    {[Name || Name <- Listed, not lists:any(fun(Asked) -> Is(Name, Asked) end, Wanted)],
     [Asked || Asked <- Wanted, not lists:any(fun(Name) -> Is(Name, Asked) end, Listed)]}.

%% @doc Arguments of a run that measures.
-spec measure(run()) -> [string()].
measure(#{options := Options, more := More} = Run) ->
    {Save, _} = names(Options),
    Of = fun(Key, Words) -> case proplists:get_value(Key, Options) of undefined -> []; Value -> Words(Value) end end,
    Against = case Run of #{against := Name} -> ["--against", Name]; _ -> [] end,
    Budget = fun(Seconds) -> ["--budget", integer_to_list(Seconds + ?WARMUP) ++ "s"] end,
    Number = fun(Flag) -> fun(Value) -> [Flag, integer_to_list(Value)] end end,
    Metric = fun(Parameter) -> ["--metric", metric(Parameter)] end,
    Settings = [{duration, Budget}, {samples, Number("--rounds")}, {confidence, Number("--confidence")}, {parameter, Metric}],
    ["run"] ++ selected(Run) ++ lists:append([Of(Key, Words) || {Key, Words} <- Settings]) ++ ["--save", Save] ++ Against ++ More.

%% @doc Arguments that write a dump of a run for rebar3_bench.
-spec dump(string(), string(), string()) -> [string()].
dump(Run, Style, File) ->
    ["export", Run, "--format", case Style of "new" -> "rebar3-bench-new"; "legacy" -> "rebar3-bench" end, "--output", File].

%% @doc Arguments of a run for coverage.
-spec cover(run()) -> [string()].
cover(#{options := Options, more := More} = Run) ->
    ["run", "--once", "--cover=" ++ integer_to_list(proplists:get_value(calls, Options, 1000))] ++ selected(Run) ++ More.

selected(#{files := Files, excludes := Excludes}) -> Files ++ lists:append([["--exclude", "**" ++ Name] || Name <- Excludes]).

%% @doc Returns the name to store a run under, and the names to look for a baseline under. A partial run has its own `_tip',
%% so that it does not replace a full one.
-spec names(parsed()) -> {Save :: string(), Baselines :: [string()]}.
names(Options) ->
    Part = [Text || Key <- [module, benches], Text <- [proplists:get_value(Key, Options)], Text =/= undefined],
    Plain = fun(Text) -> [case is_plain(C) of true -> C; false -> $- end || C <- Text] end,
    Tip = lists:flatten(lists:join("-", ["_tip" | [Plain(Text) || Text <- Part]])),
    Save = case proplists:get_value(save_baseline, Options, "_tip") of "_tip" -> Tip; Name -> Name end,
    case proplists:get_value(baseline, Options, "_tip") of
        "_tip" -> {Save, lists:uniq([Tip, "_tip"])};
        Named -> {Save, [Named]}
    end.

is_plain(C) -> (C >= $a andalso C =< $z) orelse (C >= $A andalso C =< $Z) orelse (C >= $0 andalso C =< $9) orelse C =:= $_.
