#!/bin/sh
# Builds SDK/derny.jar from the sources in this folder without Maven: jar.sh FOLDER. Class files are
# for Java 8, or for the oldest Java that the compiler supports.
set -eu
sdk=$1
sources=$(cd "$(dirname "$0")" && pwd)/src/main/java
[ ! -f "$sdk/derny.jar" ] || [ -n "$(find "$sources" -newer "$sdk/derny.jar" -name '*.java' | head -n 1)" ] || exit 0
command -v javac >/dev/null || { echo "javac is not installed: install a JDK of version 8 or later" >&2; exit 1; }
draft=$(mktemp -d)
trap 'rm -rf "$draft"' EXIT
# compile WORD...: compiles with further words. It compiles so little that optimised code of the compiler
# would take longer to make than it saves.
compile() {
    javac "$@" -J-XX:TieredStopAtLevel=1 -proc:none -Xlint:-options -encoding UTF-8 -g -d "$draft/classes" "$sources"/derny/*.java
}
# Most compilers support the first version, and asking one takes a start of it.
if ! compile --release 8 >/dev/null 2>&1; then
    release=
    for version in 11 17; do
        # javac of Java 8 has no --release, and its default is the version that we want.
        case $(javac -version 2>&1) in *" 1.8"*) break ;; esac
        if javac --release $version -version >/dev/null 2>&1; then release="--release $version"; break; fi
    done
    # shellcheck disable=SC2086 # $release is empty or two words
    compile $release
fi
printf 'Main-Class: derny.Main\nAutomatic-Module-Name: derny\n' >"$draft/manifest"
jar cfm "$draft/derny.jar" "$draft/manifest" -C "$draft/classes" .
mv "$draft/derny.jar" "$sdk/derny.jar.$$"
mv "$sdk/derny.jar.$$" "$sdk/derny.jar"
