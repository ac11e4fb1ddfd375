#!/bin/sh
# Finds the class path of a file of benchmarks, compiles this SDK's namespaces with the Clojure on it, and writes down for run.sh
# how it runs:
#
#     build.sh SDK FILE ROOT NAME    (NAME.cp is written, NAME being an absolute path without ending)
#
# Below a deps.edn the Clojure CLI says the class path (with the alias :bench, if the file has one), below a project.clj
# Leiningen does, below a pom.xml Maven and below a build.gradle Gradle. Where the tool is missing, and elsewhere, it is CLASSPATH
# and the folders src, test and resources; and if no Clojure is on that, the one that fetch.sh fetches.
set -eu
sdk=$1 file=$2 root=$3 name=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$(dirname "$name")
mkdir -p "$work"
sh "$here/../jar.sh" "$sdk"

# above NAME: the nearest folder from the file's up to the root that has it.
above() {
    folder=$(dirname "$file")
    while [ ! -f "$folder/$1" ]; do
        case $folder in "$root" | / | .) return ;; esac
        folder=$(dirname "$folder")
    done
    echo "$folder"
}
# absolute FOLDER: the class path on standard input, its relative entries being in the folder.
absolute() {
    tr ':' '\n' | sed -e '/^$/d' -e "/^\//!s|^|$1/|" | paste -s -d : -
}
deps=$(above deps.edn)
lein=$(above project.clj)
path=
# Debian has a command `clojure`, too, which is none of the tools and knows no class path.
if [ -n "$deps" ] && command -v clojure >/dev/null && (cd "$deps" && clojure -Sdescribe) >/dev/null 2>&1 </dev/null; then
    alias=$(grep -q ':bench\b' "$deps/deps.edn" && echo -A:bench || true)
    # shellcheck disable=SC2086 # nothing, if it is empty
    path=$(cd "$deps" && clojure $alias -Spath)
elif [ -n "$lein" ] && command -v lein >/dev/null; then
    # Leiningen takes seconds to say it: not again while the project's file is older than what it said. Its base profile is what
    # its REPL needs.
    said=$work/lein-$(printf %s "$lein" | cksum | cut -d ' ' -f 1)
    if [ ! -f "$said" ] || [ -n "$(find "$lein/project.clj" -newer "$said")" ]; then
        (cd "$lein" && { lein -o with-profile -base classpath 2>/dev/null || lein with-profile -base classpath; }) >"$said.draft"
        mv "$said.draft" "$said"
    fi
    path=$(tail -n 1 "$said")
elif [ -n "$deps$lein" ]; then
    echo "the dependencies of ${deps:+$deps/deps.edn}${lein:+$lein/project.clj} are left out: neither the Clojure CLI nor lein is installed" >&2
else
    path=$(sh "$here/../classpath.sh" "$file" "$root" "$work")
fi
project=${deps:-${lein:-$root}} folders=
if [ -z "$path" ]; then path=${CLASSPATH:-} folders="src test resources"; fi
for folder in $folders src/main/clojure src/test/clojure; do
    [ ! -d "$project/$folder" ] || path=$path:$project/$folder
done
path=$(echo "$path" | absolute "$project")
case $path in
*/clojure-[0-9]*.jar* | */clojure.jar*) ;;
*)
    sh "$here/fetch.sh" "$sdk/clojure"
    for jar in "$sdk"/clojure/*.jar; do path=$path:$jar; done
    ;;
esac

# Clojure comes first, so that an archive of its classes fits (run.sh); it is in no danger of being shadowed.
clojure=$(echo "$path" | tr ':' '\n' | grep -E '/(clojure|spec\.alpha|core\.specs\.alpha)(-[0-9][^/]*)?\.jar$' | paste -s -d : -)
[ -n "$clojure" ] || { echo "there is no Clojure on the class path $path" >&2; exit 1; }

# Compiled namespaces belong to one Clojure and one state of the sources, and to all projects.
key=$( (echo "$clojure"; cat "$here"/src/*/*.clj; cksum <"$sdk/derny.jar") | cksum | cut -d ' ' -f 1)
compiled=$sdk/clojure-$key.jar
if [ ! -f "$compiled" ]; then
    draft=$(mktemp -d)
    trap 'rm -rf "$draft"' EXIT
    mkdir "$draft/classes"
    java -XX:TieredStopAtLevel=1 -Dclojure.compile.path="$draft/classes" -cp "$draft/classes:$sdk/derny.jar:$here/src:$clojure" \
        clojure.main -e "(run! compile '[derny.main derny.training keirin.core])" >/dev/null
    (cd "$draft" && jar cf derny-clojure.jar -C classes . -C "$here/src" .)
    mv "$draft/derny-clojure.jar" "$compiled.$$"
    mv "$compiled.$$" "$compiled"
fi
printf '%s\n' "$compiled:$sdk/derny.jar:$clojure" "$path" 'clojure.main -m derny.training' 'clojure.main -m derny.main' >"$name.cp"
