#!/usr/bin/env bash
# Puts the engine on the PATH of later steps: DERNY_BINARY, what is on the PATH already, or the release that install.sh of this checkout installs:
# that of its version, or DERNY_ARCHIVE. Its SHA-256 must be DERNY_SHA256, or else what the release states.
set -euo pipefail
folder=$(dirname "${BASH_SOURCE[0]}")
. "$folder/say.sh"

found() {
    "$1/derny" --version || fail "$1/derny does not start"
    echo "$1" >>"$GITHUB_PATH"
}
if [ -n "${DERNY_BINARY:-}" ]; then
    [ -x "$DERNY_BINARY" ] || fail "the input binary names $DERNY_BINARY, which is no program"
    place=$(mktemp -d "${RUNNER_TEMP:-/tmp}/derny-bin.XXXX")
    ln -s "$(realpath "$DERNY_BINARY")" "$place/derny"
    found "$place"
elif command -v derny; then
    derny --version
else
    place=$(mktemp -d "${RUNNER_TEMP:-/tmp}/derny-bin.XXXX")
    said=$(PREFIX=$place "$folder/../../install.sh" 2>&1) || fail "$said"
    found "$place/bin"
fi
