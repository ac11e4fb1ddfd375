#!/usr/bin/env bash
# All tests of this SDK; conformance needs an engine (DERNY_BIN, or derny on the PATH).
set -uo pipefail
cd "$(dirname "$0")" || exit 1
derny=${DERNY_BIN:-derny}
status=0

# The launch lines of sdk.toml.
quiet=(+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none)
erlang=(erl "${quiet[@]}" -noinput -boot no_dot_erlang
    -eval "[Sdk, File] = init:get_plain_arguments(), {ok, Mark} = file:script(Sdk ++ \"/boot.script\", [{'Sdk', Sdk}]), derny_main:erlang_file(File, Mark)."
    -extra "$PWD")
elixir=(sh "$PWD/boot.sh" elixir --erl "${quiet[*]}" "$PWD/boot.exs")

escript test/run.escript || status=1
elixir test/run.exs || status=1
"$derny" conform -- "${erlang[@]}" "$PWD/conformance/conform_bench.erl" || status=1
# The conversation is the same code: of the other program, all that its own layer has a part in. (`derny conform` without a word plays all.)
for word in list open error exceptions count setup hash print; do
    "$derny" conform "$word" -- "${elixir[@]}" "$PWD/conformance/conform_bench.exs" || status=1
done

# A shell that is measured while it is running, and goes on: report and JSON come back.
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
shell() { # shell PROGRAM: what is said on standard input
    (cd "$place" && DERNY_BIN=$(command -v "$derny") timeout 120 "$@" 2>"$place/log")
}
elixir_session() {
    echo ":file.script(~c\"$PWD/boot.script\", Sdk: ~c\"$PWD\")"
    echo "Kernel.ParallelCompiler.compile(Path.wildcard(\"$PWD/lib/**/*.ex\"))"
    echo 'defmodule Shell do use Derny; bench "sum", n: [10], do: Enum.sum(1..n) end'
    echo 'defmodule Shell do use Derny; bench "sum", n: [10, 20], do: Enum.sum(1..n) end'
    echo 'Derny.run(["--quick", "--budget", "1s", "-p", "n=30"])'
    echo 'IO.puts("json #{elem(Derny.attach(["nosuch"]), 1)}, alive")'
}
erlang_session() {
    echo "file:script(\"$PWD/boot.script\", [{'Sdk', \"$PWD\"}])."
    echo 'derny_registry:add(#{name => "sum", body => fun() -> lists:sum([1, 2, 3]) end}).'
    echo 'derny:run(["--quick", "--budget", "1s"]), io:format("alive~n").'
}
passed=0 failed=0
for language in elixir erlang; do
    program=$([ $language = elixir ] && echo iex || echo erl)
    said=$(${language}_session | shell "$program")
    if grep -q 'in 1 process' <<<"$said" && grep -q alive <<<"$said" && grep -q 'sum' <<<"$said"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1)) status=1
        printf 'FAILED   derny attach from %s\n%s\n' "$program" "$said"
        cat "$place/log"
    fi
done
echo "$passed passed, $failed failed"

escript rebar3/test/run.escript || status=1
elixir mix/test/run.exs || status=1
exit $status
