#!/usr/bin/env bash
# The same questions put to other tools. Arguments go to peers/peers.mjs; with --scale, the rest to peers/scale.mjs, which holds an
# engine against an older one.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = --scale ]; then
    exec node peers/scale.mjs "${@:2}"
fi
exec node peers/peers.mjs "$@"
