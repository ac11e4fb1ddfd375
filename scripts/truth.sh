#!/usr/bin/env bash
cd "$(dirname "$0")/.." || exit
exec node truth/truth.mjs "$@"
