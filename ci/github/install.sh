#!/usr/bin/env bash
# Puts the engine on the PATH of later steps: DERNY_BINARY, a derny that is already on the PATH, or
# a release. This checkout's install.sh installs the release of its own version, or DERNY_ARCHIVE.
# The SHA-256 must be DERNY_SHA256, or the one that the release states.
set -euo pipefail
folder=$(dirname "${BASH_SOURCE[0]}")
. "$folder/say.sh"

found() {
    "$1/derny" --version || fail "$1/derny does not start"
    echo "$1" >>"$GITHUB_PATH"
}
if [ -n "${DERNY_BINARY:-}" ]; then
    [ -x "$DERNY_BINARY" ] || fail "the input \`binary\` is not a program: $DERNY_BINARY"
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
