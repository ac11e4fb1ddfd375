#!/bin/sh
# Builds the project of Maven or Gradle below which a file lies, and prints the class path of its tests, where benchmarks lie;
# nothing where there is no such project:
#
#     classpath.sh FILE ROOT WORK [OPTION…]    (WORK is a folder for what is to be remembered; the options are for the build tool)
#
# A module of Maven is built from the outermost project above it, with the modules that it needs: what is installed of those may be of
# another revision.
#
# Whether anything is built again is for Maven and Gradle to know; they are not even asked while nothing is newer than their last
# success.
set -eu
file=$1 root=$2 work=$3
shift 3
options=$*
here=$(cd "$(dirname "$0")" && pwd)

# above FOLDER NAME...: the nearest folder from FOLDER up to the root that has one of the files.
above() {
    folder=$1
    shift
    while :; do
        for wanted; do
            if [ -f "$folder/$wanted" ]; then
                echo "$folder"
                return
            fi
        done
        case $folder in "$root" | / | .) return ;; esac
        folder=$(dirname "$folder")
    done
}
# tool WRAPPER COMMAND FOLDER: the project's wrapper, else the command.
tool() {
    wrapped=$(above "$3" "$1")
    if [ -n "$wrapped" ]; then echo "sh $wrapped/$1"; else command -v "$2" || { echo "$2 is not installed" >&2; exit 1; }; fi
}
sources() { # sources FOLDER WORD...: find, where a user's files are
    folder=$1
    shift
    find "$folder" \( -name target -o -name build -o -name .gradle -o -name .git -o -name .derny \) -prune -o -type f "$@" -print
}
listing() { sources "$1" | LC_ALL=C sort | cksum; }
# fresh STAMP FOLDER: whether the project in the folder is as it was when the stamp was made.
fresh() {
    [ -f "$1" ] && [ -z "$(sources "$2" -newer "$1" | head -n 1)" ] && [ "$(cat "$1")" = "$(listing "$2")" ]
}
# outermost FOLDER: the last folder from FOLDER up to the root that has a pom.xml, as has each one below it.
outermost() {
    outer=$1
    while [ "$outer" != "$root" ] && [ -f "$(dirname "$outer")/pom.xml" ]; do outer=$(dirname "$outer"); done
    echo "$outer"
}
ask() { # ask WORD…
    # shellcheck disable=SC2086 # several words, or none
    (cd "$in" && $maven --quiet --batch-mode $offline -DskipTests $options "$@" test-compile \
        org.apache.maven.plugins:maven-dependency-plugin:build-classpath \
        -Dmdep.outputFile="$stamp.libraries" -Dmdep.includeScope=test) >"$stamp.log" 2>&1
}
# An annotation processor refuses to write what an earlier build has left among the sources.
stale() {
    grep -q 'FilerException: Attempt to re' "$stamp.log" || return 1
    find "$whole" -type d -path '*/target/generated-*sources/*annotations' -prune -exec rm -rf {} +
}
# maven FOLDER WORD…: the class path without the network first: most of the time everything is there.
maven() {
    in=$1
    shift
    for offline in --offline --batch-mode; do
        if ask "$@" || { stale && ask "$@"; }; then
            echo "$project/target/test-classes:$project/target/classes:$(cat "$stamp.libraries")"
            return
        fi
    done
    return 1
}
by_maven() {
    maven=$(tool mvnw mvn "$project")
    if [ "$whole" = "$project" ]; then
        maven "$project" && return
    else
        maven "$whole" --also-make --projects "${project#"$whole"/}" && return
        # It may lie beside the others and be none of them.
        ! grep -q 'Could not find the selected project in the reactor' "$stamp.log" || ! maven "$project" || return 0
    fi
    # The reason comes first, and after it how to ask for more.
    why=$(grep '^\[ERROR\] ' "$stamp.log" | grep -Ev 'Help 1|[Rr]e-run Maven|For more information|\[ERROR\] *$' | head -n 10)
    if [ -n "$why" ]; then printf '%s\n' "$why" >&2; else cat "$stamp.log" >&2; fi
    exit 1
}
by_gradle() {
    gradle=$(tool gradlew gradle "$project")
    # Its daemon would stay, beside what is measured.
    # shellcheck disable=SC2086 # several words, or none
    $gradle --quiet --no-daemon $options --init-script "$here/classpath.gradle" testClasses dernyClasspath >"$stamp.log" || { cat "$stamp.log" >&2; exit 1; }
    tail -n 1 "$stamp.log"
}

folder=$(dirname "$file")
by=by_maven project=$(above "$folder" pom.xml)
[ -n "$project" ] || by=by_gradle project=$(above "$folder" build.gradle build.gradle.kts)
[ -n "$project" ] || exit 0
mkdir -p "$work"
whole=$project
[ $by != by_maven ] || whole=$(outermost "$project")
stamp=$work/$by-$(printf %s "$project $options" | cksum | cut -d ' ' -f 1)
if ! fresh "$stamp" "$whole"; then
    (cd "$project" && $by) >"$stamp.cp"
    listing "$whole" >"$stamp"
fi
cat "$stamp.cp"
