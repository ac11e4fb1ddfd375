# Requirements and lessons of Python. scripts/setup.sh and scripts/demo.sh source this file and
# explain its functions.
# shellcheck shell=bash
has_python() { python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; }
need "Python 3.9 or later" has_python 3.9 "python3" "type: apt-get install python3   (or see https://www.python.org/downloads)"
has_pytest() {
    local python
    for python in python3 python3.9 python3.1{0,1,2,3,4} "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python; do
        "$python" -c 'import sys, pytest; sys.exit(sys.version_info < (3, 9))' 2>/dev/null && return
    done
    return 1
}
tests_need "pytest, for the tests of its layer" has_pytest 6 "python3-pytest" "type: apt-get install python3-pytest   (or: python3 -m pip install pytest)"

has_pyflakes() { python3 -c 'import pyflakes' 2>/dev/null || /usr/bin/python3 -c 'import pyflakes' 2>/dev/null; }
lint_likes "pyflakes, for lint" has_pyflakes 2 "python3-pyflakes" "type: apt-get install python3-pyflakes   (or: python3 -m pip install pyflakes)"

tour 1
lessons Python python3 10 examples/0[12]-*/*_bench.py
