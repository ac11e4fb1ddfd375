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
export PATH=$place/bin:$PATH DERNY_BIN=$engine PYTHONDONTWRITEBYTECODE=1
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
slow='    total = 0
    for _ in range(20):
        total = sum(number * number for number in numbers)
    return total'
fast='    return sum(number * number for number in numbers)'

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
    BUDGET=20s "$recipes/gso/compare.sh" base/bin/python patched/bin/python gso_test_0.py >result.json || return 1
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
    BUDGET=20s "$recipes/swe-fficiency/compare.sh" base/bin/python patched/bin/python workload.py >result.json || return 1
    holds result.json 'any(c["metric"] == "mean" and c["verdict"] == "better" and c["change"]["value"] < -0.5 for c in it["comparison"]["cases"][0]["sides"][0]["changes"])'
}
check 'SWE-fficiency: timeit.repeat' swefficiency

echo "$passed passed, $failed failed"
[ $failed = 0 ]
