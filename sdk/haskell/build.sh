#!/bin/sh
# Compiles a benchmark program with GHC to the path that the engine expects:
#
#     build.sh FILE PROGRAM
#
# The SDK's modules are compiled once per compiler, into a package. A program then only compiles its
# own modules.
# GHC=… selects another compiler. DERNY_GHC_OPTIONS adds flags, such as -threaded.
#
# GHC finds modules in the folder of FILE. In a cabal package, GHC also finds those in the package's
# source folders, and the package's extensions apply. The package's dependencies must be visible to
# plain GHC, or built by `cabal build --only-dependencies all`.
set -eu
sdk=$(cd "$(dirname "$0")" && pwd)
ghc=${GHC:-ghc}
version=$("$ghc" --numeric-version)
lib=$sdk/lib-$version
# Version of this library.
own=$(sed -n 's/^version = "\(.*\)"/\1/p' "$sdk/src/Derny/Session.hs")
ghc_pkg=$(dirname "$(command -v "$ghc")")/ghc-pkg-$version
[ -x "$ghc_pkg" ] || ghc_pkg="ghc-pkg"

library() { # library FOLDER: compiles the modules into a package, with its database in FOLDER
    folder=$1 modules='' depends=''
    for source in $(for part in src compat/criterion compat/gauge compat/tasty-bench; do (cd "$sdk/$part" && find . -name '*.hs'); done); do
        modules="$modules $(echo "${source#./}" | sed 's/\.hs$//; s#/#.#g')"
    done
    for package in base bytestring containers deepseq directory filepath ghc-prim process text transformers unix; do
        depends="$depends $("$ghc_pkg" --global field "$package" id --simple-output | tail -n 1)"
    done
    mkdir -p "$folder/modules"
    # Run in a separate folder: GHC mistakes the name of a module for a file of that name in the
    # working directory.
    # shellcheck disable=SC2046,SC2086 # lists of words
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
    # Another build may have published an identical library first.
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
    # field NAME: prints the words of a field in the cabal files. The field may span lines and
    # contain commas.
    field() {
        # shellcheck disable=SC2020 # the characters are replaced one by one
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
# The module of the program need not be called Main.
module=$(sed -n 's/^module  *\([A-Z][A-Za-z0-9_.]*\).*/\1/p' "$file" | head -n 1)
# If the source seems to call a main function of this library more than once, wrap the program in
# Derny.Main.together, which counts the calls.
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
# Packages with modules of the same names as this library's must be hidden.
installed=" $("$ghc_pkg" --global list --simple-output --names-only 2>/dev/null || true) "
for package in criterion criterion-measurement gauge statistics tasty-bench; do
    case $installed in *" $package "*) set -- "$@" -hide-package "$package" ;; esac
done
mkdir -p "$(dirname "$program")"
if [ "$project" != / ]; then cd "$project"; else cd "$folder"; fi
run=
if [ -f cabal.project ] || [ -d dist-newstyle ] && cabal exec -v0 -- "$ghc" --version >/dev/null 2>&1; then run="cabal exec -v0 --"; fi
# Keep GHC's output, because GHC then links only if something has changed.
# shellcheck disable=SC2086 # lists of words
$run "$ghc" -v0 -O2 -package-db "$lib/db" -package-id derny-$own "$@" -outputdir "$program.modules" -with-rtsopts=-T -rtsopts \
    ${DERNY_GHC_OPTIONS:-} "$file" -o "$program.linked"
# Replace the program instead of overwriting it, because it may be running.
if ! cmp -s "$program.linked" "$program"; then
    cp "$program.linked" "$program.new"
    mv "$program.new" "$program"
fi
