#!/bin/sh
# Starts Elixir: `boot.sh elixir FLAGS boot.exs FILE`. Elixir would load its compiler just to read
# boot.exs, so boot.exs.script runs first. Elixir's launch script splits ELIXIR_ERL_OPTIONS into
# words and does not interpret quotes.
# shellcheck disable=SC2089,SC2090 # these quotes belong to Erlang syntax
ELIXIR_ERL_OPTIONS="${ELIXIR_ERL_OPTIONS-} -eval file:script(hd(init:get_plain_arguments())++\".script\")."
export ELIXIR_ERL_OPTIONS
# By default, the runtime writes no crash dump. If a benchmark exhausts memory, the dump would be as
# large, and it would be written into the project.
export ERL_CRASH_DUMP_SECONDS="${ERL_CRASH_DUMP_SECONDS-0}"
exec "$@"
