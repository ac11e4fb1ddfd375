#!/bin/sh
# Finds the class path of a file of benchmarks and compiles this SDK's namespaces with the Clojure on it:
#
#     build.sh SDK FILE ROOT NAME    (NAME.cp is written, NAME being an absolute path without ending)
#
# Below a deps.edn the Clojure CLI says the class path (with the alias :bench, if the file has one), below a project.clj
# Leiningen does. Where the tool is missing, and elsewhere, it is CLASSPATH and the folders src, test and resources; and if
# no Clojure is on that, the one that fetch.sh fetches.
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
plain() {
    project=$1 path=${CLASSPATH:-}
    for folder in src test resources; do
        [ ! -d "$project/$folder" ] || path=$path:$project/$folder
    done
    case $path in
    *clojure-[0-9]*.jar* | *clojure.jar*) ;;
    *)
        sh "$here/fetch.sh" "$work/clojure"
        path=$path:$(echo "$work"/clojure/*.jar | tr ' ' ':')
        ;;
    esac
    echo "$path" | absolute "$project"
}

deps=$(above deps.edn)
lein=$(above project.clj)
if [ -n "$deps" ] && command -v clojure >/dev/null; then
    alias=$(grep -q ':bench\b' "$deps/deps.edn" && echo -A:bench || true)
    path=$(cd "$deps" && clojure -Spath $alias | absolute "$deps")
elif [ -n "$lein" ] && command -v lein >/dev/null; then
    path=$(cd "$lein" && lein -o classpath 2>/dev/null || lein classpath)
    path=$(echo "$path" | tail -n 1 | absolute "$lein")
else
    [ -z "$deps$lein" ] || echo "the dependencies of ${deps:+$deps/deps.edn}${lein:+$lein/project.clj} are left out: neither clojure nor lein is installed" >&2
    path=$(plain "${deps:-${lein:-$root}}")
fi

# Clojure comes first, so that an archive of its classes fits (run.sh); it is in no danger of being shadowed.
clojure=$(echo "$path" | tr ':' '\n' | grep -E '/(clojure|spec\.alpha|core\.specs\.alpha)(-[0-9][^/]*)?\.jar$' | paste -s -d : -)
[ -n "$clojure" ] || { echo "there is no Clojure on the class path $path" >&2; exit 1; }

# Compiled namespaces belong to one Clojure and one state of the sources.
key=$( (echo "$clojure"; cat "$here"/src/*/*.clj; cksum <"$sdk/derny.jar") | cksum | cut -d ' ' -f 1)
compiled=$work/clojure-$key.jar
if [ ! -f "$compiled" ]; then
    draft=$(mktemp -d)
    trap 'rm -rf "$draft"' EXIT
    mkdir "$draft/classes"
    java -XX:TieredStopAtLevel=1 -Dclojure.compile.path="$draft/classes" -cp "$draft/classes:$sdk/derny.jar:$here/src:$clojure" \
        clojure.main -e "(run! compile '[derny.main derny.core keirin.core])" >/dev/null
    (cd "$draft" && jar cf derny-clojure.jar -C classes . -C "$here/src" .)
    mv "$draft/derny-clojure.jar" "$compiled.$$"
    mv "$compiled.$$" "$compiled"
fi
printf '%s\n%s\n' "$compiled:$sdk/derny.jar:$clojure" "$path" >"$name.cp"
