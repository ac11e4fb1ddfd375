#!/usr/bin/env bash
# archive.sh PLATFORM FOLDER CONTENT: makes the archive for a platform in FOLDER. It contains one folder with
# the files of CONTENT: the program, manual pages and completions.
set -euo pipefail
platform=$1 folder=$2 content=$3
name=derny-$("$(dirname "$0")/fact.sh" version)-$platform
tar -C "$content" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$("$(dirname "$0")/fact.sh" time)" \
    --transform="s,^\.,$name," -cf - . | gzip -n >"$folder/$name.tar.gz"
