#!/usr/bin/env bash
# Tests jars made by JMH's own annotation processor: they have the cases that JMH itself lists, and
# all cases work. Maven downloads JMH once.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
. ../../../tests/checks.sh
project=$place/project
mkdir -p "$project" "$place/classes"

# Look into Maven's repository first: starting Maven takes seconds, and usually everything is there.
local=${MAVEN_REPOSITORY:-$HOME/.m2/repository}
libraries=()
for part in org/openjdk/jmh/jmh-core/1.37 org/openjdk/jmh/jmh-generator-annprocess/1.37 net/sf/jopt-simple/jopt-simple/5.0.4 \
    org/apache/commons/commons-math3/3.6.1; do
    name=${part%/*}
    libraries+=("$local/$part/${name##*/}-${part##*/}.jar")
done
if ! ls "${libraries[@]}" >/dev/null 2>&1 && ! mvn --quiet --batch-mode -f test/pom.xml org.apache.maven.plugins:maven-dependency-plugin:build-classpath \
    -Dmdep.outputFile="$place/libraries" >"$place/maven" 2>&1; then
    skip "jars of JMH" "Maven cannot get JMH 1.37: $(grep -m 1 ERROR "$place/maven")"
    sum
    exit 0
fi
[ ! -f "$place/libraries" ] || IFS=: read -ra libraries <"$place/libraries"

# Make a jar of benchmarks whose manifest refers to JMH in the folder `lib` beside it.
mkdir "$project/lib" && cp "${libraries[@]}" "$project/lib"
on=$(printf '%s:' "$project"/lib/*.jar)
# Optimising the compiler would cost more than it saves.
javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -nowarn -Xlint:-options -cp "$on" -processorpath "$on" -d "$place/classes" test/x/*.java 2>"$place/log" || { cat "$place/log"; exit 1; }
printf 'Main-Class: org.openjdk.jmh.Main\nClass-Path: \n' >"$place/manifest"
for library in "$project"/lib/*.jar; do printf '  lib/%s\n' "${library##*/}" >>"$place/manifest"; done
jar cfm0 "$project/benchmarks.jar" "$place/manifest" -C "$place/classes" . || exit 1
cp "$project/benchmarks.jar" "$project/same.jar"
(cd "$project" && git init --quiet .)

# lists: fails unless the names equal those that JMH lists, each once.
lists() {
    java -jar benchmarks.jar -l | grep '^x\.' | sort -u >theirs
    "$DERNY_BIN" list benchmarks.jar | grep -o 'x\.Many\.[a-z]*' | sort -u >ours
    diff theirs ours && [ "$(wc -l <ours)" -ge 11 ]
}
check "cases have the names of JMH's own listing" lists

# meets: fails unless a result written by JMH has the same case names as the listing.
ids() { tr -d ' \n' | grep -o '"id":{"suite":[^}]*}' | sort -u; }
meets() {
    java -jar benchmarks.jar -f 0 -wi 0 -i 1 -r 1ms -rf json -rff result.json 'x.Many.(tokens|nothing|operations)$' >"$place/jmh" 2>&1 || return 1
    "$DERNY_BIN" list benchmarks.jar tokens nothing operations -f json | ids >live
    local run
    run=$("$DERNY_BIN" import result.json | sed 's/^run \([^:]*\):.*/\1/') || return 1
    "$DERNY_BIN" show "$run" -f json | ids >file
    comm -23 live file
    [ "$(wc -l <live)" -eq 6 ] && [ -z "$(comm -23 live file)" ]
}
check "a result of JMH has the names of the listing" meets

# all_of TEXT TEXT... -- COMMAND...: fails unless the output contains all texts. Ignores the exit
# status.
all_of() {
    local texts=() output text
    while [ "$1" != -- ]; do texts+=("$1") && shift; done
    shift
    output=$("$@" 2>&1)
    echo "$output"
    for text in "${texts[@]}"; do grep -qF -- "$text" <<<"$output" || { echo "not said: $text"; return 1; }; done
}
check "all benchmarks of a jar work, with set-up and tear-down" all_of "11 passed" "trial begins" "trial ends" -- "$DERNY_BIN" run --once=smallest -v benchmarks.jar
check "every value of a parameter is measured" all_of "x.Many.nothing n=1 passed" "x.Many.nothing n=100 passed" -- "$DERNY_BIN" run --once -v benchmarks.jar x.Many.nothing

# Send one process the commands for several cases. The last turn of each case follows turns in which
# its code is compiled.
cp -r .. "$place/sdk"
cp "$(ls -t ../target/derny-*.jar | head -n 1)" "$place/sdk/derny.jar" 2>"$place/log" || ../jar.sh "$place/sdk" || status=1
sh "$place/sdk/jmh/build.sh" "$place/sdk" "$project/benchmarks.jar" "$place/made" java || status=1
for case in "tokens 1000" "operations 1" "allocate 1000" "nothing 1000" "together 1" "iteration 1" "turns 1" "counted 1" "cold 1"; do
    echo "open benchmark=x.Many.${case% *} p.n=1"
    for turn in "batches=2000 within=60000000" "batches=2000 within=60000000" "batches=9 within=20000000"; do
        echo "measure iterations=${case#* } $turn"
    done
    echo close
done >"$place/commands"
echo quit >>"$place/commands"
# Use a pipe: a file that is opened twice would be overwritten.
DERNY_COMMANDS=/dev/stdin DERNY_REPLIES=/dev/stdout sh "$place/sdk/jmh/run.sh" "$place/made" "$project/benchmarks.jar" -- java \
    <"$place/commands" 2>/dev/null | cat >"$place/told"
part() { awk -v number="$1" '/^opened/ { seen++ } seen == number' "$place/told"; }
fastest() { awk '$1 == "times" { least = $2; for (i = 3; i <= NF; i++) if ($i + 0 < least + 0) least = $i } END { print least }'; }
operations() { # one call with 100,000 tokens is the same work as a thousand calls with 100, so the times must be close
    local one thousand
    one=$(part 1 | fastest) && thousand=$(part 2 | fastest)
    echo "1000 calls of 100 tokens: $one ns; a call of 100,000: $thousand ns"
    [ $((one / 3)) -lt "$thousand" ] && [ $((thousand / 3)) -lt "$one" ]
}
check "a turn makes the requested number of calls" operations
allocates() { # allocates PART BYTES: fails unless each call allocates exactly BYTES
    local told at bytes batches
    told=$(part "$1")
    echo "$told" | tail -n 3
    at=$(sed -n 's/.* metrics=\([^ ]*\).*/\1/p' "$place/told" | tr , '\n' | grep -n '^allocated:' | cut -d : -f 1)
    bytes=$(grep '^end ' <<<"$told" | tail -n 1 | cut -d ' ' -f $((at + 1)))
    batches=$(($(grep '^times ' <<<"$told" | tail -n 1 | wc -w) - 1))
    echo "$bytes bytes in $batches batches of 1000 calls, $2 each wanted"
    [ "$bytes" = $((batches * 1000 * $2)) ]
}
check "allocated bytes are exact" allocates 3 24
check "a benchmark that allocates nothing reports 0" allocates 4 0
check "a benchmark with several threads reports its operations" says "ops " part 5
check "fixtures of level Iteration run around each iteration" says "ops " part 6
check "members of a group are reported" says "v.ping:ns" part 7
check "auxiliary counters are reported" says "v.even:1/s" part 8
check "a benchmark of single shots is called once" says "opened once=1" part 9

# Variants, and failures of single cases.
check "two jars are two variants, identical jars are reported, and a failing set-up fails only its case" \
    all_of "are the same program, byte for byte" "no such number" "n=1" -- \
    "$DERNY_BIN" run -x benchmarks.jar -x new=same.jar x.Many.tokens -p n=666,1 --budget 300ms --set processes=2 --set rounds=3 --set warmup=100ms
check "a variant can combine a jar with a JVM and flags; names and values select cases" all_of "Z Garbage Collector" "x.Many.allocate n=7 passed" -- \
    "$DERNY_BIN" run --once -v -x zgc="java -XX:+UseZGC -Xlog:gc+init:stderr -jar same.jar" x.Many.allocate -p n=7
check "a missing jar is an error" refuses "names a file that does not exist" "$DERNY_BIN" run -x old=typo.jar -x new=same.jar
check "profilers of JMH are rejected" says "-prof is not supported" "$DERNY_BIN" run --once benchmarks.jar nothing --args '-prof gc'
for class in "$place"/classes/x/jmh_generated/*_jmhTest.class; do printf '\0\377' | dd of="$class" bs=1 seek=6 conv=notrunc status=none; done
jar cfm0 "$project/newer.jar" "$place/manifest" -C "$place/classes" . || status=1
check "a jar for a newer Java is reported" says "it needs Java 211" "$DERNY_BIN" run newer.jar
printf 'Main-Class: x.Y\n' >"$place/manifest"
jar cfm0 "$project/other.jar" "$place/manifest" -C .. README.md
check "a jar without benchmarks is reported" says "has no benchmarks of JMH" "$DERNY_BIN" run other.jar

# Sources in a module of a Maven project. A script replaces Maven: it compiles as Maven would and
# records each call.
project=$place/sources
mkdir -p "$project/part/src/main/java/x" "$place/bin"
cat >"$place/bin/mvn" <<'S'
#!/bin/sh
echo "$PWD: $*" >>"$CALLS"
for word; do
    [ "${before:-}" != --projects ] || module=$word
    case $word in -Dmdep.outputFile=*) output=${word#*=} ;; esac
    before=$word
done
if [ -d "$module/target/generated-sources" ]; then
    find "$module/target/generated-sources" -name '*.java' | grep -q . && echo "FilerException: Attempt to recreate a file for type x" && exit 1
fi
mkdir -p "$module/target/classes"
javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -nowarn -cp "$ON" -processorpath "$ON" -d "$module/target/classes" "$module"/src/main/java/x/*.java && printf %s "$ON" >"$output"
S
chmod +x "$place/bin/mvn"
echo '<project><packaging>pom</packaging><modules><module>part</module></modules></project>' >"$project/pom.xml"
echo '<project><artifactId>part</artifactId></project>' >"$project/part/pom.xml"
for name in Few More; do
    printf 'package x;\nimport org.openjdk.jmh.annotations.*;\npublic class %s {\n    @Benchmark public int one() { return 1; }\n}\n' $name \
        >"$project/part/src/main/java/x/$name.java"
done
echo target >"$project/.gitignore"
mkdir -p "$project/part/target/generated-sources/annotations/x" && touch "$project/part/target/generated-sources/annotations/x/Old.java"
(cd "$project" && git init --quiet -b main . && git add . && git -c user.name=x -c user.email=x@x commit --quiet -m x)
by_maven=(env PATH="$place/bin:$PATH" CALLS="$place/calls" ON="$on" "$DERNY_BIN")
check "sources of a Maven module are built and run" all_of "x.Few.one passed" "2 passed" -- "${by_maven[@]}" run --once --build-args -Pspeed
check "a file of the module can be selected" says "1 passed" "${by_maven[@]}" run --once --build-args -Pspeed part/src/main/java/x/More.java
calls() { # calls COUNT TEXT: fails unless Maven was called COUNT times, the last time with TEXT
    cat "$place/calls"
    [ "$(wc -l <"$place/calls")" = "$1" ] && tail -n 1 "$place/calls" | grep -qF -- "$2"
}
check "Maven is called once for the module and its dependencies, and again after removing stale generated sources" calls 2 "-Pspeed --also-make --projects part test-compile"
check "a revision is built separately" says "1 passed" "${by_maven[@]}" run --once -x main -x head --build-args -Pspeed x.Few.one
check "Maven is not called again for the working tree" calls 3 "-Pspeed --also-make"
sum
exit "$status"
