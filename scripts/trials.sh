#!/usr/bin/env bash
# Derny asked for differences that are known. Arguments go to peers/trials.mjs; with --before, all of them to peers/before.mjs, which holds
# an engine against an older one.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
    --before) exec node peers/before.mjs "$@" ;;
esac
exec node peers/trials.mjs "$@"
