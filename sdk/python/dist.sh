#!/usr/bin/env bash
# dist.sh ENGINE FOLDER NAME: the wheel of this SDK with the engine inside and the command `derny`, in FOLDER. Its name is fixed by the
# format: NAME is not in it.
set -euo pipefail
engine=$(realpath "$1") folder=$(realpath "$2")
cd "$(dirname "$0")"
python3 wheel.py "$engine" "$folder" >/dev/null
