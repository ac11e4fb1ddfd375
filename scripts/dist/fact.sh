#!/usr/bin/env bash
# fact.sh NAME: prints a fact that every package states: the `version`, the `home` page, the address of
# releases (`download`), or the `time` of the sources in seconds since 1970.
set -euo pipefail
cd "$(dirname "$0")/../.."
stated() { sed -n "s/^$1 = \"\(.*\)\"$/\1/p" Cargo.toml | head -n 1; }
case $1 in
    version) stated version ;;
    home) stated repository ;;
    download) echo "${DERNY_DOWNLOAD:-$(stated repository)/releases/download}" ;;
    time) git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md ;;
    *) echo "fact.sh: no fact $1" >&2; exit 2 ;;
esac
