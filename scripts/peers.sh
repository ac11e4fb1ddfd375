#!/usr/bin/env bash
# The same questions put to other tools. Arguments go to peers/peers.mjs.
set -euo pipefail
cd "$(dirname "$0")/.."
exec node peers/peers.mjs "$@"
