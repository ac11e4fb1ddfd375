#!/usr/bin/env bash
# All tests of this SDK; conformance needs an engine (DERNY_BIN, or derny on the PATH).
set -uo pipefail
cd "$(dirname "$0")"
derny=${DERNY_BIN:-derny}
status=0

# The launch line of sdk.toml.
erlang=(erl +S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none -noinput -boot no_dot_erlang
    -eval "[Sdk, File] = init:get_plain_arguments(), {ok, Mark} = file:script(Sdk ++ \"/boot.script\", [{'Sdk', Sdk}]), derny_main:erlang_file(File, Mark)."
    -extra "$PWD")

"$derny" conform -- "${erlang[@]}" "$PWD/conformance/conform_bench.erl" || status=1
escript rebar3/test/run.escript || status=1
elixir mix/test/run.exs || status=1
exit $status
