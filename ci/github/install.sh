#!/usr/bin/env bash
# Puts the engine on the PATH of later steps: DERNY_BINARY, what is on the PATH already, or DERNY_ARCHIVE, whose SHA-256 must be
# DERNY_CHECKSUM. The archive is an address or a path.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/say.sh"

found() {
    "$1/derny" --version || fail "$1/derny does not start"
    echo "$1" >>"$GITHUB_PATH"
}
if [ -n "${DERNY_BINARY:-}" ]; then
    [ -x "$DERNY_BINARY" ] || fail "the input binary names $DERNY_BINARY, which is no program"
    folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/derny-bin.XXXX")
    ln -s "$(realpath "$DERNY_BINARY")" "$folder/derny"
    found "$folder"
elif command -v derny; then
    derny --version
elif [ -n "${DERNY_ARCHIVE:-}" ]; then
    [ -n "${DERNY_CHECKSUM:-}" ] || fail "an archive needs the input checksum: the SHA-256 that SHA256SUMS of the release has"
    folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/derny-bin.XXXX")
    case $DERNY_ARCHIVE in
        http://* | https://*) curl -fsSL --retry 3 "$DERNY_ARCHIVE" -o "$folder/archive" || fail "$DERNY_ARCHIVE cannot be fetched" ;;
        *) cp "$DERNY_ARCHIVE" "$folder/archive" || fail "there is no archive $DERNY_ARCHIVE" ;;
    esac
    echo "${DERNY_CHECKSUM%% *}  $folder/archive" | sha256sum --check --quiet - ||
        fail "the archive $DERNY_ARCHIVE is not the one of the checksum ${DERNY_CHECKSUM%% *}"
    tar -C "$folder" --strip-components=1 -xzf "$folder/archive"
    rm "$folder/archive"
    found "$folder"
else
    fail "there is no engine: name one with the input binary, put it on the PATH, or give the inputs archive and checksum"
fi
