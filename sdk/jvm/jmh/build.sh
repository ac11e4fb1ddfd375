#!/bin/sh
# Looks at a jar of JMH's and writes down for run.sh how it runs; nothing is built again, and the jar stays as it is:
#
#     build.sh SDK JAR NAME JAVA… [FLAG…]    (NAME.cp, NAME.flags and NAME.hints are written, NAME being an absolute path without ending)
set -eu
sdk=$1 jar=$2 name=$3
shift 3
[ -f "$jar" ] || { echo "there is no jar $jar" >&2; exit 1; }
mkdir -p "$(dirname "$name")"
sh "$sdk/jar.sh" "$sdk"
# `java -jar JAR` is how people start it.
for word; do
    shift
    [ "$word" = -jar ] || set -- "$@" "$word"
done
stamp="$* $(cksum <"$sdk/derny.jar") $(cksum <"$jar")"
[ ! -f "$name.stamp" ] || [ "$(cat "$name.stamp")" != "$stamp" ] || exit 0
"$@" -cp "$sdk/derny.jar:$jar" derny.JmhPrepare "$name"
printf '%s\n' "$sdk/derny.jar" "$jar" derny.Training derny.Jmh >"$name.cp"
echo "$stamp" >"$name.stamp"
