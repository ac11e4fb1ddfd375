#!/usr/bin/env bash
# Compiles all sources with warnings as errors, and checks the formatting of the Mix project.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
status=0
if command -v erlc >/dev/null; then
    mkdir "$place/sdk" "$place/rebar3"
    erlc -Werror -Wall -o "$place/sdk" src/*.erl || status=1
    erlc -Werror -Wall -o "$place/rebar3" rebar3/src/*.erl rebar3/harness/*.erl || status=1
else
    echo "SKIPPED: lint of Erlang, because erlc is missing"
fi
if command -v elixirc >/dev/null && command -v mix >/dev/null; then
    ERL_LIBS='' elixirc --warnings-as-errors -pa "$place/sdk" -o "$place" lib/*.ex lib/*/*.ex lib/*/*/*.ex benchee/*.ex || status=1
    (cd mix && mix format --check-formatted) || status=1
else
    echo "SKIPPED: lint of Elixir, because elixirc or mix is missing"
fi
exit $status
