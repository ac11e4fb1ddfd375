#!/usr/bin/env bash
# Runs all tests of this SDK: unit tests, conformance, and programs written for criterion. Needs an
# engine (DERNY_BIN, or derny on the PATH) and GHC. Everything is compiled once, in a separate
# folder. The examples, which `make test` runs, test that `derny run` finds and compiles programs.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
. ../../tests/checks.sh
export DERNY_STORE=$place/store
cp -r src compat build.sh "$place"

build() { sh "$place/build.sh" "$(realpath "$1")" "$place/$2" || status=1; } # build FILE PROGRAM
lists() { # lists NAMES COMMAND...: fails unless it prints exactly these names, one per line
    local wanted=$1
    shift
    [ "$("$@" | tr '\n' ' ')" = "$wanted" ]
}
files_are_written() {
    ./program fib/1 -L 0.3 --csv a.csv --json a.json --junit a.xml --raw raw.csv --output a.html &&
        ./program fib/1 -L 0.3 --csv a.csv &&
        [ "$(grep -c '^Name,' a.csv)" = 1 ] && [ "$(grep -c '^fib/1,' a.csv)" = 2 ] &&
        grep -q '"criterion"' a.json && grep -q '<testcase name="fib/1" time="' a.xml &&
        grep -qi '<html' a.html && [ "$(wc -l <raw.csv)" -gt 10 ]
}
both_are_said() { ./session >session.out && grep -q 'time/op' session.out && grep -q '^a mean$' session.out; }
both_mains() { printf 'list\nquit\n' | talk ./twice | sed -n 's/^case benchmark=\([a-z]*\).*/\1/p'; }
ratios_are_bounded() {
    ./ratio slow fast --time-limit 0.3 && ends 1 "same takes" ./ratio slow same --time-limit 0.3
}
talk() { # talk PROGRAM: commands on standard input, replies on standard output
    DERNY_COMMANDS=/dev/stdin DERNY_REPLIES=/dev/stdout "$@"
}
counters_are_told() { # counters_are_told PROGRAM: PROGRAM was linked without -T
    printf 'open benchmark=exp\nmeasure iterations=10 batches=2 within=1000000000\nquit\n' | talk "$@" | tee wire
    grep -q '^derny 1 language=haskell runtime=ghc/.*metrics=cpu:ns:total:less,cpu_process:ns:total,allocated:B:total:less:exact,gc:count:total:less.*heap:MB:level:none,peak:MB:peak:less' wire &&
        [ "$(tail -n 1 wire | wc -w)" = 11 ]
}
memory_stays_flat() { # opens, measures and closes a thousand cases in one process, twice
    local i
    {
        for i in $(seq 2 1000) $(seq 2 1000); do
            printf 'open benchmark=exp%%20#%s\nmeasure iterations=1000 batches=20 within=100000000\n' "$i"
            [ "$i" = 1000 ] && printf 'collect\nmeasure iterations=1 batches=1 within=1\n'
            echo close
        done
        echo quit
    } | talk ./copies >wire
    # The last two counters of a turn are the live heap after a collection and the peak.
    awk '/^collected/ { collected = 1 }
        /^end/ { n++; if (collected) { heap[++k] = $(NF-1); peak[k] = $NF; collected = 0 } }
        END { print n, heap[1], heap[2], peak[1], peak[2]; exit !(n == 2000 && heap[2] < heap[1] + 0.01 && peak[2] < peak[1] + 1.1) }' wire
}

cat >"$place/program.hs" <<'END'
import Criterion.Main

fib :: Int -> Int
fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

main :: IO ()
main = defaultMain
  [ bgroup "fib" [ bench "1" $ whnf fib 1, bench "9" $ whnf fib 9 ]
  , env (return [1 .. 10 :: Int]) $ \xs -> bench "sum" $ nf sum xs
  , bench "boom" $ nfIO (fail "no luck" :: IO ())
  ]
END
cat >"$place/copies.hs" <<'END'
import Criterion.Main

main :: IO ()
main = defaultMain (replicate 1000 (bench "exp" $ whnf exp (2 :: Double)))
END
cat >"$place/session.hs" <<'END'
import Criterion
import Criterion.Main
import Criterion.Types
import Statistics.Types

main :: IO ()
main = do
  benchmarkWith defaultConfig {timeLimit = 0.3} (whnf exp (2 :: Double))
  report <- benchmarkWith' defaultConfig {timeLimit = 0.1, resamples = 20} (whnf exp (2 :: Double))
  putStrLn (if estPoint (anMean (reportAnalysis report)) > 0 then "a mean" else "no mean")
END
cat >"$place/twice.hs" <<'END'
import Criterion.Main

main :: IO ()
main = do
  defaultMain [bench "one" (whnf exp (2 :: Double))]
  putStrLn "in between"
  defaultMain [bench "two" (whnf exp (2 :: Double))]
END
cat >"$place/ratio.hs" <<'END'
import Test.Tasty.Bench

main :: IO ()
main = defaultMain
  [ bench "slow" (nf (sum . enumFromTo 1) (10000 :: Int))
  , bcompareWithin 0 0.1 "slow" (bench "fast" (nf (sum . enumFromTo 1) (10 :: Int)))
  , bcompareWithin 0 0.1 "slow" (bench "same" (nf (sum . enumFromTo 1) (20000 :: Int)))
  ]
END
cat >"$place/GaugeBench.hs" <<'END'
import Gauge

main :: IO ()
main = defaultMainWith defaultConfig {forceGC = False, minSamples = Just 3, quickMode = True}
  [ bgroup "exp" [bench "1" (whnf exp (1 :: Double)), bench "10" (whnf exp (10 :: Double))]
  , env (pure [1 .. 10 :: Int]) $ \xs -> bench "sum" (nf sum xs)
  ]
END
cat >"$place/wrong.hs" <<'END'
import Criterion.Main
import Criterion.Main.Options

main :: IO ()
main = runMode (parseWith defaultConfig) []
END
cat >"$place/vector.hs" <<'END'
import Criterion
import Criterion.Types

newtype Vector a = Vector [a]

count :: Vector a -> Int
count (Vector list) = length list

main :: IO ()
main = benchmark' (whnf exp (2 :: Double)) >>= print . count . reportMeasured
END
printf 'import Criterion.IO\nmain :: IO ()\nmain = readJSONReports "a.json"\n' >"$place/reading.hs"
# Copy the sources elsewhere, so that GHC uses the package instead of compiling its modules again.
cp test/Tests.hs conformance.hs "$place"
mkdir -p "$place/decoy/Criterion"
echo 'not Haskell' | tee "$place/decoy/Criterion.hs" >"$place/decoy/Criterion/Main.hs"
check "the library can be compiled in a folder with modules of the same names" sh -c 'cd decoy && sh ../build.sh'
build "$place/Tests.hs" tests
build "$place/conformance.hs" conformance
build "$place/program.hs" program
build "$place/session.hs" session
build "$place/twice.hs" twice
build "$place/ratio.hs" ratio
build "$place/GaugeBench.hs" gauge
# Compile as users do by hand: without the SDK's build script, optimisation and runtime statistics.
ghc -v0 -j2 -isrc -icompat/criterion -outputdir "$place/plain" "$place/copies.hs" -o "$place/copies" || status=1

# links WANTED: succeeds if WANTED (yes or no) agrees with whether building the program again links
# it.
links() {
    local before
    now() { stat -c '%i %z' "$place"/program.linked; }
    before=$(now)
    sh build.sh "$place/program.hs" "$place/program" || return 1
    if [ "$1" = yes ]; then [ "$(now)" != "$before" ]; else [ "$(now)" = "$before" ]; fi && cmp program.linked program
}
check "an unchanged program is not linked again" links no
sed -i 's/"boom"/"bang"/' "$place/program.hs"
check "a changed program is linked again" links yes
sed -i 's/"bang"/"boom"/' "$place/program.hs"
check "a program is linked again when it is changed back" links yes

"$place/tests" || status=1
"$DERNY_BIN" dev conform -- "$place/conformance" || status=1
check "names are listed, sorted" lists "boom fib/1 fib/9 sum " ./program --list
check "iterations run without an engine" ends 0 "benchmarking fib/9" env -u DERNY_BIN PATH= ./program -m pattern 9 -n 5
check "an unknown name exits with 64" ends 64 "none of the specified names" ./program nothing
check "an unknown option exits with 1" ends 1 "Invalid option" ./program --frob
check "a program with two mains shows the benchmarks of both" lists "one two " both_mains
check "a program of gauge lists its benchmarks" lists "exp/1 exp/10 sum " ./gauge --list
check "gauge's exact match selects one benchmark, and its other options are accepted" ends 0 "1 case" ./gauge --small --min-samples 5 -G -q -m exact exp/1
check "the engine finds and measures a program of gauge" ends 0 "3 passed" "$DERNY_BIN" run --once GaugeBench.hs
check "a ratio outside of its bounds exits with 1, one within with 0" ratios_are_bounded
check "without an engine, one line says what to do" ends 2 "PATH" env -u DERNY_BIN PATH= ./program
check "the engine measures the selected benchmarks" ends 0 "2 cases" ./program -m glob 'fib/*' -L 0.3
check "a benchmark that fails does not stop the others" ends 3 "no luck" ./program boom sum -L 0.3
check "criterion's files are written, with one header" files_are_written
check "a session measures with the engine and without it" both_are_said
check "memory does not grow with a thousand cases" memory_stays_flat
check "a program compiled with a single -i option enables runtime statistics itself" counters_are_told env -u GHCRTS ./copies
check "the compiler reports names that need other packages" ends 1 "optparse-applicative" \
    sh "$place/build.sh" "$place/wrong.hs" "$place/wrong"
check "the compiler's error names a list that replaces a vector" ends 1 "ListInPlaceOfVector" \
    sh "$place/build.sh" "$place/vector.hs" "$place/vector"
check "the compiler refers to derny import for reading files of criterion" ends 1 "derny import" \
    sh "$place/build.sh" "$place/reading.hs" "$place/reading"
sum
exit $status
