#!/usr/bin/env bash
# Runs all tests of this SDK. Uses every Python of version 3.9 or later on the PATH and in pyenv, and PyPy;
# one of them is enough. Conformance needs an engine (DERNY_BIN, or derny on the PATH).
set -uo pipefail
cd "$(dirname "$0")" || exit 1
derny=$(realpath "$(command -v "${DERNY_BIN:-derny}")") || { echo "derny is not on the PATH: set DERNY_BIN"; exit 1; }
export DERNY_BIN=$derny PYTHONDONTWRITEBYTECODE=1
status=0

# real NAME: prints the path of the interpreter. Fails if it is too old, or if a pyenv shim has no
# target.
real() { "$1" -c 'import sys; print(sys.executable) if sys.version_info >= (3, 9) else sys.exit(1)' 2>/dev/null; }

# first NAME CANDIDATE...: adds the first interpreter that exists.
pythons=()
first() {
    local name=$1 candidate python
    shift
    for candidate; do
        python=$(real "$candidate") && [ -n "$python" ] && pythons+=("$python") && return
    done
    echo "not installed: $name"
}
for minor in 9 10 11 12 13 14; do
    first "CPython 3.$minor" "python3.$minor" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3."$minor".*/bin/python
done
first PyPy pypy3
[ ${#pythons[@]} -gt 0 ] || pythons=("$(real python3)") || { echo "Python 3.9 or later is not installed"; exit 1; }

# The pytest layer is tested with the interpreters that have pytest.
without=() with=no
for python in "${pythons[@]}" "$(real python3)"; do
    if "$python" -c 'import pytest' 2>/dev/null; then with=yes; else without+=("$python"); fi
done
[ ${#without[@]} = 0 ] || printf 'PYTEST IS MISSING, so its layer is not tested with: %s\n' "${without[@]}"
if [ $with = no ]; then
    echo "no Python has pytest: run apt-get install python3-pytest, or $(real python3) -m pip install pytest"
    status=1
fi

# The tests that run the engine use one interpreter only: the first that has pytest, if there is one.
whole=${pythons[0]}
for python in "${pythons[@]}"; do
    "$python" -c 'import pytest' 2>/dev/null && whole=$python && break
done
# The oldest and the newest interpreters run all tests, and the others those that depend on the
# interpreter. The conversation is the same code in all interpreters, so the newest CPython and PyPy
# run all conformance checks, and the others those that depend on the interpreter.
last=$((${#pythons[@]} - 1)) newest=
for python in "${pythons[@]}"; do [[ $python = */pypy* ]] || newest=$python; done
for at in "${!pythons[@]}"; do
    python=${pythons[at]}
    echo "== $python"
    parts=() plays=()
    [ "$python" = "$whole" ] || parts+=(--without-engine)
    [ "$at" = 0 ] || [ "$at" = "$last" ] || [ "$python" = "$newest" ] || parts+=(--without-layers)
    [ "$python" = "$newest" ] || [[ $python = */pypy* ]] || plays=(count error exceptions counters clock print hashes async)
    # The tests start hundreds of processes, each of which would otherwise compile the package.
    "$python" -m compileall -q derny
    "$python" test/run.py "${parts[@]}" || status=1
    # By default, PyPy's nursery is half as large as the processor's cache, and memory grows until all of the
    # nursery has been used.
    PYPY_GC_NURSERY=4M "$derny" dev conform "${plays[@]}" -- "$python" conformance_bench.py | grep -v "^pass" || status=1
done
# The default interpreter may be missing from this list and be the only one with pytest.
own=$(real python3)
for python in "${pythons[@]}"; do [ "$python" -ef "$own" ] && own=; done
[ -z "$own" ] || (echo "== $own (the layer for pytest)" && cd test && "$own" -m unittest -q test_pytest) || status=1
exit $status
