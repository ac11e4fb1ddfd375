#!/bin/sh
# Compiles a benchmark file and writes what run.sh needs to run it:
#
#     build.sh SDK FILE ROOT NAME    (NAME is an absolute path without extension; writes NAME.cp and NAME.classes)
#
# A file below a pom.xml is compiled by Maven, and a file below a build.gradle by Gradle (see
# classpath.sh). If they do not compile it, as in a folder `bench`, javac does, with the class path
# of their project. Other files are compiled by javac with CLASSPATH and ROOT/lib/*.jar.
set -eu
sdk=$1 file=$2 root=$3 name=$4
mkdir -p "$(dirname "$name")"
sh "$sdk/jar.sh" "$sdk"

# A file is not compiled if it is unrelated to this library: it does not mention the library and its
# class extends no other class.
if ! grep -Eq 'derny|[[:space:]]extends[[:space:]]' "$file"; then
    printf '%s\n' "$sdk/derny.jar" "" derny.Training derny.Main >"$name.cp"
    exit 0
fi
# All files share the folder in which classpath.sh keeps its results.
relative=${file#"$root"/}
work=${name%/"${relative%.*}"}
[ "$work" != "$name" ] || work=$(dirname "$name")
path=$(sh "$(dirname "$0")/classpath.sh" "$file" "$root" "$work")
package=$(sed -n 's/^[[:space:]]*package[[:space:]]\{1,\}\([A-Za-z0-9_.]*\)[[:space:]]*;.*/\1/p' "$file" | head -n 1)
class=${package:+$(echo "$package" | tr . /)/}$(basename "$file" .java).class

# compiled PATH: succeeds if a folder of the class path contains the class of the file.
compiled() {
    for folder in $(echo "$1" | tr ' :' '?\n'); do
        [ ! -f "$folder/$class" ] || return 0
    done
    return 1
}
# inputs: prints a digest of all files that javac may read, or nothing if the version of the JDK is
# unknown.
inputs() {
    jdk=$(readlink -f "$(command -v javac || true)" 2>/dev/null || true)
    jdk=${jdk%/bin/javac}/release
    [ -f "$jdk" ] || return 0
    (
        IFS=:
        # shellcheck disable=SC2086 # one entry per word, and entries with a star are expanded
        {
            printf '%s\n' "$file" "$libraries" "${JDK_JAVAC_OPTIONS:-}"
            cat "$jdk"
            find -L "$sources/." -name '.?*' -prune -o -type f -name '*.java' -exec cksum {} + || true
            find -L "$sdk/derny.jar" $libraries -type f -exec cksum {} + || true
        } 2>/dev/null | cksum
    )
}
if [ -z "$path" ] || ! compiled "$path"; then
    libraries=${path:-${CLASSPATH:-}}
    if [ -z "$path" ]; then
        for jar in "$root"/lib/*.jar; do
            [ ! -f "$jar" ] || libraries=$libraries:$jar
        done
    fi
    # Other classes of the project are in folders below the root of the file's package.
    sources=$(dirname "$file")
    for _ in $(echo "$package" | tr . ' '); do sources=$(dirname "$sources"); done
    inputs=$(inputs)
    # Starting javac is slow, so an up-to-date result is reused.
    if [ -z "$inputs" ] || [ ! -d "$name.classes" ] || [ "$(cat "$name.inputs" 2>/dev/null)" != "$inputs" ]; then
        rm -rf "$name.classes" "$name.inputs"
        mkdir -p "$name.classes"
        # One file and what it needs take longer with an optimised compiler.
        javac -J-XX:TieredStopAtLevel=1 -proc:none -Xlint:-options -encoding UTF-8 -d "$name.classes" \
            -cp "$sdk/derny.jar:$libraries" -sourcepath "$sources" "$file" 2>"$name.log" || {
            # Ignore errors about JMH in a file that does not use Derny, such as a class that inherits JMH
            # benchmarks.
            if grep -q derny "$file" || ! grep -q 'org\.openjdk\.jmh' "$name.log"; then
                cat "$name.log" >&2
                exit 1
            fi
        }
        printf '%s\n' "$inputs" >"$name.inputs"
    fi
    path=$name.classes${libraries:+:$libraries}
fi
printf '%s\n' "$sdk/derny.jar" "$path" derny.Training derny.Main >"$name.cp"
