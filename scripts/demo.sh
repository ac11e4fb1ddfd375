#!/usr/bin/env bash
# The tour: what is needed, the build, the lessons of examples/, and the engine measured by itself. Ends with the bounds
# that were kept. A language whose runtime is missing is left out, and that is said; a failure is exit 1.
set -uo pipefail
cd "$(dirname "$0")/.."
start=$SECONDS
failed=0

title() { printf '\n== %s\n' "$*"; }

title "what is needed"
scripts/setup.sh --install
case $? in
0) node=yes ;;
3) node=no ;;
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

if [ "$node" = yes ]; then
    demo "the lessons of examples/, in JavaScript" --quick --total 90s examples
    demo "the JavaScript harness, measured by the engine" --quick --total 40s javascript
else
    echo "SKIPPED: JavaScript, because Node.js is missing (see above)" >&2
fi
demo "the engine, measured by itself" --quick --total 40s engine

title "done in $((SECONDS - start)) s"
[ $failed = 0 ] || echo "make demo: something above failed" >&2
exit $failed
