#!/usr/bin/env bash
# All tests of this SDK: its own, conformance, and programs written for criterion. They need an engine (DERNY_BIN, or derny on
# the PATH) and GHC. Everything is compiled once, in a folder of its own. That `derny run` finds and compiles programs is seen
# by the lessons of examples/, which `make test` runs.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
. ../../tests/checks.sh
export DERNY_STORE=$place/store
cp -r src compat build.sh "$place"

build() { sh "$place/build.sh" "$(realpath "$1")" "$place/$2" || status=1; } # build FILE PROGRAM
lists() { # lists NAMES COMMAND...: it prints just these, one a line
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
talk() { # talk PROGRAM: the engine's part on standard input
    DERNY_COMMANDS=/dev/stdin DERNY_REPLIES=/dev/stdout "$@"
}
counters_are_told() { # counters_are_told PROGRAM, linked without -T
    printf 'open benchmark=exp\nmeasure iterations=10 batches=2 within=1000000000\nquit\n' | talk "$@" | tee wire
    grep -q '^derny 1 language=haskell runtime=ghc/.*metrics=cpu:ns:total:less,cpu_process:ns:total,allocated:B:total:less:exact,gc:count:total:less.*heap:MB:level:none,peak:MB:peak:less' wire &&
        [ "$(tail -n 1 wire | wc -w)" = 11 ]
}
memory_stays_flat() { # a thousand cases opened, measured and closed in one process, and all of them once more
    local i
    {
        for i in $(seq 2 1000) $(seq 2 1000); do
            printf 'open benchmark=exp%%20#%s\nmeasure iterations=1000 batches=20 within=100000000\n' "$i"
            [ "$i" = 1000 ] && printf 'collect\nmeasure iterations=1 batches=1 within=1\n'
            echo close
        done
        echo quit
    } | talk ./copies >wire
    # What lives after a collection, and the peak, are the last two counters of a turn.
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
# Outside of this folder, so that the package is used and not compiled once more.
cp test/Tests.hs conformance.hs "$place"
mkdir -p "$place/decoy/Criterion"
echo 'not Haskell' | tee "$place/decoy/Criterion.hs" >"$place/decoy/Criterion/Main.hs"
check "the library is compiled in a folder that has modules of the same names" sh -c 'cd decoy && sh ../build.sh'
build "$place/Tests.hs" tests
build "$place/conformance.hs" conformance
build "$place/program.hs" program
build "$place/session.hs" session
build "$place/twice.hs" twice
build "$place/ratio.hs" ratio
build "$place/GaugeBench.hs" gauge
# As somebody does it by hand: without this SDK's build, without optimisation, without the runtime's statistics.
ghc -v0 -j2 -isrc -icompat/criterion -outputdir "$place/plain" "$place/copies.hs" -o "$place/copies" || status=1

# links WANTED: whether building the program again links it.
links() {
    local before
    now() { stat -c '%i %z' "$place"/program.linked; }
    before=$(now)
    sh build.sh "$place/program.hs" "$place/program" || return 1
    if [ "$1" = yes ]; then [ "$(now)" != "$before" ]; else [ "$(now)" = "$before" ]; fi && cmp program.linked program
}
check "a program that has not changed is not linked again" links no
sed -i 's/"boom"/"bang"/' "$place/program.hs"
check "a program that has changed is" links yes
sed -i 's/"bang"/"boom"/' "$place/program.hs"
check "and when it is changed back" links yes

"$place/tests" || status=1
"$DERNY_BIN" conform -- "$place/conformance" || status=1
check "names are listed, sorted" lists "boom fib/1 fib/9 sum " ./program --list
check "iterations are run without an engine" ends 0 "benchmarking fib/9" env -u DERNY_BIN PATH= ./program -m pattern 9 -n 5
check "a name that nothing has ends with 64" ends 64 "none of the specified names" ./program nothing
check "an option that nobody knows ends with 1" ends 1 "Invalid option" ./program --frob
check "a program with two mains shows the benchmarks of both" lists "one two " both_mains
check "a program of gauge lists its benchmarks" lists "exp/1 exp/10 sum " ./gauge --list
check "gauge's exact match selects one, and its other options are taken" ends 0 "1 case" ./gauge --small --min-samples 5 -G -q -m exact exp/1
check "the engine finds a program of gauge and measures it" ends 0 "3 passed" "$DERNY_BIN" run --once GaugeBench.hs
check "a ratio outside of its bounds ends with 1, one inside with 0" ratios_are_bounded
check "without an engine it says in one line what to do" ends 2 "PATH" env -u DERNY_BIN PATH= ./program
check "the engine measures what was selected" ends 0 "2 cases" ./program -m glob 'fib/*' -L 0.3
check "a benchmark that fails costs itself only" ends 3 "no luck" ./program boom sum -L 0.3
check "criterion's files are written, with one head" files_are_written
check "a session is measured by the engine, and by itself" both_are_said
check "a thousand copies leave memory as it was" memory_stays_flat
check "one -i is enough, and the program asks the runtime for its statistics" counters_are_told env -u GHCRTS ./copies
check "what boot packages cannot give is said by the compiler" ends 1 "optparse-applicative" \
    sh "$place/build.sh" "$place/wrong.hs" "$place/wrong"
check "what is a list where criterion has a vector is named so" ends 1 "ListInPlaceOfVector" \
    sh "$place/build.sh" "$place/vector.hs" "$place/vector"
check "what reads criterion's files is named by the compiler" ends 1 "derny import" \
    sh "$place/build.sh" "$place/reading.hs" "$place/reading"
sum
exit $status
