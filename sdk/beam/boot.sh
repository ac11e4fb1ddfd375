#!/bin/sh
# Starts Elixir: `boot.sh elixir FLAGS boot.exs FILE`. Elixir would load its compiler just to read
# boot.exs, so boot.exs.script runs first. Elixir's launch script splits ELIXIR_ERL_OPTIONS into
# words and does not interpret quotes.
# shellcheck disable=SC2089,SC2090 # these quotes belong to Erlang syntax
ELIXIR_ERL_OPTIONS="${ELIXIR_ERL_OPTIONS-} -eval file:script(hd(init:get_plain_arguments())++\".script\")."
export ELIXIR_ERL_OPTIONS
# If a benchmark uses up the memory, the runtime would write a crash dump of that size into the project.
export ERL_CRASH_DUMP_SECONDS="${ERL_CRASH_DUMP_SECONDS-0}"
exec "$@"
