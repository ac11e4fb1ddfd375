#!/bin/sh
# Builds a benchmark target with Cargo and copies the program to the path that the engine expects:
#
#     build.sh FILE PROGRAM
#
# FILE is benches/NAME.rs or examples/NAME.rs of a package. The location of the built program is
# read from Cargo's output.
# If DERNY_PADDING is a number other than 0, it selects another memory layout: the linker (LLD)
# shuffles the sections of functions and data.
set -eu
file=$1 program=$2
name=$(basename "$file" .rs)
cd "$(dirname "$file")"
case $PWD in
# With the bench profile, Cargo would build an example as a test.
*/examples) set -- --release --example "$name" ;;
*) set -- --profile bench --bench "$name" ;;
esac
if [ "${DERNY_PADDING:-0}" != 0 ]; then
    set -- "$@" -- -C link-arg=-fuse-ld=lld -C "link-arg=-Wl,--shuffle-sections=*=$DERNY_PADDING"
fi
told=$(cargo rustc --quiet --message-format json-render-diagnostics "$@")
built=$(printf '%s\n' "$told" | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
[ -n "$built" ] || { echo "Cargo built no program from $file" >&2; exit 1; }
mkdir -p "$(dirname "$program")"
# Replace the program instead of overwriting it, because it may be running.
cmp -s "$built" "$program" || { cp "$built" "$program.new" && mv "$program.new" "$program"; }
