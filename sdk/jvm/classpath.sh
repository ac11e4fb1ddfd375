#!/bin/sh
# Builds the Maven or Gradle project that contains a file, and prints its test class path, because
# benchmarks are usually among the tests. Prints nothing if there is no such project:
#
#     classpath.sh FILE ROOT WORK [OPTION…]    (WORK is a folder for cached results; options are for the build tool)
#
# A Maven module is built from its outermost parent project, together with the modules it depends
# on: installed copies of those may be of another revision.
#
# Maven and Gradle decide what to build. They are not started if no file of the project has changed since
# their last success.
set -eu
file=$1 root=$2 work=$3
shift 3
options=$*
here=$(cd "$(dirname "$0")" && pwd)

# above FOLDER NAME...: prints the nearest folder, from FOLDER up to the root, that contains one of
# the files.
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
# tool WRAPPER COMMAND FOLDER: prints the command of the project's wrapper, or else COMMAND.
tool() {
    wrapped=$(above "$3" "$1")
    if [ -n "$wrapped" ]; then echo "sh $wrapped/$1"; else command -v "$2" || { echo "$2 is not installed" >&2; exit 1; }; fi
}
sources() { # sources FOLDER WORD...: runs find on the project's own files
    folder=$1
    shift
    find "$folder" \( -name target -o -name build -o -name .gradle -o -name .git -o -name .derny \) -prune -o -type f "$@" -print
}
listing() { sources "$1" | LC_ALL=C sort | cksum; }
# fresh STAMP FOLDER: succeeds if the project in the folder has not changed since the stamp was
# made.
fresh() {
    [ -f "$1" ] && [ -z "$(sources "$2" -newer "$1" | head -n 1)" ] && [ "$(cat "$1")" = "$(listing "$2")" ]
}
# outermost FOLDER: prints the outermost parent folder, up to the root, reached from FOLDER through
# folders that all have a pom.xml.
outermost() {
    outer=$1
    while [ "$outer" != "$root" ] && [ -f "$(dirname "$outer")/pom.xml" ]; do outer=$(dirname "$outer"); done
    echo "$outer"
}
ask() { # ask WORD…
    # shellcheck disable=SC2086 # $options contains zero or more words
    (cd "$in" && $maven --quiet --batch-mode $offline -DskipTests $options "$@" test-compile \
        org.apache.maven.plugins:maven-dependency-plugin:build-classpath \
        -Dmdep.outputFile="$stamp.libraries" -Dmdep.includeScope=test) >"$stamp.log" 2>&1
}
# Removes the generated sources of an earlier build if they made an annotation processor fail.
stale() {
    grep -q 'FilerException: Attempt to re' "$stamp.log" || return 1
    find "$whole" -type d -path '*/target/generated-*sources/*annotations' -prune -exec rm -rf {} +
}
# maven FOLDER WORD…: prints the class path. Tries without the network first, because usually all
# libraries are cached.
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
        # The project may not be a module of the outermost one. Build it alone.
        ! grep -q 'Could not find the selected project in the reactor' "$stamp.log" || ! maven "$project" || return 0
    fi
    # Print the reason only, without Maven's advice on how to get more output.
    why=$(grep '^\[ERROR\] ' "$stamp.log" | grep -Ev 'Help 1|[Rr]e-run Maven|For more information|\[ERROR\] *$' | head -n 10)
    if [ -n "$why" ]; then printf '%s\n' "$why" >&2; else cat "$stamp.log" >&2; fi
    exit 1
}
by_gradle() {
    gradle=$(tool gradlew gradle "$project")
    # Without --no-daemon, a daemon would keep running during the measurement.
    # shellcheck disable=SC2086 # $options contains zero or more words
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
    # Builds of other files may read the old path meanwhile.
    (cd "$project" && $by) >"$stamp.cp.$$"
    mv "$stamp.cp.$$" "$stamp.cp"
    listing "$whole" >"$stamp"
fi
cat "$stamp.cp"
