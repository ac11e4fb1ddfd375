#!/usr/bin/env bash
# Tests the headers that replace those of Google Benchmark: names compared with those of the
# library, behaviour through the protocol, and failures. Needs an engine (DERNY_BIN) and g++. Skips
# tests if clang or the library is missing.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
suite=$PWD
. ../../../../tests/checks.sh
export DERNY_STORE=$place/store
strict=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I"$suite" -pthread)

parse() { # parse COMPILER FLAG...: checks the whole interface and our main, and generates no code
    "$1" "${strict[@]}" "${@:2}" -fsyntax-only "$suite/test/surface.cpp" "$suite/main.cpp"
}
main_object() { # main_object NAME COMPILER FLAG...: compiles our main, which several programs share
    "$2" "${strict[@]}" "${@:3}" -c "$suite/main.cpp" -o "$place/$1"
}
make() { # make PROGRAM MAIN SOURCE COMPILER FLAG...: compiles one source, and links it with an object of our main
    local program=$1 main=$2 source=$3 compiler=$4
    shift 4
    "$compiler" "${strict[@]}" "$@" "$suite/test/$source" "$place/$main" -o "$place/$program"
}
talk() { # talk PROGRAM LINE...: acts as the engine, and prints the replies
    local program=$1
    shift
    printf '%s\n' "$@" quit | DERNY_COMMANDS=/dev/stdin DERNY_REPLIES=/dev/stdout "$place/$program" | tail -n +2
}
measured() { # measured CASE COMMAND...: prints the replies after `opened`, without times
    local case=$1
    shift
    talk behaviour "open benchmark=$case" "$@" close | sed '1d; /^times/d; /^end$/d'
}
is() { # is WANTED COMMAND...: succeeds if the output is WANTED
    local wanted=$1 output
    shift
    output=$("$@" 2>&1)
    diff <(echo "$wanted") <(echo "$output")
}
turn='within=60000000000'
ten="measure iterations=10 batches=2 $turn"
seven="measure iterations=7 batches=1 $turn lead=1"
one="measure iterations=1 batches=3 $turn"

# Compile with every standard and strict warnings. The optimiser and the linker matter in two of them
# only. Programs with their own `main` are also linked with ours, which is weak.
compilers=(g++)
if command -v clang++ >/dev/null; then compilers+=(clang++); else skip "clang" "it is not installed"; fi
check "g++ compiles our main, -std=c++17 -O2" main_object main-g++-O2.o g++ -std=c++17 -O2
for compiler in "${compilers[@]}"; do
    check "$compiler compiles our main, -std=c++11 -O0" main_object "main-$compiler.o" "$compiler" -std=c++11 -O0
    for how in "c++11 -O0" "c++17 -O2"; do
        # shellcheck disable=SC2086 # flags
        check "$compiler compiles every part of the interface, -std=$how" \
            make "surface-$compiler-${how%% *}" "main-$compiler.o" surface.cpp "$compiler" -std=$how
    done
    newest=c++2b # Names are compared in c++20 with g++.
    [ "$compiler" = g++ ] || newest=c++20
    for how in "c++14 -fno-exceptions -fno-rtti" $newest; do
        # shellcheck disable=SC2086 # flags
        check "$compiler accepts every part of the interface, -std=$how" parse "$compiler" -std=$how
    done
done
check "g++ compiles the behaviours" make behaviour main-g++-O2.o behaviour.cpp g++ -std=c++17 -O2 -Wno-shadow
check "g++ compiles the conformance program" make conformance main-g++-O2.o conformance.cpp g++ -std=c++11 -O2
"$DERNY_BIN" dev conform --known-failing test/known-failing.txt -- "$place/conformance" || status=1
alone() { # alone HEADER: succeeds if a file can include only this header
    echo "#include <benchmark/$1>" | g++ -std=c++11 -fsyntax-only "${strict[@]}" -x c++ -
}
for header in benchmark/*.h; do check "$(basename "$header") may be included alone" alone "$(basename "$header")"; done

# A header that comes first on the include path can provide the functions of the user's version.
mkdir "$place/first"
cat >"$place/first/derny_user_optimize.h" <<'X2'
template <class T> inline BENCHMARK_ALWAYS_INLINE void DoNotOptimize(T &value) { __asm__ __volatile__("" : "+m"(value) : : "memory"); }
template <class T> inline BENCHMARK_ALWAYS_INLINE void DoNotOptimize(T &&value) { internal::UseCharPointer(&reinterpret_cast<const volatile char &>(value)); }
inline BENCHMARK_ALWAYS_INLINE void ClobberMemory() {}
inline int OfTheUser() { return 42; }
X2
theirs_first() {
    printf '#include <benchmark/benchmark.h>\nint main() { int x = 1; benchmark::DoNotOptimize(x); benchmark::DoNotOptimize(1); benchmark::ClobberMemory(); return benchmark::OfTheUser(); }\n' >"$place/first.cpp"
    g++ -std=c++11 -O2 -I"$place/first" "${strict[@]}" "$place/first.cpp" -o "$place/first/program"
    "$place/first/program"
    [ $? = 42 ]
}
check "the user's own functions against the optimiser are taken" theirs_first

# Compare the names with those of the library.
library() { # library STANDARD: builds the program with the library, and with our headers in the same version
    g++ "-std=$1" -O0 "$suite/test/surface.cpp" -o "$place/library-$1" -lbenchmark -pthread -w &&
        make "same-$1" main-g++.o surface.cpp g++ "-std=$1" -O0 -DSINCE=107 -Wno-shadow
}
names() { # names STANDARD FLAG...: succeeds if Derny and the library list the same names
    local standard=$1
    shift
    "$place/library-$standard" --benchmark_list_tests "$@" >"$place/wanted" && [ -s "$place/wanted" ] &&
        diff "$place/wanted" <("$place/same-$standard" --benchmark_list_tests "$@")
}
if echo '#include <benchmark/benchmark.h>' | g++ -E -x c++ - >/dev/null 2>&1; then
    for standard in c++11 c++20; do
        check "the interface is that of the library, -std=$standard" library $standard
        check "names are those of the library, -std=$standard" names $standard
    done
    check "a filter selects the same" names c++20 '--benchmark_filter=^Args/(1|n)'
    check "a negative filter selects the same" names c++20 --benchmark_filter=-Args
    check "a filter of the environment selects the same" env BENCHMARK_FILTER=Fix bash -c "$(declare -f names); place='$place' names c++20"
else
    skip "names of the library" "libbenchmark-dev is not installed"
fi

# One call of the function runs all turns.
for case in Count CountKeep; do
    check "$case: one call serves all turns" is $'checked\nclosed ops=29 v.bodies:count:level=29 v.entries:count:level=1 v.iterations:count:level=29' \
        measured $case check "$ten" "measure iterations=8 batches=1 $turn"
done
check "a loop by batches runs whole ones" is \
    $'closed v.bodies:count:level=32 v.entries:count:level=1 v.iterations:count:level=32' \
    bash -c "$(declare -f talk measured); place='$place' measured CountBatch '$ten' | sed 's/ ops=[0-9]*//'"
check "a case may be opened and closed without a turn" is $'opened\nclosed\nopened\nclosed' \
    talk behaviour "open benchmark=Count" close "open benchmark=Room" close
check "overhead does not call the benchmark" is $'closed' measured Count "overhead iterations=1000 batches=3"
check "a fixed number of iterations is obeyed" is $'closed ops=20 v.entries:count:level=2.5' measured "Fixed p.iterations=5" "$one" "measure iterations=1 batches=1 $turn"
check "it is told" says "case benchmark=Fixed p.iterations=5 printed=Fixed/iterations:5 max_iterations=1 ops=5 " talk behaviour list

# Functions that rely on a number of iterations are called with that number.
check "room for max_iterations suffices" says $'\nclosed' measured Room check "$ten" "$seven"
check "the first call is used if it has the number" is $'closed ops=1 v.bodies:count:level=1 v.entries:count:level=1' \
    measured Room "measure iterations=1 batches=1 $turn"
check "the function is called for each batch" is $'closed ops=3 v.bodies:count:level=2 v.entries:count:level=2' measured Room "$one"
check "iterations() and max_iterations may be read within the loop" says $'\nclosed' measured ReadInside "$one" "$ten" "$seven"
check "max_iterations may be copied" says $'\nclosed' measured Copied "$one" "$ten"
check "all iterations may be run at once" is $'closed ops=20 v.bodies:count:level=16' measured Together "$ten"

# Time.
within() { # within LEAST MOST CASE: succeeds if the shortest of ten batches of one iteration is in this range, in ns
    local least
    least=$(talk behaviour "open benchmark=$3" "measure iterations=1 batches=10 $turn" close | sed -n 's/^times //p' | tr ' ' '\n' | sort -n | head -n 1)
    echo "$least"
    [ "$least" -ge "$1" ] && [ "$least" -le "$2" ]
}
check "waiting is timed" within 200000 250000 Wait/200
check "paused time is not" within 200000 250000 Paused
check "a pause may last over iterations" within 0 250000 PausedOver
check "a benchmark's own time is taken" is $'ops 10 10\nclosed ops=20 v.entries:count:level=1' measured Manual/manual_time "$ten"
check "it is that of the batch" says "times 2500000000 2500000000" talk behaviour "open benchmark=Manual/manual_time" "$ten"
check "it may be set after the loop" says "times 250000000 250000000" talk behaviour "open benchmark=ManualAfter/manual_time" "$ten"
check "its operations are told where iterations are fixed" says "ops 4 4 4" talk behaviour "open benchmark=ManualFixed/manual_time p.iterations=4" "$one"

# Threads.
for case in Threads OwnThreads; do
    check "$case: three threads run the loop together" is \
        'closed ops=20 v.average:count:level=20 v.each:count:level=1 v.indexes:count:level=7 v.sum:count:level=60' measured "$case p.threads=3" "$ten"
done
check "threads are told" says "case benchmark=Threads p.threads=3 printed=Threads/threads:3 threads=3 " talk behaviour list
check "each thread has room" says $'\nclosed ops=20 v.threads:count:level=3' talk behaviour "open benchmark=RoomThreads p.threads=3" "$ten" close
for index in 0 1; do
    check "thread $index may skip" says "error message=in%20a%20thread" measured "ThreadFails/$index p.threads=3" "$ten"
    check "thread $index may return" is "error message=the%20benchmark%20returned%20without%20running%20its%20loop" \
        talk behaviour "open benchmark=ThreadReturns/$index p.threads=2"
done
for index in 0 2; do
    check "thread $index may throw" says "error message=std::runtime_error:%20in%20a%20thread" measured "ThreadThrows/$index p.threads=3" "$ten"
done
check "a thread may skip in its condition" says "error message=in%20a%20thread" measured "ThreadSkipsKeep p.threads=2" "$ten"

# Counters.
check "counters are computed of totals" says 'v.a%3Ab%20c:count:level=1 v.invariant:count:level=40 v.inverted:count:level=0.25 v.per_iteration:count:level=3 v.plain:count:level=7' \
    measured Counters "$ten"
check "the label is told" says 'texts=label%3Da%20label%2C%20with%20a%20comma' measured Counters "$ten"
check "throughput is told" says ' v.items_per_second:items/s:rate=' measured Rates "$one"
check "more counters than the protocol takes are left out" says $'closed ops=20 v.counter%200:count:level=0 ' measured Many "$ten"

# A failure is an error of its case only.
error() { # error TEXT CASE: succeeds if a turn fails with the text, and another case can be opened afterwards
    says "$1" talk behaviour "open benchmark=$2" "$ten" close "open benchmark=Count" close && talk behaviour "open benchmark=$2" "$ten" close "open benchmark=Count" close | tail -n 1 | grep '^closed'
}
for case in "SkipBefore before%20the%20loop" "SkipInside inside%20the%20loop" "SkipAfter after%20the%20loop" "Breaks left%20its%20loop" \
    "Throws std::logic_error:%20thrown%20detail" "ThrowsBefore std::logic_error:%20thrown" "ThrowsAfter std::logic_error:%20thrown" \
    "NoLoop without%20running%20its%20loop" "Twice a%20second%20loop" "Nested a%20second%20loop"; do
    text=${case#* }
    check "${case%% *} is an error of the case" error "${text/\%20detail/ detail}" "${case%% *}"
done
check "SkipWithMessage is a skip" is $'skip reason=not%20here' talk behaviour "open benchmark=SkipMessage"
check "an error says where the benchmark is" says "in%20benchmark%20Throws%20($suite/test/behaviour.cpp:" measured Throws "$ten"
check "after an error, other commands are refused" says "overhead:%20the%20benchmark%20has%20ended" measured Throws "$ten" "overhead iterations=1 batches=1"
check "a crash is one error of its case" ends 3 "SIGSEGV" "$DERNY_BIN" run --once Crash Rates -- "$place/behaviour"
check "the others are measured" says "1 passed" "$DERNY_BIN" run --once Crash Rates -- "$place/behaviour"

# Hooks, and benchmarks with the same name.
check "the hooks of a benchmark run once for each call" is $'closed ops=20 v.downs:count:level=0 v.ups:count:level=1' measured Hooked "$ten"
check "a hook that throws before the loop fails its case" error "std::logic_error:%20in%20a%20hook" SetupThrows
check "a hook that throws after the loop fails its case" says "error message=std::logic_error:%20in%20a%20hook" measured TeardownThrows "$ten"
check "those of a fixture too" is $'closed ops=20 v.downs:count:level=0 v.ups:count:level=1' measured Fix/Body "$ten"
check "several benchmarks of one name are told apart" says "at=2" talk behaviour list
check "one of them opens" says "texts=label%3Dsecond" talk behaviour "open benchmark=twin/5 at=2" "$ten" close
check "none opens without its place" says "two%20benchmarks%20have%20the%20name%20twin/5" talk behaviour "open benchmark=twin/5"

# The program with its own `main` and arguments.
once() { "$DERNY_BIN" run --once "$@"; }
surface=$place/surface-g++-c++11
check "every benchmark of the interface runs" ends 3 "1 failed" once -- "$surface"
check "a filter of the program's words selects" ends 0 "2 passed" once -- "$place/behaviour" '--benchmark_filter=^Count(Keep)?$'
check "flags that Derny decides are named" says "--benchmark_min_time, --benchmark_format have no effect" \
    "$DERNY_BIN" run --quick Count -- "$place/behaviour" --benchmark_min_time=1 --benchmark_format=json '--benchmark_filter=^Count$'
check "settings of benchmarks too" says "MinTime,%20MinWarmUpTime%20and%20Repetitions%20have%20no%20effect" \
    talk behaviour "open benchmark=Often"
check "a benchmark of nothing is measured" ends 0 "Nothing" timeout 60 "$DERNY_BIN" run --quick Nothing -- "$place/behaviour"
check "a program started by hand starts the engine" ends 0 "Rates" "$place/behaviour" --benchmark_filter=Rates
check "without an engine, one line says what to do" refuses "PATH" env -u DERNY_BIN PATH= "$place/behaviour"
check "an unknown flag is refused" ends 1 "unrecognized command-line flag: --colour" "$place/behaviour" --colour
check "a wrong filter is named" says "is not a regular expression" "$place/behaviour" --benchmark_list_tests '--benchmark_filter=('
check "the program says how it was compiled" says "runtime=gcc/" bash -c "printf 'quit\n' | DERNY_COMMANDS=/dev/stdin DERNY_REPLIES=/dev/stdout '$place/behaviour' | cat"
check "a program without optimisation says so" says "settings=compiler%3Dno%20optimisation" \
    bash -c "printf 'quit\n' | DERNY_COMMANDS=/dev/stdin DERNY_REPLIES=/dev/stdout '$place/surface-g++-c++11' | cat"

sum
exit $status
