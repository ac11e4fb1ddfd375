#!/usr/bin/env bash
# The tour: what is needed, the build, the lessons of examples/ in every language, and the engine measured by itself. Ends
# with the bounds that were kept. A language whose toolchain is missing is left out, and that is said; a failure is exit 1.
set -uo pipefail
cd "$(dirname "$0")/.."
start=$SECONDS
failed=0

title() { printf '\n== %s\n' "$*"; }

title "what is needed"
scripts/setup.sh --install
case $? in
0 | 3) ;;
*) echo "make demo: cannot go on without the tools named above" >&2; exit 1 ;;
esac

title "build (release)"
cargo build --release --locked --package derny --package derny-selfbench || exit 1
echo "built after $((SECONDS - start)) s"
derny=target/release/derny

# demo TITLE ARGUMENT...: one `derny run`, bounded.
demo() {
    title "$1"
    shift
    echo "\$ derny run $*"
    $derny run "$@" || failed=1
}

# lessons LANGUAGE TOOLS SECONDS FILE...: the lessons in one language, if all its tools are here.
lessons() {
    local language=$1 tools=$2 seconds=$3 tool
    shift 3
    for tool in $tools; do
        command -v "$tool" >/dev/null || { echo "SKIPPED: the lessons in $language, because $tool is missing (see above)" >&2; return; }
    done
    demo "the lessons of examples/, in $language" --quick --total "${seconds}s" "$@"
}

# What a toolchain.sh says of needs is for scripts/setup.sh, which was run above.
need() { :; }
for toolchain in sdk/*/toolchain.sh; do
    . "$toolchain"
done
demo "the engine, measured by itself" --quick --total 20s engine

title "done in $((SECONDS - start)) s"
[ $failed = 0 ] || echo "make demo: something above failed" >&2
exit $failed
