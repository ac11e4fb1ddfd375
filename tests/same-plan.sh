#!/usr/bin/env bash
# Measures one plan of your own suite in three ways on this machine: as shards with GNU parallel,
# with workers from a PostgreSQL store, and with one `derny run`. The first two take two waves.
# Prints the results of every case side by side. Exits with 1 if two of them contradict each other:
# one verdict is better and another worse, or two intervals do not overlap. CI does not run this
# script, because it takes minutes.
#
#     PROJECT=DIR tests/same-plan.sh WORDS...
#
# WORDS are arguments of `derny fleet plan` that select the cases. Accepts SHARDS=3, PAIRS=20, and STEPS, which selects some
# of the steps below. Results stay in DIR/.same-plan, so that steps can be run one by one. The store is DERNY_STORE. Without
# it, the script starts a server. The engine is DERNY_BIN, or the checkout's debug build.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
export DERNY_BIN=${DERNY_BIN:-$here/target/debug/derny}
derny() { "$DERNY_BIN" "$@"; }
export -f derny
shards=${SHARDS:-3} pairs=${PAIRS:-20} server=${DERNY_STORE:-}
unset DERNY_STORE
cd "${PROJECT:?the folder of the suite}"
place=$PWD/.same-plan
mkdir -p "$place"
words=("$@" --set processes="$pairs")

# took NAME COMMAND...: prints the duration, and the end of the output if the status is not that of
# a result.
took() {
    local name=$1 begun=$SECONDS status=0
    shift
    "$@" >"$place/$name.log" 2>&1 || status=$?
    echo "$name: status $status after $((SECONDS - begun)) s"
    case $status in 0 | 1 | 5) ;; *) tail -n 40 "$place/$name.log"; exit 1 ;; esac
}

# merge WAY WAVE ARGUMENT...: merges all waves so far, and plans the next one.
merge() {
    local way=$1 wave=$2
    shift 2
    derny fleet merge "$@" -f json --undecided "$place/undecided.json" >"$place/$way.json" || return
    [ "$wave" = 2 ] || [ ! -e "$place/undecided.json" ] || mv "$place/undecided.json" "$place/$way-2.json"
}

# parallel_wave WAVE PLAN
parallel_wave() {
    command -v parallel >/dev/null || { echo "GNU parallel is missing; type: apt-get install parallel"; return 2; }
    mkdir -p "$place/parts"
    parallel -j1 derny --store "$place/parts/store-{}" fleet shard "$2" "{}/$shards" -o "$place/parts/$1-{}.derny" ::: $(seq "$shards") || return
    merge parallel "$1" --store "$place/store" "$place"/parts/*.derny
}

start_server() {
    local folder
    coproc SERVER { sh -c "$(cat "$here/crates/testkit/src/postgres.sh")" derny; }
    read -r folder <&"${SERVER[0]}"
    server="postgresql:///postgres?host=$folder&port=28457&user=derny"
}

# workers_wave WAVE PLAN: starts two workers one after the other, because they would disturb each
# other on one machine.
workers_wave() {
    [ -n "$server" ] || start_server
    export DERNY_STORE=$server
    derny fleet worker "$2" --machine one --for "${FIRST:-60s}" || return
    derny fleet worker "$2" --machine two || return
    if [ "$1" = 1 ]; then merge workers 1 "$2"; else merge workers 2 "$place/plan.json" "$2"; fi
}

# wave WAY WAVE: measures the plan, or the plan of undecided cases. Does nothing if there is no such
# plan.
wave() {
    local plan=$place/plan.json
    [ "$2" = 1 ] || plan=$place/$1-2.json
    [ ! -e "$plan" ] || took "$1-wave-$2" "$1_wave" "$2" "$plan"
    unset DERNY_STORE
}

alone() { derny --store "$place/store" run "${words[@]}" -f json >"$place/alone.json"; }

for step in ${STEPS:-plan parallel-1 parallel-2 workers-1 workers-2 alone table}; do
    case $step in
        plan) took plan derny --store "$place/store" fleet plan "${words[@]}" --shards "$shards" -o "$place/plan.json"; tail -n 5 "$place/plan.log" ;;
        *-[12]) wave "${step%-*}" "${step#*-}" ;;
        alone) took alone alone ;;
        table) node "$here/tests/same-plan.mjs" "$place"/{parallel,workers,alone}.json ;;
    esac
done
