#!/bin/sh
# Builds the program of a benchmark file and puts it where the engine expects it:
#
#     build.sh SDK FILE ROOT PROGRAM COMPILER [ARGUMENT...]
#
# In a CMake project, builds the executable that has FILE among its sources, in a folder beside PROGRAM.
# Otherwise, if a Makefile has a rule for a program named like FILE, builds that program. Otherwise, compiles
# FILE by itself. The project's own flags are kept. ARGUMENTs go to `cmake`, to `make` or to the compiler.
# CC, CXX, CPPFLAGS, CFLAGS, CXXFLAGS, LDFLAGS and LDLIBS have their usual meaning.
set -eu
sdk=$1 file=$2 root=$3 program=$4 compiler=$5
shift 5
case $file in
*.c) language=C variable=CC flags=${CFLAGS:-} standard=gnu11 ;;
*) language=CXX variable=CXX flags=${CXXFLAGS:-} standard=gnu++17 ;;
esac
# A variant may name another compiler, which takes precedence over the environment's.
case $compiler in
cc) compiler=${CC:-cc} ;;
c++) compiler=${CXX:-c++} ;;
esac
# The SDK's headers are searched after all `-I` directories, because a project may have its own copy.
export C_INCLUDE_PATH="$sdk/include${C_INCLUDE_PATH:+:$C_INCLUDE_PATH}"
export CPLUS_INCLUDE_PATH="$sdk/include${CPLUS_INCLUDE_PATH:+:$CPLUS_INCLUDE_PATH}"
mkdir -p "$(dirname "$program")"
name=$(basename "$file")
name=${name%.*}

# put BUILT: copies the program to the expected path. Renaming safely replaces an old program that
# may be running.
put() {
    cmp -s "$1" "$program" || { cp "$1" "$program.new" && mv "$program.new" "$program"; }
}

# above NAME: prints the folders that contain a file NAME, from the folder of FILE up to ROOT.
above() {
    folder=$(dirname "$file")
    while :; do
        [ ! -f "$folder/$1" ] || echo "$folder"
        case $folder in "$root" | / | .) break ;; esac
        folder=$(dirname "$folder")
    done
}

# target_of FOLDER: prints the name and path of the executable with FILE among its sources, from CMake's file
# API.
target_of() {
    relative=${file#"$project/"}
    for reply in "$1"/.cmake/api/v1/reply/target-*.json; do
        grep -q '"type" : "EXECUTABLE"' "$reply" || continue
        grep -qF -e "\"path\" : \"$relative\"" -e "\"path\" : \"$file\"" "$reply" || continue
        sed -n 's/^\t"name" : "\(.*\)",$/\1/p' "$reply"
        sed -n '/^\t"artifacts"/,/^\t\]/ s/.*"path" : "\(.*\)".*/\1/p' "$reply" | head -n 1
        return
    done
}

by_cmake() { # by_cmake FOLDER [ARGUMENT...]: fails if no executable of the project has FILE
    project=$1
    shift
    tree=$program.cmake
    mkdir -p "$tree/.cmake/api/v1/query"
    : >"$tree/.cmake/api/v1/query/codemodel-v2"
    grep -qs '^CMAKE_BUILD_TYPE:[A-Z]*=..*' "$tree/CMakeCache.txt" || set -- -DCMAKE_BUILD_TYPE=Release "$@"
    cmake -S "$project" -B "$tree" "-DCMAKE_${language}_COMPILER=$(command -v "$compiler")" "$@" >"$tree/configure.log" 2>&1 ||
        { cat "$tree/configure.log" >&2; exit 1; }
    found=$(target_of "$tree")
    [ -n "$found" ] || return 1
    cmake --build "$tree" --config Release --parallel --target "$(echo "$found" | head -n 1)" >"$tree/build.log" 2>&1 ||
        { cat "$tree/build.log" >&2; exit 1; }
    built=$(echo "$found" | tail -n 1)
    case $built in /*) put "$built" ;; *) put "$tree/$built" ;; esac
}

# rule_of TARGET: succeeds if the rules on standard input, as `make -p` prints them, include one for a file
# TARGET. Built-in rules do not count: they would make a program of every source file in the project.
rule_of() {
    awk -v target="$1" '
        /^# Not a target/ { other = 1 }
        /^$/ { other = inside = 0 }
        !other && index($0, target ":") == 1 { found = inside = 1 }
        inside && /Phony target/ { found = 0; exit }
        END { exit !found }
    '
}

by_make() { # by_make FOLDER [ARGUMENT...]: fails if there is no rule for the program
    folder=$1 target=${file#"$1/"}
    target=${target%.*}
    shift
    set -- "$variable=$compiler" "$@"
    LC_ALL=C make -rpq -C "$folder" "$@" .derny-nothing 2>/dev/null | rule_of "$target" || return 1
    # `make` does not notice changed flags, so rebuild everything.
    make -B -s -C "$folder" "$target" "$@" >&2 || exit 1
    put "$folder/$target"
}

# Try the outermost folder of a CMake project, then Makefiles from the nearest folder outwards.
whole=$(above CMakeLists.txt | tail -n 1)
if [ -n "$whole" ] && command -v cmake >/dev/null && by_cmake "$whole" "$@"; then exit; fi
for folder in $(above Makefile) $(above makefile) $(above GNUmakefile); do
    if by_make "$folder" "$@"; then exit; fi
done
# shellcheck disable=SC2086 # lists of words
$compiler -std=$standard -O2 ${CPPFLAGS:-} $flags "$@" "$file" -o "$program.linked" ${LDFLAGS:-} ${LDLIBS:-} -pthread -lm
put "$program.linked"
