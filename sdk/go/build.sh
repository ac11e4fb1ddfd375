#!/bin/sh
# Builds the test binary of one package for the engine. Usage:
#
#     build.sh SDK TOOLCHAIN PACKAGE-FOLDER OUT [-program] [ARGUMENTS OF go test -c]
#
# The builder is a Go program, which this script compiles before its first use.
set -e
sdk=$1 toolchain=$2 folder=$3 out=$4
shift 4
program=
[ "$1" = -program ] && program=$1 && shift
cache=${DERNY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/derny}/go
builder=$cache/build-$(basename "$(dirname "$sdk")")-$(cat "$sdk"/build/*.go | cksum | cut -d' ' -f1)
case $toolchain in
*/*) with=$toolchain; [ -d "$toolchain" ] && with=$toolchain/bin/go ;;
*) with=go ;;
esac
if ! command -v "$with" >/dev/null 2>&1; then
    echo "Go is not installed: \`$with\` was not found" >&2
    echo "try: install Go 1.22 or later (https://go.dev/dl), or name a toolchain: -x NAME=/path/to/go" >&2
    exit 1
fi
if ! [ -x "$builder" ]; then
    mkdir -p "$cache"
    (cd "$sdk/build" && GOFLAGS= GOWORK=off GO111MODULE=on GOTOOLCHAIN=local CGO_ENABLED=0 GOOS= GOARCH= \
        "$with" build -o "$builder.$$" .)
    mv "$builder.$$" "$builder"
fi
# shellcheck disable=SC2086 # $program must be split: it is empty or one word
exec "$builder" -go "$toolchain" -sdk "$sdk" -cache "$cache" -out "$out" $program "$folder" "$@"
