#!/bin/sh
# Starts Elixir: `boot.sh elixir FLAGS boot.exs FILE`. Elixir's own start loads its compiler, for boot.exs alone. So boot.exs.script
# comes before it. The words are split by Elixir's script, which leaves nothing quoted.
# shellcheck disable=SC2089,SC2090 # the quotes are Erlang's
ELIXIR_ERL_OPTIONS="${ELIXIR_ERL_OPTIONS-} -eval file:script(hd(init:get_plain_arguments())++\".script\")."
export ELIXIR_ERL_OPTIONS
exec "$@"
