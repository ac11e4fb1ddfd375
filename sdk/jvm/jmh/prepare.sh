#!/bin/sh
# Looks at benchmarks of JMH on a class path and writes down for run.sh how they run:
#
#     prepare.sh SDK PATH NAME WHAT JAVA… [FLAG…]    (NAME.cp, NAME.flags and NAME.hints are written; WHAT is what messages call them)
set -eu
sdk=$1 path=$2 name=$3 what=$4
shift 4
mkdir -p "$(dirname "$name")"
sh "$sdk/jar.sh" "$sdk"
# `java -jar JAR` is how people start it.
for word; do
    shift
    [ "$word" = -jar ] || set -- "$@" "$word"
done
# sum PATH: what is in the path's files, and in the lists of benchmarks of its folders.
sum() {
    printf '%s\n' "$1" | tr : '\n' | while IFS= read -r one; do
        [ ! -d "$one" ] || one=$one/META-INF/BenchmarkList
        [ ! -f "$one" ] || cksum <"$one"
    done | cksum
}
stamp="$* $path $(cksum <"$sdk/derny.jar") $(sum "$path")"
[ ! -f "$name.stamp" ] || [ "$(cat "$name.stamp")" != "$stamp" ] || exit 0
"$@" -cp "$sdk/derny.jar:$path" derny.JmhPrepare "$name" "$what"
printf '%s\n' "$sdk/derny.jar" "$path" derny.Training derny.Jmh >"$name.cp"
echo "$stamp" >"$name.stamp"
