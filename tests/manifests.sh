#!/usr/bin/env bash
# Validates the files that `derny fleet generate` writes against the published schemas of their
# schedulers, which the Python packages check-jsonschema and kubernetes-validate contain. Installs
# these into target/manifests. No other test needs them. Uses the engine DERNY_BIN, or the
# checkout's debug build.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
engine=${DERNY_BIN:-$PWD/target/debug/derny}
tools=$PWD/target/manifests
if ! [ -x "$tools/bin/kubernetes-validate" ]; then
    python3 -m venv "$tools" && "$tools/bin/pip" install --quiet check-jsonschema kubernetes-validate || exit 2
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
# Words of a side that need quoting in YAML and shells.
cp examples/02-parameters/search.bench.mjs "$place"
cd "$place" || exit 2
"$engine" fleet plan search/set -x head -x "b=--title=it's: a #1" --shards 3 -o plan.json || exit 2
status=0
holds() { # holds FILE COMMAND...
    local file=$1
    shift
    echo "== $file"
    "$@" "$file" || status=1
}
for scheduler in slurm kubernetes github gitlab buildkite; do
    "$engine" fleet generate $scheduler plan.json -o $scheduler.yml || status=1
done
mv slurm.yml slurm.sh
sed -i 's/image: IMAGE/image: registry.invalid\/benchmarks:1/' kubernetes.yml
holds github.yml "$tools/bin/check-jsonschema" --builtin-schema vendor.github-workflows
holds gitlab.yml "$tools/bin/check-jsonschema" --builtin-schema vendor.gitlab-ci --data-transform gitlab-ci
holds buildkite.yml "$tools/bin/check-jsonschema" --builtin-schema vendor.buildkite
holds kubernetes.yml "$tools/bin/kubernetes-validate" --strict
holds slurm.sh sh -n
exit $status
