#!/bin/sh
# Builds a benchmark file and writes down the class path with which it runs:
#
#     build.sh SDK FILE ROOT NAME    (NAME.cp and NAME.classes are written, NAME being an absolute path without ending)
#
# A file below a pom.xml is compiled by Maven, below a build.gradle by Gradle, any other by javac, with what CLASSPATH and
# ROOT/lib/*.jar offer. Whether it is built again is for Maven and Gradle to know; they are not even asked while nothing is
# newer than their last success.
set -eu
sdk=$1 file=$2 root=$3 name=$4
mkdir -p "$(dirname "$name")"
sh "$sdk/jar.sh" "$sdk"

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
        case $folder in "$root" | /) return ;; esac
        folder=$(dirname "$folder")
    done
}
# tool WRAPPER COMMAND FOLDER: the project's wrapper, else the command.
tool() {
    wrapped=$(above "$3" "$1")
    if [ -n "$wrapped" ]; then echo "sh $wrapped/$1"; else command -v "$2" || { echo "$2 is not installed" >&2; exit 1; }; fi
}
# fresh STAMP FOLDER: whether the project in the folder is as it was when the stamp was made.
fresh() {
    [ -f "$1" ] && [ -z "$(find "$2" \( -name target -o -name build -o -name .gradle -o -name '.git' -o -name .derny \) -prune -o -type f -newer "$1" -print | head -n 1)" ] &&
        [ "$(cat "$1")" = "$(listing "$2")" ]
}
listing() {
    find "$1" \( -name target -o -name build -o -name .gradle -o -name .git -o -name .derny \) -prune -o -type f -print | LC_ALL=C sort | cksum
}

here=$(dirname "$file")
project=$(above "$here" pom.xml)
if [ -n "$project" ]; then
    stamp=$(dirname "$name")/maven-$(printf %s "$project" | cksum | cut -d ' ' -f 1)
    if ! fresh "$stamp" "$project"; then
        cd "$project"
        maven=$(tool mvnw mvn "$project")
        # The class path without the network first: most of the time everything is there.
        for offline in --offline --batch-mode; do
            if $maven --quiet --batch-mode $offline -DskipTests test-compile \
                org.apache.maven.plugins:maven-dependency-plugin:build-classpath \
                -Dmdep.outputFile="$stamp.cp" -Dmdep.includeScope=test >"$stamp.log" 2>&1; then
                break
            elif [ $offline = --batch-mode ]; then
                cat "$stamp.log" >&2
                exit 1
            fi
        done
        listing "$project" >"$stamp"
    fi
    echo "$project/target/test-classes:$project/target/classes:$(cat "$stamp.cp")" >"$name.cp"
    exit
fi
project=$(above "$here" build.gradle build.gradle.kts)
if [ -n "$project" ]; then
    stamp=$(dirname "$name")/gradle-$(printf %s "$project" | cksum | cut -d ' ' -f 1)
    if ! fresh "$stamp" "$project"; then
        cd "$project"
        gradle=$(tool gradlew gradle "$project")
        $gradle --quiet --init-script "$sdk/classpath.gradle" testClasses dernyClasspath >"$stamp.cp"
        listing "$project" >"$stamp"
    fi
    tail -n 1 "$stamp.cp" >"$name.cp"
    exit
fi

classes=$name.classes
libraries=${CLASSPATH:-}
for jar in "$root"/lib/*.jar; do
    [ ! -f "$jar" ] || libraries=$libraries:$jar
done
# Other classes of the project are found below the folder in which the file's package begins.
package=$(sed -n 's/^[[:space:]]*package[[:space:]]\{1,\}\([A-Za-z0-9_.]*\)[[:space:]]*;.*/\1/p' "$file" | head -n 1)
sources=$here
for _ in $(echo "$package" | tr . ' '); do sources=$(dirname "$sources"); done
rm -rf "$classes"
mkdir -p "$classes"
javac -proc:none -Xlint:-options -encoding UTF-8 -d "$classes" -cp "$sdk/derny.jar:$libraries" -sourcepath "$sources" "$file"
echo "$classes${libraries:+:$libraries}" >"$name.cp"
