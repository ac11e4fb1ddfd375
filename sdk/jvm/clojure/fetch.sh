#!/bin/sh
# Fetches Clojure through Maven, where a project brings none: fetch.sh FOLDER puts its jars there. Nothing is done if they
# are there already.
set -eu
folder=$1
here=$(cd "$(dirname "$0")" && pwd)
for jar in "$folder"/clojure-*.jar; do
    [ ! -f "$jar" ] || exit 0
done
command -v mvn >/dev/null || {
    echo "there is no Clojure here: install the Clojure CLI or Leiningen, put its jars on CLASSPATH, or install Maven (apt-get install maven), which fetches it" >&2
    exit 1
}
draft=$(mktemp -d)
trap 'rm -rf "$draft"' EXIT
# What Maven has fetched before is taken without asking the network.
for offline in --offline --batch-mode; do
    if mvn --quiet --batch-mode $offline -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$draft/jars" >"$draft/log" 2>&1; then
        mkdir -p "$folder"
        mv "$draft"/jars/*.jar "$folder"
        exit 0
    fi
done
cat "$draft/log" >&2
exit 1
