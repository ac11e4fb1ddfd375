#!/usr/bin/env bash
# Tests jars like those of kotlinx-benchmark and sbt-jmh, but makes them without Gradle and sbt. It calls the same compilers and
# JMH's bytecode generator, as both plug-ins do, and packs JMH into the jar. Only the manifest refers to the libraries that would
# take long to pack. Maven downloads these tools once.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
. ../../../tests/checks.sh
project=$place/project
here=$PWD/languages
mkdir -p "$project/lib"
(cd "$project" && git init --quiet .)

# Maven keeps what it has found, so that the next call needs no network. Starting it takes seconds, so its answer is kept too.
libraries=$PWD/../target/jmh-languages
mkdir -p ../target
found() { # found: succeeds if the answer is about this pom.xml and all libraries exist
    local one
    [ "$libraries" -nt languages/pom.xml ] || return 1
    for one in $(tr : ' ' <"$libraries"); do [ -f "$one" ] || return 1; done
}
ask() { # ask [OPTION]
    mvn --quiet --batch-mode "$@" -f languages/pom.xml org.apache.maven.plugins:maven-dependency-plugin:build-classpath \
        -Dmdep.outputFile="$libraries" >"$place/maven" 2>&1
}
if ! found && ! ask --offline && ! ask; then
    skip "jars of kotlinx-benchmark and sbt-jmh" "Maven cannot get their compilers: $(grep -m 1 ERROR "$place/maven")"
    sum
    exit 0
fi
on=$(cat "$libraries")

# Optimising the compilers would cost more than it saves.
quick=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC)
kotlin() { java "${quick[@]}" -cp "$on" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect -cp "$on" -d "$1" "$here/Words.kt"; }
scala() { java "${quick[@]}" -cp "$on" dotty.tools.dotc.Main -classpath "$on" -d "$1" "$here/Words.scala"; }
makes() { # makes JAR COMPILER PATTERN: compiles, generates and packs a jar with JMH, whose manifest refers to the libraries whose names match
    local classes=$place/$2 library manifest="$place/manifest"
    mkdir -p "$classes" "$place/$2-sources" "$place/$2-unpacked"
    "$2" "$classes" &&
        java "${quick[@]}" -cp "$on:$classes" org.openjdk.jmh.generators.bytecode.JmhBytecodeGenerator "$classes" "$place/$2-sources" "$classes" default &&
        find "$place/$2-sources" -name '*.java' -exec javac "${quick[@]/#/-J}" -nowarn -Xlint:-options -proc:none -cp "$on:$classes" -d "$classes" {} + || return 1
    for library in $(tr : '\n' <"$libraries" | grep -E '/(jmh-core|jopt-simple)-'); do
        (cd "$place/$2-unpacked" && jar xf "$library") || return 1
    done
    printf 'Main-Class: org.openjdk.jmh.Main\nClass-Path: \n' >"$manifest"
    for library in $(tr : '\n' <"$libraries" | grep -E "$3"); do
        cp "$library" "$project/lib" && printf '  lib/%s\n' "${library##*/}" >>"$manifest" || return 1
    done
    cp -r "$classes/." "$place/$2-unpacked" && rm -rf "$place/$2-unpacked/META-INF/MANIFEST.MF" && jar cfm0 "$project/$1" "$manifest" -C "$place/$2-unpacked" .
}
lists() { # lists JAR CLASS: fails unless the names equal those that JMH lists
    java -jar "$1" -l | grep "^$2\." | sort >theirs
    "$DERNY_BIN" list "$1" | grep -oE "$2\.[a-z]+" | sort -u >ours
    diff theirs ours && [ "$(wc -l <ours)" = 2 ]
}

check "a jar of Kotlin benchmarks" makes app-main-jmh-1.0-JMH.jar kotlin '/(commons-math3|kotlin-stdlib|kotlinx-benchmark-runtime-jvm)-'
check "kotlinx-benchmark: cases have the names of JMH's own listing" lists app-main-jmh-1.0-JMH.jar k.Words
check "kotlinx-benchmark: all cases work" says "4 passed" "$DERNY_BIN" run --once -v app-main-jmh-1.0-JMH.jar
check "a jar of Scala benchmarks" makes bench-assembly-2.3.4-jmh.jar scala '/(commons-math3|scala-library|scala3-library)'
check "sbt-jmh: cases have the names of JMH's own listing" lists bench-assembly-2.3.4-jmh.jar s.Words
check "sbt-jmh: all cases work" says "4 passed" "$DERNY_BIN" run --once -v bench-assembly-2.3.4-jmh.jar
sum
exit $status
