#!/usr/bin/env bash
# Runs all tests of this SDK. Conformance needs an engine (DERNY_BIN, or derny on the PATH).
set -uo pipefail
cd "$(dirname "$0")" || exit 1
sdk=$PWD
. ../../tests/checks.sh

# The flags of the launch commands in sdk.toml.
quiet=(+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none)
erlang=(erl "${quiet[@]}" -noinput -boot no_dot_erlang
    -eval "[Sdk, File] = init:get_plain_arguments(), {ok, Mark} = file:script(Sdk ++ \"/boot.script\", [{'Sdk', Sdk}]), derny_main:erlang_file(File, Mark)."
    -extra "$PWD")
elixir=(sh "$PWD/boot.sh" elixir --erl "${quiet[*]}" "$PWD/boot.exs")

escript test/run.escript || status=1
elixir test/run.exs || status=1
"$DERNY_BIN" dev conform -- "${erlang[@]}" "$PWD/conformance/conform_bench.erl" || status=1
# The Elixir program uses the same code for the conversation, so only the checks that the Elixir layer
# can affect are run. (`derny dev conform` without arguments runs all.)
for word in list open error exceptions count setup hash print; do
    "$DERNY_BIN" dev conform "$word" -- "${elixir[@]}" "$PWD/conformance/conform_bench.exs" || status=1
done

# Measures benchmarks in a running shell, which continues afterwards and receives the report and
# JSON.
shell() { # shell PROGRAM: runs an interactive shell, which reads its commands from standard input
    timeout 120 "$@" 2>"$place/errors"
}
elixir_session() {
    echo ":file.script(~c\"$sdk/boot.script\", Sdk: ~c\"$sdk\")"
    echo "Kernel.ParallelCompiler.compile(Path.wildcard(\"$sdk/lib/**/*.ex\"))"
    echo 'defmodule Shell do use Derny; bench "sum", n: [10], do: Enum.sum(1..n) end'
    echo 'defmodule Shell do use Derny; bench "sum", n: [10, 20], do: Enum.sum(1..n) end'
    echo 'Derny.run(["--quick", "--budget", "1s", "-p", "n=30"])'
    echo 'IO.puts("json #{elem(Derny.attach(["nosuch"]), 1)}, alive")'
}
erlang_session() {
    echo "file:script(\"$sdk/boot.script\", [{'Sdk', \"$sdk\"}])."
    echo 'derny_registry:add(#{name => "sum", body => fun() -> lists:sum([1, 2, 3]) end}).'
    echo 'derny:run(["--quick", "--budget", "1s"]), io:format("alive~n").'
}
attaches() { # attaches LANGUAGE PROGRAM: measures in the program's shell, which must continue afterwards
    local said text
    said=$("$1_session" | shell "$2")
    echo "$said"
    cat "$place/errors"
    for text in 'in 1 process' alive sum; do grep -q "$text" <<<"$said" || return 1; done
}
check "derny dev attach from iex" attaches elixir iex
check "derny dev attach from erl" attaches erlang erl

# Benchee scripts and jobs that fail in different ways. The other jobs must still be measured.
project=$place/benchee
mkdir -p "$project" "$place/libraries/benchee/ebin"
elixirc -o "$place/libraries/benchee/ebin" test/benchee/lib/benchee.ex >"$place/log" 2>&1 || status=1
cat >"$project/jobs.exs" <<'E'
forever = fn forever -> forever.(forever) end
Benchee.run(%{"works" => fn -> 1 end, "never ends" => fn -> forever.(forever) end, "raises" => fn -> raise "no" end, "exits" => fn -> exit(:no) end,
  "ends its process" => fn -> Process.exit(self(), :kill) end, "halts" => fn -> System.halt(2) end})
E
printf 'Benchee.run(%%{"a" => fn -> 1 end})\nSystem.halt(0)\n' >"$project/halts.exs"
echo 'Benchee.run(%{"b" => fn -> 1 end}, tiem: 1)' >"$project/unknown.exs"
fails_alone() { # fails_alone: the jobs that work pass, and each failure is an error of its own
    local said
    said=$(ERL_LIBS="$place/libraries" "$DERNY_BIN" run --once --set timeout=10s 2>&1)
    echo "$said"
    grep -qF "2 passed, 5 failed, 1 not listed" <<<"$said" && [ "$(grep -c '^error ' <<<"$said")" = 6 ]
}
check "Benchee: each failure costs its own job or file only" fails_alone
sum

escript rebar3/test/run.escript || status=1
elixir mix/test/run.exs || status=1
exit $status
