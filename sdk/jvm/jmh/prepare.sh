#!/bin/sh
# Inspects the JMH benchmarks on a class path and writes what run.sh needs to run them:
#
#     prepare.sh SDK PATH NAME WHAT JAVA… [FLAG…]    (writes NAME.cp, NAME.flags and NAME.hints; WHAT names the benchmarks in messages)
set -eu
sdk=$1 path=$2 name=$3 what=$4
shift 4
mkdir -p "$(dirname "$name")"
sh "$sdk/jar.sh" "$sdk"
# Users may write `java -jar JAR`. Remove -jar, since the jar is on the class path.
for word; do
    shift
    [ "$word" = -jar ] || set -- "$@" "$word"
done
# sum PATH: prints a checksum of the files on the path, and of the benchmark lists in its folders.
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
