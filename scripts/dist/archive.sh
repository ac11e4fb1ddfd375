#!/usr/bin/env bash
# archive.sh PLATFORM FOLDER CONTENT: the archive for a platform in FOLDER. Its one folder has what CONTENT has: the program, manual pages, completions.
set -euo pipefail
platform=$1 folder=$2 content=$3
name=derny-$("$(dirname "$0")/fact.sh" version)-$platform
tar -C "$content" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$("$(dirname "$0")/fact.sh" time)" \
    --transform="s,^\.,$name," -cf - . | gzip -n >"$folder/$name.tar.gz"
