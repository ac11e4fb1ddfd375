#!/bin/sh
# Builds the project of Maven or Gradle below which a file lies, and prints the class path of its tests, where benchmarks lie;
# nothing where there is no such project:
#
#     classpath.sh FILE ROOT WORK    (WORK is a folder for what is to be remembered)
#
# Whether anything is built again is for Maven and Gradle to know; they are not even asked while nothing is newer than their last
# success.
set -eu
file=$1 root=$2 work=$3
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
by_maven() {
    maven=$(tool mvnw mvn "$project")
    # The class path without the network first: most of the time everything is there.
    for offline in --offline --batch-mode; do
        if $maven --quiet --batch-mode $offline -DskipTests test-compile \
            org.apache.maven.plugins:maven-dependency-plugin:build-classpath \
            -Dmdep.outputFile="$stamp.libraries" -Dmdep.includeScope=test >"$stamp.log" 2>&1; then
            echo "$project/target/test-classes:$project/target/classes:$(cat "$stamp.libraries")"
            return
        fi
    done
    cat "$stamp.log" >&2
    exit 1
}
by_gradle() {
    gradle=$(tool gradlew gradle "$project")
    # Its daemon would stay, beside what is measured.
    $gradle --quiet --no-daemon --init-script "$here/classpath.gradle" testClasses dernyClasspath >"$stamp.log" || { cat "$stamp.log" >&2; exit 1; }
    tail -n 1 "$stamp.log"
}

folder=$(dirname "$file")
by=by_maven project=$(above "$folder" pom.xml)
[ -n "$project" ] || by=by_gradle project=$(above "$folder" build.gradle build.gradle.kts)
[ -n "$project" ] || exit 0
mkdir -p "$work"
stamp=$work/$by-$(printf %s "$project" | cksum | cut -d ' ' -f 1)
if ! fresh "$stamp" "$project"; then
    (cd "$project" && $by) >"$stamp.cp"
    listing "$project" >"$stamp"
fi
cat "$stamp.cp"
