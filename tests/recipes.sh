#!/usr/bin/env bash
# Runs each recipe of the skill for agents (plugin/skills/derny/recipes) in a project of the form that its tool
# has. The differences are so large that noise cannot turn a verdict. The tools themselves are not needed. Uses
# the engine DERNY_BIN, or the checkout's debug build. Prints `N passed, N failed`.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
engine=${DERNY_BIN:-$PWD/target/debug/derny}
recipes=$PWD/plugin/skills/derny/recipes
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/bin" && ln -s "$engine" "$place/bin/derny"
# A shim, such as that of pyenv, starts a shell before each of the many interpreters.
ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$place/bin/python3"
export PATH=$place/bin:$PATH DERNY_BIN=$engine PYTHONDONTWRITEBYTECODE=1 GIT_CONFIG_GLOBAL=$place/gitconfig
git config --global user.name tests && git config --global user.email tests@example.invalid
passed=0 failed=0
check() { # check NAME COMMAND...
    local name=$1 said
    shift
    if said=$("$@" 2>&1); then passed=$((passed + 1)) && echo "passed $name"; else failed=$((failed + 1)) && printf '%s\nFAILED %s\n' "$said" "$name"; fi
}
holds() { # holds FILE EXPRESSION: evaluates Python with the JSON of a file as `it`
    python3 -c "import json, sys; it = json.load(open('$1')); ok = $2; print(json.dumps(it)[:3000]); sys.exit(not ok)"
}
project() { # project NAME: begins a repository
    mkdir "$place/$1" && cd "$place/$1" && git init -q -b main && echo .derny >.gitignore
}
commit() { git add -A && git commit -qm first; }
slow='    total = 0
    for _ in range(20):
        total = sum(number * number for number in numbers)
    return total'
fast='    return sum(number * number for number in numbers)'

autoresearch() {
    project autoresearch && mkdir .auto && cp "$recipes/autoresearch/measure.sh" .auto
    printf 'def work(numbers):\n%s\n' "$slow" >lib.py
    printf 'from derny import bench\nfrom lib import work\n\nbench("work", work, setup=lambda: list(range(500)))\n' >work_bench.py
    commit
    .auto/measure.sh work >baseline.txt && grep -Eq '^METRIC score=[0-9.]+$' baseline.txt || return 1
    printf 'def work(numbers):\n%s\n' "$fast" >lib.py
    .auto/measure.sh work >gain.txt && cat gain.txt && grep -q '^VERDICT keep$' gain.txt && grep -Eq '^METRIC score=([2-9]|1[0-9])' gain.txt || return 1
    commit
    printf 'def work(numbers):\n%s\n' "$slow" >lib.py
    .auto/measure.sh work >loss.txt && grep -q '^VERDICT discard$' loss.txt || return 1
    derny judge status --session auto | grep -q '1 kept'
    echo 'syntax error' >lib.py
    ! .auto/measure.sh work >broken.txt && grep -q '^VERDICT discard$' broken.txt
}
check 'pi-autoresearch: .auto/measure.sh' autoresearch

openevolve() {
    project openevolve && cp "$recipes"/openevolve/*.py .
    printf '# EVOLVE-BLOCK-START\ndef work(numbers):\n%s\n# EVOLVE-BLOCK-END\n' "$slow" >initial_program.py
    commit
    printf 'def work(numbers):\n%s\n' "$fast" >"$place/faster.py"
    printf 'def work(numbers):\n    return 0\n' >"$place/wrong.py"
    echo 'syntax error' >"$place/broken.py"
    python3 - "$place" >result.json <<'END'
import json, sys
from evaluator import evaluate
def metrics(path):
    found = evaluate(path)
    return getattr(found, "metrics", found)
print(json.dumps({name: metrics(f"{sys.argv[1]}/{name}.py") for name in ("faster", "wrong", "broken")}))
END
    holds result.json 'it["faster"]["combined_score"] > 2 and it["wrong"]["combined_score"] == 0 and it["broken"]["combined_score"] == 0'
}
check 'OpenEvolve: evaluate(program_path)' openevolve

# environments BODY BODY: two interpreters, each with a package `fastlib` of its own.
environments() {
    local name
    for name in base patched; do
        python3 -m venv --without-pip $name && printf 'def work(numbers):\n%s\n' "$1" >"$(echo $name/lib/python3*/site-packages)/fastlib.py"
        shift
    done
}
gso() {
    project gso && environments "$slow" "$fast"
    cat >gso_test_0.py <<'END'
import argparse, json, timeit
import fastlib

def setup():
    return list(range(20000))

def experiment(data):
    return fastlib.work(data)

def run_test(eqcheck, reference, prefix):
    data = setup()
    execution_time, result = timeit.timeit(lambda: experiment(data), number=1), experiment(data)
    if reference:
        json.dump(result, open(f"{prefix}_result.json", "w"))
    if eqcheck:
        assert json.load(open(f"{prefix}_result.json")) == result
    return execution_time

parser = argparse.ArgumentParser()
parser.add_argument("output_file")
parser.add_argument("--eqcheck", action="store_true")
parser.add_argument("--reference", action="store_true")
parser.add_argument("--file_prefix", default="")
args = parser.parse_args()
execution_time = run_test(args.eqcheck, args.reference, args.file_prefix)
with open(args.output_file, "a") as f:
    f.write(f"Execution time: {execution_time:.6f}s\n")
END
    BUDGET=10s "$recipes/gso/compare.sh" base/bin/python patched/bin/python gso_test_0.py >result.json || return 1
    holds result.json 'any(c["metric"] == "time" and c["verdict"] == "better" and c["change"]["value"] < -0.5 for c in it["comparison"]["cases"][0]["sides"][0]["changes"])'
}
check 'GSO: two interpreters, a process per value' gso

swefficiency() {
    project swe-fficiency && environments "$slow" "$fast"
    cat >workload.py <<'END'
import timeit
import statistics
import fastlib

def setup():
    global numbers
    numbers = list(range(2000))

def workload():
    global numbers
    fastlib.work(numbers)

runtimes = timeit.repeat(workload, number=2, repeat=5, setup=setup)

print("Mean:", statistics.mean(runtimes))
print("Std Dev:", statistics.stdev(runtimes))
END
    BUDGET=10s "$recipes/swe-fficiency/compare.sh" base/bin/python patched/bin/python workload.py >result.json || return 1
    holds result.json 'any(c["metric"] == "mean" and c["verdict"] == "better" and c["change"]["value"] < -0.5 for c in it["comparison"]["cases"][0]["sides"][0]["changes"])'
}
check 'SWE-fficiency: timeit.repeat' swefficiency

formulacode() {
    project formulacode && mkdir benchmarks
    # Installs by copying, so that no test needs the network.
    cat >asv.conf.json <<'END'
{"version": 1, "project": "fastlib", "project_url": ".", "repo": ".", "benchmark_dir": "benchmarks", "build_command": [],
 "install_command": ["in-dir={build_dir} python -c \"import shutil, sysconfig; shutil.copy('fastlib.py', sysconfig.get_paths()['purelib'])\""]}
END
    printf 'def work(numbers):\n%s\n' "$slow" >fastlib.py
    cat >benchmarks/bench_work.py <<'END'
import fastlib

class Work:
    params = [100, 1000]
    param_names = ["n"]

    def setup(self, n):
        self.numbers = list(range(n))

    def time_work(self, n):
        fastlib.work(self.numbers)
END
    commit && git checkout -q -b candidate
    printf 'def work(numbers):\n%s\n' "$fast" >fastlib.py
    commit
    derny judge --session task -x base@main -x candidate@HEAD --total 60s -f json >result.json
    holds result.json 'it["verdict"] == "keep" and len(it["cases"]) == 2 and it["score"] > 2'
}
check 'FormulaCode: a project of asv as it is' formulacode

codeflash() {
    project codeflash
    printf 'def work(numbers):\n%s\n' "$slow" >lib.py
    printf 'from derny import bench\nfrom lib import work\n\nbench("work", work, setup=lambda: list(range(500)))\n' >work_bench.py
    commit
    printf 'def work(numbers):\n%s\n' "$fast" >lib.py
    python3 "$recipes/codeflash/critic.py" HEAD work >result.json
    holds result.json 'it["accepted"] and it["performance_gain"] > 1 and it["original_runtime_ns"] > it["optimized_runtime_ns"] > 0' || return 1
    commit
    printf 'def work(numbers):\n%s\n' "$slow" >lib.py
    python3 "$recipes/codeflash/critic.py" HEAD work >slower.json
    holds slower.json 'not it["accepted"] and it["verdict"] == "discard" and it["performance_gain"] < 0'
}
check 'codeflash: JSON instead of its threshold' codeflash

echo "$passed passed, $failed failed"
[ $failed = 0 ]
