#!/bin/sh
# Measures a plan of Derny as a job array, merges the parts, and measures undecided cases again. Type `sh THIS-FILE` in the
# project's folder, which all nodes must be able to access. Each shard gets its own node, because two shards on one node
# would disturb each other. Each job has its own store and worktrees. AT_ONCE=4 measures at most 4 shards at a time. WAVES=1
# stops after the first wave.
set -eu
plan=${1:-fixed.json}
builds=
wave=${2:-1}
waves=${WAVES:-3}
here=$(pwd)
mkdir -p parts

if [ "$wave" = 1 ]; then
    rm -f parts/*.derny
fi

measured=$(sbatch --parsable --array=1-3"${AT_ONCE:+%$AT_ONCE}" --exclusive --job-name=derny --chdir="$here" \
    --output=parts/wave-"$wave"-shard-%a.log \
    --wrap "store=\${TMPDIR:-/tmp}/derny-\$SLURM_JOB_ID
trap 'rm -rf \"\$store\"' EXIT
derny --store \"\$store\" fleet shard '$plan' ${builds:+--builds '$builds'} --machine \"\$SLURMD_NODENAME\" -o parts/wave-$wave-shard-\$SLURM_ARRAY_TASK_ID.derny")

# Merge even if shards have failed. The merge names missing parts, and its status is then not 0.
sbatch --dependency=afterany:"$measured" --job-name=derny-merge --chdir="$here" --output=parts/wave-"$wave"-merge.log \
    --wrap "status=0
derny fleet merge parts/*.derny -o result.txt || status=\$?
if [ -e undecided.json ] && [ $wave -lt $waves ]; then
    mv undecided.json wave-$((wave + 1)).json
    sh '$0' wave-$((wave + 1)).json $((wave + 1))
fi
exit \$status"
