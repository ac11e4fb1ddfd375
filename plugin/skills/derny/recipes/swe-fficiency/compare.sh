#!/bin/sh
# Compares two environments on a workload of SWE-fficiency: compare.sh BASE_PYTHON PATCHED_PYTHON workload.py
# The workload prints the mean of timeit.repeat() as `Mean: SECONDS`.
base=$1 patched=$2 workload=$3
exec derny try --metric-from 'regex:mean=Mean: ([\d.eE+-]+)' --metric mean:s:lower \
    --budget "${BUDGET:-60s}" -f json -n base -n patched "'$base' '$workload'" "'$patched' '$workload'"
