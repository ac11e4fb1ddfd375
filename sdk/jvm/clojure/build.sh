#!/bin/sh
# Finds the class path of a benchmark file, compiles this SDK's namespaces with the Clojure on it,
# and writes what run.sh needs to run the file:
#
#     build.sh SDK FILE ROOT NAME    (NAME is an absolute path without extension; writes NAME.cp)
#
# The class path comes from the Clojure CLI below a deps.edn (with the alias :bench if defined),
# from Leiningen below a project.clj, from Maven below a pom.xml, and from Gradle below a
# build.gradle. Without such a file, or if the tool is missing, it is CLASSPATH and the folders src,
# test and resources. If it does not contain Clojure, the jars from fetch.sh are added.
set -eu
sdk=$1 file=$2 root=$3 name=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$(dirname "$name")
mkdir -p "$work"
sh "$here/../jar.sh" "$sdk"

# above NAME: prints the nearest folder, from the file's folder up to the root, that contains NAME.
above() {
    folder=$(dirname "$file")
    while [ ! -f "$folder/$1" ]; do
        case $folder in "$root" | / | .) return ;; esac
        folder=$(dirname "$folder")
    done
    echo "$folder"
}
# absolute FOLDER: reads a class path from standard input and resolves its relative entries against
# FOLDER.
absolute() {
    tr ':' '\n' | sed -e '/^$/d' -e "/^\//!s|^|$1/|" | paste -s -d : -
}
deps=$(above deps.edn)
lein=$(above project.clj)
path=
# Debian's command `clojure` is not the Clojure CLI and fails on -Sdescribe.
if [ -n "$deps" ] && command -v clojure >/dev/null && (cd "$deps" && clojure -Sdescribe) >/dev/null 2>&1 </dev/null; then
    alias=$(grep -q ':bench\b' "$deps/deps.edn" && echo -A:bench || true)
    # shellcheck disable=SC2086 # $alias is empty or one word
    path=$(cd "$deps" && clojure $alias -Spath)
elif [ -n "$lein" ] && command -v lein >/dev/null; then
    # Leiningen takes seconds to print the class path, so it is cached until project.clj changes.
    # Its base profile contains only what its REPL needs.
    said=$work/lein-$(printf %s "$lein" | cksum | cut -d ' ' -f 1)
    if [ ! -f "$said" ] || [ -n "$(find "$lein/project.clj" -newer "$said")" ]; then
        (cd "$lein" && { lein -o with-profile -base classpath 2>/dev/null || lein with-profile -base classpath; }) >"$said.draft"
        mv "$said.draft" "$said"
    fi
    path=$(tail -n 1 "$said")
elif [ -n "$deps$lein" ]; then
    echo "ignoring the dependencies of ${deps:+$deps/deps.edn}${lein:+$lein/project.clj}: install the Clojure CLI or Leiningen" >&2
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

# Clojure comes first so that the archive of its classes is valid (see run.sh). Nothing else
# provides classes of the same names.
clojure=$(echo "$path" | tr ':' '\n' | grep -E '/(clojure|spec\.alpha|core\.specs\.alpha)(-[0-9][^/]*)?\.jar$' | paste -s -d : -)
[ -n "$clojure" ] || { echo "Clojure is not on the class path $path" >&2; exit 1; }

# The compiled namespaces depend on the version of Clojure and on the sources, and all projects
# share them.
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
