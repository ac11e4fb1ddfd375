#!/usr/bin/env bash
# One plan of a suite of yours, measured three ways on this machine: by GNU parallel from shards, by workers from a PostgreSQL store, and by one
# `derny run`; the first two in two waves. Then what each says of every case stands side by side, and the status is 1 where two of them
# contradict each other: one says better and another worse, or two intervals have nothing in common. CI does not run it: it takes minutes.
#
#     PROJECT=DIR tests/same-plan.sh WORDS...
#
# WORDS are those of `derny fleet plan` that say what is measured. SHARDS=3 and PAIRS=20 may be set, and STEPS, some of those below; what was measured
# stays in DIR/.same-plan, so that they can be taken one by one. The store is DERNY_STORE, else this starts a server. The engine is DERNY_BIN, else
# the checkout's debug build.
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

# took NAME COMMAND...: how long it took, and the end of what it said if its status is not that of a result.
took() {
    local name=$1 begun=$SECONDS status=0
    shift
    "$@" >"$place/$name.log" 2>&1 || status=$?
    echo "$name: status $status after $((SECONDS - begun)) s"
    case $status in 0 | 1 | 5) ;; *) tail -n 40 "$place/$name.log"; exit 1 ;; esac
}

# merge WAY WAVE ARGUMENT...: the result of all waves so far, and the plan of the next one.
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

# workers_wave WAVE PLAN: two, as of two machines, one after the other: beside each other they would disturb each other here.
workers_wave() {
    [ -n "$server" ] || start_server
    export DERNY_STORE=$server
    derny fleet worker "$2" --machine one --for "${FIRST:-60s}" || return
    derny fleet worker "$2" --machine two || return
    if [ "$1" = 1 ]; then merge workers 1 "$2"; else merge workers 2 "$place/plan.json" "$2"; fi
}

# wave WAY WAVE: of the plan, or of what was undecided; nothing if nothing was.
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
