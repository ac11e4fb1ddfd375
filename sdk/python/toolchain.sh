# What Python needs here, and its lessons. Sourced by scripts/setup.sh and scripts/demo.sh, which say what the words mean.
has_python() { python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; }
need "Python 3.9 or later" has_python 3.9 "python3" "type: apt-get install python3   (or see https://www.python.org/downloads)"

lessons Python python3 10 examples/0[12]-*/*_bench.py
