#!/usr/bin/env bash
# Measures known differences with Derny. Arguments go to peers/trials.mjs. With --before, all of them go to
# peers/before.mjs, which compares an engine with an older one.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
    --before) exec node peers/before.mjs "$@" ;;
esac
exec node peers/trials.mjs "$@"
