#!/usr/bin/env bash
# The same work by Derny and by other tools. Arguments go to peers/peers.mjs; with --scale, the rest to peers/scale.mjs, which holds an
# engine against an older one.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
    --scale) exec node peers/scale.mjs "${@:2}" ;;
esac
exec node peers/peers.mjs "$@"
