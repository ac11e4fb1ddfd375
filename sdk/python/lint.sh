#!/usr/bin/env bash
# Runs pyflakes, which finds undefined names and unused imports and variables. Lines with `noqa` are
# exempt.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
for python in python3 /usr/bin/python3; do
    "$python" -c 'import pyflakes' 2>/dev/null && break
    python=
done
[ -n "$python" ] || { echo "SKIPPED: lint of Python, because pyflakes is missing"; exit 0; }
found=$("$python" -m pyflakes . 2>&1) && exit 0
status=0
while IFS=: read -r file line rest; do
    [ -f "$file" ] && sed -n "${line}p" "$file" | grep -q '# noqa' && continue
    echo "sdk/python/${file#./}:$line:$rest"
    status=1
done <<<"$found"
exit $status
