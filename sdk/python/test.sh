#!/usr/bin/env bash
# All tests of this SDK, with every Python of at least 3.9 that is here: on the PATH, those of
# pyenv, PyPy. One is enough. Conformance needs an engine (DERNY_BIN, or derny on the PATH).
set -uo pipefail
cd "$(dirname "$0")" || exit 1
derny=$(realpath "$(command -v "${DERNY_BIN:-derny}")") || { echo "no engine: set DERNY_BIN"; exit 1; }
export DERNY_BIN=$derny PYTHONDONTWRITEBYTECODE=1
status=0

# The interpreter that a name leads to, or a failure: a shim of pyenv may lead nowhere.
real() { "$1" -c 'import sys; print(sys.executable) if sys.version_info >= (3, 9) else sys.exit(1)' 2>/dev/null; }

# first NAME CANDIDATE...: adds the first that is there.
pythons=()
first() {
    local name=$1 candidate python
    shift
    for candidate; do
        python=$(real "$candidate") && [ -n "$python" ] && pythons+=("$python") && return
    done
    echo "not here: $name"
}
for minor in 9 10 11 12 13 14; do
    first "CPython 3.$minor" "python3.$minor" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3."$minor".*/bin/python
done
first PyPy pypy3
[ ${#pythons[@]} -gt 0 ] || pythons=("$(real python3)") || { echo "no Python of at least 3.9"; exit 1; }

# The layer for pytest is tested with the interpreters that have it.
without=() with=no
for python in "${pythons[@]}" "$(real python3)"; do
    if "$python" -c 'import pytest' 2>/dev/null; then with=yes; else without+=("$python"); fi
done
[ ${#without[@]} = 0 ] || printf 'NO PYTEST, so that its layer is not tested there: %s\n' "${without[@]}"
if [ $with = no ]; then
    echo "no Python here has pytest: type apt-get install python3-pytest, or $(real python3) -m pip install pytest"
    status=1
fi

# What the engine makes of files is asked with one interpreter: one that has pytest.
whole=${pythons[0]}
for python in "${pythons[@]}"; do
    "$python" -c 'import pytest' 2>/dev/null && whole=$python && break
done
# The conversation is the same code in all of them. Between the oldest and the newest, only what the
# interpreter has a part in is played.
last=${#pythons[@]}
for at in "${!pythons[@]}"; do
    python=${pythons[at]}
    echo "== $python"
    part=--without-engine plays=(count error exceptions counters clock print hashes async)
    [ "$python" = "$whole" ] && part=
    [ "$at" = 0 ] || [ "$at" -ge $((last - 2)) ] || [ "$python" = "$whole" ] && plays=()
    "$python" test/run.py $part || status=1
    # PyPy's nursery is as large as half of the processor's cache. Until all of it was used,
    # memory grows.
    PYPY_GC_NURSERY=4M "$derny" conform "${plays[@]}" -- "$python" conformance_bench.py | grep -v "^pass" || status=1
done
# The interpreter that users have may be none of those, and be the only one with pytest.
own=$(real python3)
case " ${pythons[*]} " in
    *" $own "*) ;;
    *) echo "== $own (the layer for pytest)" && (cd test && "$own" -m unittest -q test_pytest) || status=1 ;;
esac
exit $status
