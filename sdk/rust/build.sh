#!/bin/sh
# Builds a benchmark target with Cargo and puts the program where the engine looks for it:
#
#     build.sh FILE PROGRAM
#
# FILE is benches/NAME.rs or examples/NAME.rs of a package. Only what Cargo prints tells where a benchmark's program lies. DERNY_PADDING, a number
# but 0, asks for another layout: the linker (LLD) is told to put the sections of functions and data into another order.
set -eu
file=$1 program=$2
name=$(basename "$file" .rs)
cd "$(dirname "$file")"
case $PWD in
# An example under the profile of benchmarks would become a test of the compiler's own.
*/examples) set -- --release --example "$name" ;;
*) set -- --profile bench --bench "$name" ;;
esac
if [ "${DERNY_PADDING:-0}" != 0 ]; then
    set -- "$@" -- -C link-arg=-fuse-ld=lld -C "link-arg=-Wl,--shuffle-sections=*=$DERNY_PADDING"
fi
told=$(cargo rustc --quiet --message-format json-render-diagnostics "$@")
built=$(printf '%s\n' "$told" | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
[ -n "$built" ] || { echo "Cargo built no program of $file" >&2; exit 1; }
mkdir -p "$(dirname "$program")"
# A program that is being measured elsewhere keeps its own file.
cmp -s "$built" "$program" || { cp "$built" "$program.new" && mv "$program.new" "$program"; }
