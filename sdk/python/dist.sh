#!/usr/bin/env bash
# dist.sh FOLDER PLATFORM=ENGINE...: builds a wheel for each platform in FOLDER. Each wheel contains
# this SDK, the engine and the command `derny`.
set -euo pipefail
folder=$(realpath "$1")
shift
for each; do
    platform=${each%%=*}
    python3 "$(dirname "$0")/wheel.py" "${each#*=}" "$folder" "${platform%-linux}" >/dev/null
done
