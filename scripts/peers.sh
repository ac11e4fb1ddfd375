#!/usr/bin/env bash
# The same questions put to other tools. Arguments go to peers/peers.mjs; with --scale, the rest to peers/scale.mjs, which holds an
# engine against an older one; with --copies, the rest to peers/copies.mjs, which has identical copies measured.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
    --scale) exec node peers/scale.mjs "${@:2}" ;;
    --copies) exec node peers/copies.mjs "${@:2}" ;;
esac
exec node peers/peers.mjs "$@"
