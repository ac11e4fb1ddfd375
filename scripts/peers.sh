#!/usr/bin/env bash
# Measures the same work with Derny and other tools. Arguments go to peers/peers.mjs. With --scale, the rest
# go to peers/scale.mjs, which compares an engine with an older one.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
    --scale) exec node peers/scale.mjs "${@:2}" ;;
esac
exec node peers/peers.mjs "$@"
