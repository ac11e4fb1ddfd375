#!/bin/sh
# Downloads Clojure with Maven for projects that do not provide it: fetch.sh FOLDER copies its jars
# into FOLDER, unless they exist.
set -eu
folder=$1
here=$(cd "$(dirname "$0")" && pwd)
for jar in "$folder"/clojure-*.jar; do
    [ ! -f "$jar" ] || exit 0
done
command -v mvn >/dev/null || {
    echo "Clojure is not installed: install the Clojure CLI or Leiningen, add its jars to CLASSPATH, or install Maven (apt-get install maven) to download it" >&2
    exit 1
}
draft=$(mktemp -d)
trap 'rm -rf "$draft"' EXIT
# Try without the network first: Maven may have cached the jars.
for offline in --offline --batch-mode; do
    if mvn --quiet --batch-mode $offline -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$draft/jars" >"$draft/log" 2>&1; then
        mkdir -p "$folder"
        mv "$draft"/jars/*.jar "$folder"
        exit 0
    fi
done
cat "$draft/log" >&2
exit 1
