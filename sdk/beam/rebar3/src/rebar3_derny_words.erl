%% Translates the options of `rebar3 bench' to arguments of the engine. Reads no files and starts no
%% programs.
-module(rebar3_derny_words).
-export([options/0, check/1, list/1, modules/1, unwanted/2, measure/1, cover/1, dump/3, names/1]).
-export_type([parsed/0, run/0]).

%% Seconds of warm-up in rebar3_bench, in addition to the given duration.
-define(WARMUP, 3).

-type parsed() :: [{atom(), term()} | atom()].
%% `against' is the name of a stored run. `more' contains the user's own arguments for the engine.
-type run() :: #{files := [string()], excludes := [string()], against => string(), options := parsed(), more := [string()]}.

%% @doc Returns the options for providers:create/1: those of rebar3_bench, and `calls' for coverage. Each has
%% a name, a letter, a word, a type with a default, and a help text.
options() ->
    [{dir, $d, "dir", {string, "test"}, "folder of the benchmark modules in each application"},
     {module, $m, "module", string, "modules to run, separated by commas (default: all bench_*)"},
     {benches, $b, "bench", string, "benchmarks to run, separated by commas (default: all)"},
     {duration, $t, "duration", integer,
      "seconds per benchmark; three more are added for warm-up (default: set in derny.toml, or 10 in total)"},
     {samples, $n, "num-samples", integer, "measured rounds per process (default: as many as needed)"},
     {confidence, undefined, "confidence", integer, "confidence level of intervals, in percent (default: 95)"},
     {cover, $c, "cover", {boolean, false}, "record code coverage instead of measuring; show it with rebar3 cover"},
     {calls, undefined, "calls", {integer, 1000}, "number of calls of each benchmark with --cover"},
     {parameter, $p, "parameter", string, "metric to show: wall_time, memory or reductions (default: all)"},
     {no_stats, undefined, "no-stats", {boolean, false}, "measure and store without printing results"},
     {save_baseline, undefined, "save-baseline", {string, "_tip"}, "name to store the run under"},
     {baseline, undefined, "baseline", {string, "_tip"}, "name of the run to compare with"},
     {callback_style, undefined, "callback-style", string,
      "also write a dump for rebar3_bench with names in this style, new or legacy (benchmarks of both styles run in any case)"}].

%% @doc Returns `ok', or an error message for the first option with an invalid value.
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
check(confidence, Percent) when Percent < 50; Percent > 99 -> {error, "--confidence: must be from 50 to 99"};
check(Key, Count) when (Key =:= duration orelse Key =:= samples orelse Key =:= calls), Count < 1 ->
    {error, ["--", case Key of samples -> "num-samples"; _ -> atom_to_list(Key) end, ": must be at least 1"]};
check(_, _) -> ok.

metric("wall_time") -> "time";
metric("wall-time") -> "time";
metric("memory") -> "allocated";
metric("reductions") -> "reductions";
metric(_) -> unknown.

%% @doc Returns the names in a comma-separated list, or `any' if no list is given.
-spec modules(string() | undefined) -> [string()] | any.
modules(undefined) -> any;
modules(Text) -> string:lexemes(Text, ", ").

%% @doc Returns the engine's arguments that list all benchmarks of the given files.
list(Files) -> ["list", "--format", "plain" | Files].

%% @doc Returns the `suite/benchmark' names that were not requested, and the requested ones that do not exist.
%% A requested name may be written as in rebar3_bench, with or without `bench_'.
-spec unwanted([string()], [string()] | any) -> {Unwanted :: [string()], Missing :: [string()]}.
unwanted(_, any) -> {[], []};
unwanted(Listed, Wanted) ->
    Short = fun(Name) -> lists:last(string:split(Name, "/", trailing)) end,
    Is = fun(Name, Asked) -> Short(Name) =:= Asked orelse "bench_" ++ Short(Name) =:= Asked end,
    {[Name || Name <- Listed, not lists:any(fun(Asked) -> Is(Name, Asked) end, Wanted)],
     [Asked || Asked <- Wanted, not lists:any(fun(Name) -> Is(Name, Asked) end, Listed)]}.

%% @doc Returns the engine's arguments for a measurement.
-spec measure(run()) -> [string()].
measure(#{options := Options, more := More} = Run) ->
    {Save, _} = names(Options),
    Of = fun(Key, Words) -> case proplists:get_value(Key, Options) of undefined -> []; Value -> Words(Value) end end,
    Against = case Run of #{against := Name} -> ["--against", Name]; _ -> [] end,
    Budget = fun(Seconds) -> ["--budget", integer_to_list(Seconds + ?WARMUP) ++ "s"] end,
    Number = fun(Key) -> fun(Value) -> ["--set", Key ++ "=" ++ integer_to_list(Value)] end end,
    Metric = fun(Parameter) -> ["--set", "metrics=" ++ metric(Parameter)] end,
    Settings = [{duration, Budget}, {samples, Number("rounds")}, {confidence, Number("confidence")}, {parameter, Metric}],
    ["run"] ++ selected(Run) ++ lists:append([Of(Key, Words) || {Key, Words} <- Settings]) ++ ["--save", Save] ++ Against ++ More.

%% @doc Returns the engine's arguments that write a dump of a run for rebar3_bench.
-spec dump(string(), string(), string()) -> [string()].
dump(Run, Style, File) ->
    ["export", Run, "--format", case Style of "new" -> "rebar3-bench-new"; "legacy" -> "rebar3-bench" end, "--output", File].

%% @doc Returns the engine's arguments for a run that records coverage.
-spec cover(run()) -> [string()].
cover(#{options := Options, more := More} = Run) ->
    ["run", "--once", "--cover=" ++ integer_to_list(proplists:get_value(calls, Options, 1000))] ++ selected(Run) ++ More.

selected(#{files := Files, excludes := Excludes}) -> Files ++ lists:append([["--exclude", "**" ++ Name] || Name <- Excludes]).

%% @doc Returns the name to store a run under, and the names under which to look for a baseline. The default
%% name is `_tip'. A run of selected benchmarks adds their names to it, so that it does not replace a run of
%% all benchmarks.
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
