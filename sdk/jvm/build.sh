#!/bin/sh
# Builds a benchmark file and writes down for run.sh how it runs:
#
#     build.sh SDK FILE ROOT NAME    (NAME.cp and NAME.classes are written, NAME being an absolute path without ending)
#
# A file below a pom.xml is compiled by Maven, below a build.gradle by Gradle (classpath.sh). One that they leave out, such as one
# in a folder `bench`, is compiled by javac with their class path, any other with what CLASSPATH and ROOT/lib/*.jar offer.
set -eu
sdk=$1 file=$2 root=$3 name=$4
mkdir -p "$(dirname "$name")"
sh "$sdk/jar.sh" "$sdk"

# A class that neither speaks of this library nor extends another one, nor has classes that do, is not ours: it is not compiled.
if ! grep -Eq 'derny|[[:space:]]extends[[:space:]]' "$file"; then
    printf '%s\n' "$sdk/derny.jar" "" derny.Training derny.Main >"$name.cp"
    exit 0
fi
path=$(sh "$(dirname "$0")/classpath.sh" "$file" "$root" "$(dirname "$name")")
package=$(sed -n 's/^[[:space:]]*package[[:space:]]\{1,\}\([A-Za-z0-9_.]*\)[[:space:]]*;.*/\1/p' "$file" | head -n 1)
class=${package:+$(echo "$package" | tr . /)/}$(basename "$file" .java).class

# compiled PATH: whether the class of the file is in a folder of a class path.
compiled() {
    for folder in $(echo "$1" | tr ' :' '?\n'); do
        [ ! -f "$folder/$class" ] || return 0
    done
    return 1
}
# inputs: a digest of all that javac may read. Nothing where the JDK does not say what it is.
inputs() {
    jdk=$(readlink -f "$(command -v javac || true)" 2>/dev/null || true)
    jdk=${jdk%/bin/javac}/release
    [ -f "$jdk" ] || return 0
    (
        IFS=:
        # shellcheck disable=SC2086 # an entry a word, and for one with a star all that it stands for
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
    # Other classes of the project are found below the folder in which the file's package begins.
    sources=$(dirname "$file")
    for _ in $(echo "$package" | tr . ' '); do sources=$(dirname "$sources"); done
    inputs=$(inputs)
    # A JVM takes longer to start than what it would compile again.
    if [ -z "$inputs" ] || [ ! -d "$name.classes" ] || [ "$(cat "$name.inputs" 2>/dev/null)" != "$inputs" ]; then
        rm -rf "$name.classes" "$name.inputs"
        mkdir -p "$name.classes"
        javac -proc:none -Xlint:-options -encoding UTF-8 -d "$name.classes" -cp "$sdk/derny.jar:$libraries" -sourcepath "$sources" "$file" 2>"$name.log" || {
            # A class that inherits from JMH's need not say so itself.
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
