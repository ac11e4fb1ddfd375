#!/usr/bin/env bash
# Runs the tour: checks the tools, builds, and runs the lessons of examples/ in two languages whose
# tools are installed. If fewer are installed, installs what is missing, if possible. With `--all`,
# runs every language, and measures the engine itself. Reports each skipped language whose toolchain
# is missing. Exits with 1 after a failure.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
start=$SECONDS
failed=0 most=2
[ "${1:-}" != --all ] || most=99

title() { printf '\n== %s\n' "$*"; }

# Lessons in the order of the tour: folder of the SDK, language, tools, seconds and files.
sdk=() language=() tools=() seconds=() files=()
# Ignore the tools in toolchain.sh that only scripts/setup.sh uses.
need() { :; }
tests_need() { :; }
lint_likes() { :; }
# tour PLACE: sets the place of these languages in the tour. Languages that start fastest come first.
tour() { place=$1; }
# lessons LANGUAGE TOOLS SECONDS FILE...: the lessons in one language.
lessons() {
    sdk+=("$folder") language+=("$1") tools+=("$2") seconds+=("$3")
    shift 3
    files+=("$*")
    order+="$place ${#files[@]}"$'\n'
}
order=
for toolchain in sdk/*/toolchain.sh; do
    folder=${toolchain#sdk/} folder=${folder%/*} place=9
    # shellcheck source=/dev/null
    . "$toolchain"
done
order=$(sort -k1,1n -k2,2n <<<"$order" | awk 'NF { print $2 - 1 }')

# missing NUMBER: prints the first tool of a language that is not installed.
missing() {
    local tool
    for tool in ${tools[$1]}; do
        command -v "$tool" >/dev/null || { echo "$tool"; return; }
    done
}

# Choose installed languages first, then others until there are enough.
chosen=() absent=()
for i in $order; do
    if [ -n "$(missing "$i")" ]; then absent+=("$i"); else chosen+=("$i"); fi
done
chosen+=("${absent[@]}")
left=("${chosen[@]:most}")
chosen=("${chosen[@]:0:most}")

title "what is needed"
sdks=
for i in "${chosen[@]}"; do sdks+=${sdks:+,}${sdk[$i]}; done
scripts/setup.sh --install --sdks "$sdks"
case $? in
0 | 3) ;;
*) echo "make demo: cannot go on without the tools named above" >&2; exit 1 ;;
esac

title "build (release)"
packages=(--package derny)
[ $most = 2 ] || packages+=(--package derny-selfbench)
cargo build --release --locked "${packages[@]}" || exit 1
echo "built after $((SECONDS - start)) s"
derny=target/release/derny

# demo TITLE ARGUMENT...: makes one `derny run` with a time limit.
demo() {
    title "$1"
    shift
    echo "\$ derny run $*"
    $derny run "$@" || failed=1
}

for i in "${chosen[@]}"; do
    tool=$(missing "$i")
    if [ -n "$tool" ]; then
        echo "SKIPPED: the lessons in ${language[$i]}, because $tool is missing (see above)" >&2
        continue
    fi
    # shellcheck disable=SC2086 # several files
    demo "the lessons of examples/, in ${language[$i]}" --quick --total "${seconds[$i]}s" ${files[$i]}
done
[ $most = 2 ] || demo "the engine, measured by itself" --quick --total 20s engine

title "done in $((SECONDS - start)) s"
names=
for i in "${left[@]}"; do names+=${names:+, }${language[$i]}; done
[ -z "$names" ] || echo "make demo-all shows the other languages too: $names"
[ $failed = 0 ] || echo "make demo: something above failed" >&2
exit $failed
