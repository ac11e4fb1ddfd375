#!/bin/sh
# Compiles a program of benchmarks with GHC into the place where the engine looks for it:
#
#     build.sh FILE PROGRAM
#
# The modules beside this script are compiled once per compiler, into a package, so that a program costs its own modules
# only. GHC=… names another compiler; DERNY_GHC_OPTIONS adds flags, such as -threaded.
#
# Modules beside the file are found. In a cabal package so are those of its source folders, with its extensions; its
# dependencies must be there for plain GHC, or `cabal` must have built them (`cabal build --only-dependencies all`).
set -eu
sdk=$(cd "$(dirname "$0")" && pwd)
ghc=${GHC:-ghc}
version=$("$ghc" --numeric-version)
lib=$sdk/lib-$version
# Of this library.
own=$(sed -n 's/^version = "\(.*\)"/\1/p' "$sdk/src/Derny/Session.hs")
ghc_pkg=$(dirname "$(command -v "$ghc")")/ghc-pkg-$version
[ -x "$ghc_pkg" ] || ghc_pkg="ghc-pkg"

library() { # library FOLDER: compiles the modules into a package in a database in that folder
    folder=$1 modules='' depends=''
    for source in $(for part in src compat/criterion compat/gauge compat/tasty-bench; do (cd "$sdk/$part" && find . -name '*.hs'); done); do
        modules="$modules $(echo "${source#./}" | sed 's/\.hs$//; s#/#.#g')"
    done
    for package in base bytestring containers deepseq directory filepath ghc-prim process text transformers unix; do
        depends="$depends $("$ghc_pkg" --global field "$package" id --simple-output | tail -n 1)"
    done
    mkdir -p "$folder/modules"
    # In a folder of its own: GHC takes a module's name for a file that the present folder has under it.
    # shellcheck disable=SC2046,SC2086 # many modules
    (cd "$folder/modules" && "$ghc" -v0 -j2 -O1 -hide-all-packages $(for id in $depends; do echo "-package-id $id"; done) \
        -this-unit-id derny-$own -i"$sdk/src" -i"$sdk/compat/criterion" -i"$sdk/compat/gauge" \
        -i"$sdk/compat/tasty-bench" -outputdir . $modules)
    find "$folder/modules" -name '*.o' -exec ar qcs "$folder/libHSderny-$own.a" {} +
    cat >"$folder/derny.conf" <<END
name: derny
version: $own
id: derny-$own
key: derny-$own
exposed: True
exposed-modules:$modules
import-dirs: $lib/modules
library-dirs: $lib
hs-libraries: HSderny-$own
depends:$depends
END
    "$ghc_pkg" init "$folder/db"
    "$ghc_pkg" --package-db "$folder/db" register --force -v0 "$folder/derny.conf" 2>/dev/null
}

if [ ! -d "$lib" ]; then
    draft=$lib.$$
    trap 'rm -rf "$draft"' EXIT
    library "$draft"
    # Another build may have finished first: its library is the same.
    mv "$draft" "$lib" 2>/dev/null || [ -d "$lib" ]
fi
[ $# = 0 ] && exit 0

case $1 in /*) file=$1 ;; *) file=$PWD/$1 ;; esac
case $2 in /*) program=$2 ;; *) program=$PWD/$2 ;; esac
folder=$(dirname "$file")
project=$folder
while [ "$project" != / ] && ! ls "$project"/*.cabal >/dev/null 2>&1; do project=$(dirname "$project"); done
set -- -i"$folder"
if [ "$project" != / ]; then
    # The words of a field that cabal files write on one line or on several, with or without commas.
    field() {
        # shellcheck disable=SC2020 # one for one
        awk -v wanted="$1:" '
            { key = tolower($1) }
            key == wanted { on = 1; match($0, /[^ ]/); depth = RSTART; sub(/^[^:]*:/, "") }
            on && key != wanted { match($0, /[^ ]/); if (RSTART <= depth && NF) on = 0 }
            on { gsub(/,/, " "); print }
        ' "$project"/*.cabal | tr -s ' \t' '\n\n' | sort -u
    }
    for source in $(field hs-source-dirs); do set -- "$@" -i"$project/$source"; done
    for extension in $(field default-extensions) $(field extensions); do set -- "$@" -X"$extension"; done
    set -- "$@" -i"$project"
fi
# A module that is not called Main may be the program too.
module=$(sed -n 's/^module  *\([A-Z][A-Za-z0-9_.]*\).*/\1/p' "$file" | head -n 1)
# A program that seems to come to a main of benchmarks more than once is asked how often it does.
entry='defaultMain|defaultMainWith'
if grep -q '^import  *\(qualified  *\)\{0,1\}Derny' "$file"; then entry="$entry|suite"; fi
mains=$(sed -e 's/--.*//' -e '/^import/d' -e '/^ *[(,] *[A-Za-z]* *[,)]\{0,1\} *$/d' "$file" | grep -owE "$entry" | wc -l)
if [ "$mains" -gt 1 ]; then
    mkdir -p "$program.together"
    printf 'module DernyTogether (main) where\nimport qualified %s\nimport Derny.Main (together)\nmain :: IO ()\nmain = () <$ together %s.main\n' \
        "${module:-Main}" "${module:-Main}" >"$program.together/DernyTogether.hs"
    set -- "$@" -main-is DernyTogether "$program.together/DernyTogether.hs"
elif [ "${module:-Main}" != Main ]; then
    set -- "$@" -main-is "$module"
fi
# What this library has under the same names must not be taken from elsewhere.
installed=" $("$ghc_pkg" --global list --simple-output --names-only 2>/dev/null || true) "
for package in criterion criterion-measurement gauge statistics tasty-bench; do
    case $installed in *" $package "*) set -- "$@" -hide-package "$package" ;; esac
done
mkdir -p "$(dirname "$program")"
if [ "$project" != / ]; then cd "$project"; else cd "$folder"; fi
run=
if [ -f cabal.project ] || [ -d dist-newstyle ] && cabal exec -v0 -- "$ghc" --version >/dev/null 2>&1; then run="cabal exec -v0 --"; fi
# GHC links only what has changed, so its program stays where it was linked.
# shellcheck disable=SC2086 # several words
$run "$ghc" -v0 -O2 -package-db "$lib/db" -package-id derny-$own "$@" -outputdir "$program.modules" -with-rtsopts=-T -rtsopts \
    ${DERNY_GHC_OPTIONS:-} "$file" -o "$program.linked"
# A program that is being measured elsewhere keeps its own file.
if ! cmp -s "$program.linked" "$program"; then
    cp "$program.linked" "$program.new"
    mv "$program.new" "$program"
fi
