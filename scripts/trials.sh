#!/usr/bin/env bash
# Derny asked for differences that are known. Arguments go to peers/trials.mjs.
set -euo pipefail
cd "$(dirname "$0")/.."
exec node peers/trials.mjs "$@"
