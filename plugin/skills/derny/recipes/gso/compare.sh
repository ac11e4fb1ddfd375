#!/bin/sh
# Compares two environments on a performance test of GSO: compare.sh BASE_PYTHON PATCHED_PYTHON gso_test_0.py
# The test times one call in a new process, and appends it to its first argument.
base=$1 patched=$2 test=$3
"$base" "$test" /dev/null --reference --file_prefix "${PREFIX:-gso}" || exit
call="'$test' /dev/stdout --eqcheck --file_prefix '${PREFIX:-gso}'"
exec derny try --metric-from 'regex:time=Execution time: ([\d.]+)s?' --metric time:s:lower \
    --budget "${BUDGET:-60s}" -f json -n base -n patched "'$base' $call" "'$patched' $call"
