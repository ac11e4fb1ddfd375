#!/usr/bin/env bash
# Measures a suite on three Slurm nodes, all on this machine. The script from `derny fleet
# generate slurm` submits the array, one shard at a time, then the merge and the second wave,
# without further commands. The daemons have a separate folder, key and ports, and are stopped at
# the end. Uses the engine DERNY_BIN, or the checkout's debug build. Arguments are passed to `derny
# fleet plan` in the folder PROJECT, for manual tests. The merged result is then printed.
set -uo pipefail
for tool in slurmctld slurmd munged sbatch; do
    PATH=$PATH:/usr/sbin command -v $tool >/dev/null || { echo "$tool is missing; type: apt-get install slurm-wlm munge"; exit 2; }
done
cd "$(dirname "$0")/.." || exit 1
engine=${DERNY_BIN:-$PWD/target/debug/derny}
shards=${SHARDS:-2}
place=$(mktemp -d)
chmod 755 "$place"
passed=0 failed=0
PATH=$place/bin:$PATH:/usr/sbin:/sbin
unset "${!SLURM_@}" "${!SBATCH_@}"
export SLURM_CONF=$place/slurm.conf TMPDIR=$place/tmp

check() { # check NAME COMMAND...
    local name=$1
    shift
    if "$@" >"$place/log" 2>&1; then
        passed=$((passed + 1))
        echo "ok      $name"
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
        sed 's/^/    /' "$place/log"
    fi
}

# running PIDFILE: succeeds if the process is alive and was started by this script.
running() { [ -s "$1" ] && kill -0 "$(cat "$1")" 2>/dev/null; }

stop() {
    scancel --quiet --user="$(id -un)" 2>/dev/null
    for pidfile in "$place"/slurmd-*.pid "$place"/slurmctld.pid "$place"/munged.pid; do
        running "$pidfile" && kill "$(cat "$pidfile")"
    done
    for pidfile in "$place"/*.pid; do
        for _ in $(seq 50); do
            running "$pidfile" || break
            sleep 0.1
        done
        running "$pidfile" && kill -9 "$(cat "$pidfile")"
    done
    rm -rf "$place"
}
trap stop EXIT

# free_ports: prints the first of four consecutive free ports.
free_ports() {
    node -e '
        const net = require("node:net");
        const taken = (port) => new Promise((done) => {
            const server = net.createServer();
            server.once("error", () => done(true)).listen(port, () => server.close(() => done(false)));
        });
        (async () => {
            for (let first = 20000 + Math.floor(Math.random() * 20000); ; first += 4) {
                const all = await Promise.all([0, 1, 2, 3].map((next) => taken(first + next)));
                if (!all.includes(true)) return console.log(first);
            }
        })();'
}

configure() {
    local first host user
    first=$(free_ports) host=$(hostname -s) user=$(id -un)
    cat >"$SLURM_CONF" <<CONF
ClusterName=derny
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$first
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$place/munge.socket
CredType=cred/munge
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool-%n
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd-%n.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/linear
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,bf_interval=1
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((first + 1)) CPUs=1 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((first + 2)) CPUs=1 State=UNKNOWN
NodeName=n3 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((first + 3)) CPUs=1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    mkdir -p "$place/state"
}

start() {
    dd if=/dev/urandom of="$place/munge.key" bs=128 count=1 status=none
    chmod 600 "$place/munge.key"
    munged --key-file="$place/munge.key" --socket="$place/munge.socket" --pid-file="$place/munged.pid" \
        --log-file="$place/munged.log" --seed-file="$place/munged.seed" || return 1
    slurmctld || return 1
    for node in n1 n2 n3; do
        mkdir -p "$place/spool-$node"
        slurmd -N $node || return 1
    done
    for _ in $(seq 600); do
        [ "$(sinfo --noheader --format=%T --Node 2>/dev/null | grep -c '^idle')" = 3 ] && return
        sleep 0.1
    done
    sinfo
    tail -n 20 "$place"/*.log
    return 1
}

# Waits until the queue is empty, for up to three minutes on a busy machine.
over() {
    for _ in $(seq "${PATIENCE:-900}"); do
        [ -z "$(squeue --noheader)" ] && return
        sleep 0.2
    done
    squeue
    return 1
}

# Both sides are the same. The tiny margin leaves every case undecided, so that there is a second
# wave.
small_project() {
    mkdir "$project"
    cp examples/02-parameters/search.bench.mjs "$project"
    plan=(search/set -p n=10 -p where=first -p where=last -x a@. -x b@. --margin 0.000001% --set rounds=3 --set warmup=0 --set processes=16 --budget 60s)
}

mkdir "$place/bin" "$TMPDIR"
ln -s "$engine" "$place/bin/derny"
project=${PROJECT:-$place/project} plan=("$@")
[ $# != 0 ] || small_project
configure
check "three nodes of Slurm answer" start
cd "$project" || exit 1
check "a plan" derny fleet plan "${plan[@]}" --shards "$shards" -o plan.json
check "its script for Slurm" derny fleet generate slurm plan.json -o slurm.sh
begun=$SECONDS
check "the script is taken" env AT_ONCE=1 WAVES=2 sh slurm.sh
check "both waves come to an end" over
echo "        after $((SECONDS - begun)) s"
if [ $# != 0 ]; then
    cat parts/*-merge.log result.txt
    derny runs
else
    each() { for wave in 1 2; do for shard in $(seq "$shards"); do [ -s "parts/wave-$wave-shard-$shard.derny" ] || return 1; done; done; }
    check "every shard of both waves left a part" each
    check "the merge of the first wave went on with what was undecided" grep -q 'undecided; undecided.json contains wave 2' parts/wave-1-merge.log
    check "the second waited for its shards" sh -c '! grep -q missing parts/wave-2-merge.log'
    # Six pairs per case in the first wave, and two more in the second.
    pairs() { derny show last -f json | node -e '
        const run = JSON.parse(require("fs").readFileSync(0)).run;
        process.exit(run.merged.waves === 2 && run.merged.count === 2 * Number(process.argv[1]) && run.machines.every(({ host }) => /^n[123]$/.test(host)) ? 0 : 1);' "$shards"; }
    check "the merged run is in the store, with the parts of both" pairs
    check "a job's own store goes with the job" sh -c '! ls "$TMPDIR" | grep "^derny-"'
fi
[ $failed = 0 ] || tail -n 20 parts/*.log "$place"/*.log
echo "$passed passed, $failed failed"
[ $failed = 0 ]
