#!/bin/sh
# Measures a plan of Derny as an array of jobs, merges the parts, and goes on with what is undecided. Type `sh THIS-FILE` in
# the project's folder, which all nodes must see. Every shard has a node by itself: two on one disturb each other. Stores and
# worktrees of nodes are their own. AT_ONCE=4 measures so many shards at a time, WAVES=1 goes on with nothing.
set -eu
plan=${1:-PLAN}
builds=BUILDS
wave=${2:-1}
waves=${WAVES:-3}
here=$(pwd)
mkdir -p parts

if [ "$wave" = 1 ]; then
    rm -f parts/*.derny
fi

measured=$(sbatch --parsable --array=1-SHARDS"${AT_ONCE:+%$AT_ONCE}" --exclusive --job-name=derny --chdir="$here" \
    --output=parts/wave-"$wave"-shard-%a.log \
    --wrap "store=\${TMPDIR:-/tmp}/derny-\$SLURM_JOB_ID
trap 'rm -rf \"\$store\"' EXIT
derny --store \"\$store\" fleet shard '$plan' ${builds:+--builds '$builds'} --machine \"\$SLURMD_NODENAME\" -o parts/wave-$wave-shard-\$SLURM_ARRAY_TASK_ID.derny")

# Whatever became of the shards: what is missing is named, and the status is not 0.
sbatch --dependency=afterany:"$measured" --job-name=derny-merge --chdir="$here" --output=parts/wave-"$wave"-merge.log \
    --wrap "status=0
derny fleet merge parts/*.derny -o result.txt || status=\$?
if [ -e undecided.json ] && [ $wave -lt $waves ]; then
    mv undecided.json wave-$((wave + 1)).json
    sh '$0' wave-$((wave + 1)).json $((wave + 1))
fi
exit \$status"
