#!/usr/bin/env bash
# dist.sh FOLDER PLATFORM=ENGINE...: for each platform the wheel of this SDK with the engine inside and the command `derny`, in FOLDER.
set -euo pipefail
folder=$(realpath "$1")
shift
for each; do
    platform=${each%%=*}
    python3 "$(dirname "$0")/wheel.py" "${each#*=}" "$folder" "${platform%-linux}" >/dev/null
done
