#!/usr/bin/env bash
# All tests of this SDK: its own, conformance, names against those of go test, and what people do wrong. They need an engine
# (DERNY_BIN, or derny on the PATH) and Go 1.24 or later. Toolchains of the module cache are used where they are there; nothing
# is fetched.
set -uo pipefail
cd "$(dirname "$0")"
sdk=$PWD
place=$(mktemp -d)
trap 'chmod -R u+w "$place"; rm -rf "$place"' EXIT
DERNY_BIN=$(realpath "$(command -v "${DERNY_BIN:-derny}")") || { echo "there is no engine: set DERNY_BIN"; exit 1; }
export DERNY_BIN DERNY_STORE=$place/store GOPROXY=off GOTOOLCHAIN=local GOFLAGS= GOWORK=off
status=0 passed=0 failed=0

check() { # check NAME COMMAND...
    local name=$1
    shift
    if (cd "$place" && "$@") >"$place/log" 2>&1 </dev/null; then
        passed=$((passed + 1))
        echo "ok      $name"
    else
        failed=$((failed + 1)) status=1
        echo "FAILED  $name"
        sed 's/^/    /' "$place/log"
    fi
}
says() { # says TEXT COMMAND...: its output has the text
    local text=$1 output
    shift
    output=$("$@" 2>&1)
    echo "$output"
    grep -qF -- "$text" <<<"$output"
}
ends() { # ends STATUS TEXT COMMAND...: it ends so and says the text
    local wanted=$1 text=$2 output was
    shift 2
    output=$("$@" 2>&1)
    was=$?
    echo "status $was: $output"
    [ $was = "$wanted" ] && grep -qF -- "$text" <<<"$output"
}
talk() { DERNY_COMMANDS=/dev/stdin DERNY_REPLIES=/dev/fd/1 "$@" | cat; } # the engine's part on standard input

# The names that go test prints, and those that derny lists, as go test would write them.
# Parameters stand behind the name, however go test mixes them.
ordered() { awk -F/ '{ name = $1; params = ""; for (i = 2; i <= NF; i++) if ($i ~ /^[a-z]+=/ && $i !~ /^cpu=/) params = params "/" $i; else name = name "/" $i; print name params }' | sort; }
names_of_go() { (cd "$1" && go test -run '^$' -bench . -benchtime 1x -cpu 1 . 2>/dev/null) | sed -n 's/^\(Benchmark[^ \t]*\)[ \t].*/\1/p' | ordered; }
names_of_derny() { (cd "$1" && "$DERNY_BIN" list . -f plain 2>/dev/null) | sed 's/^.*\(Benchmark\)/\1/; s/ \([^ ]*=\)/\/\1/g' | grep -v skipped | ordered; }
same_names() { diff <(names_of_go "$1") <(names_of_derny "$1") && [ -n "$(names_of_go "$1")" ]; }

module() { mkdir -p "$place/$1" && printf 'module example.com/%s\n\ngo 1.24\n' "$1" >"$place/$1/go.mod"; }

(cd build && go vet . && go test .) || status=1
(cd derny && go vet . && go test .) || status=1
sh build.sh "$sdk" go "$sdk/conformance" "$place/conform" || status=1
"$DERNY_BIN" conform -- "$place/conform" -test.run='^$' -test.timeout=0 || status=1

module good
cat >"$place/good/good_test.go" <<'END'
package good

import (
	"os"
	"strings"
	"testing"
	"time"
)

func BenchmarkLoop(b *testing.B) {
	setUps++
	for b.Loop() {
		strings.Repeat("x", 100)
	}
	b.ReportMetric(float64(b.N)/float64(b.N), "share/op")
	b.ReportMetric(float64(setUps), "set-ups")
}

var setUps int

func BenchmarkCounted(b *testing.B) {
	b.SetBytes(100)
	for i := 0; i < b.N; i++ {
		sink = make([]byte, 100)
	}
}

var sink []byte

func BenchmarkNames(b *testing.B) {
	for _, name := range []string{"n=1", "n=1/quick", "route:/a/b", "a b", "same", "same", "x,_len=1", "cpu=3"} {
		b.Run(name, func(b *testing.B) {
			for i := 0; i < b.N; i++ {
			}
		})
	}
	b.Run("skipped", func(b *testing.B) { b.Skip("not here") })
}

func BenchmarkStopped(b *testing.B) {
	for i := 0; i < b.N; i++ {
		b.StopTimer()
		time.Sleep(100 * time.Microsecond)
		b.StartTimer()
	}
}

func BenchmarkFolder(b *testing.B) {
	if _, err := os.Stat("good_test.go"); err != nil {
		b.Fatal(err)
	}
	b.Setenv("X", b.TempDir())
	for b.Loop() {
	}
}

func BenchmarkParallel(b *testing.B) {
	b.SetParallelism(3)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			strings.Repeat("x", 100)
		}
	})
}
END
sh build.sh "$sdk" go "$place/good" "$place/good/good.test" || status=1
turn() { # turn CASE ITERATIONS BATCHES: a turn of a case
    printf 'open benchmark=%s\nmeasure iterations=%s batches=%s within=9000000000\nclose\nquit\n' "$1" "$2" "$3" |
        talk "$place/good/good.test" -test.run='^$' -test.bench=. | tee /dev/stderr
}
times_are_below() { turn "$1" 10 3 | awk -v most="$2" '/^times/ { for (i = 2; i <= NF; i++) if ($i < most) n++ } END { exit n != 3 }'; }
has_allocations() { turn "$1" 100 3 | awk -v bytes="$2" -v calls="$3" '/^end/ { exit !($2 == bytes && $3 == calls) }'; }
set_up_once() { turn BenchmarkLoop 100 30 | grep -c 'closed ops=3000 .*v.set-ups:set-ups:level=1\b.*v.share/op:share/op:level=1\b'; }
tests_still_run() { (cd good && ./good.test -test.bench=Loop -test.benchtime=10x | grep -c '^BenchmarkLoop.*10.*ns/op'); }

check "the names are those of go test" same_names "$place/good"
check "what is stopped is not timed" times_are_below BenchmarkStopped 500000
check "allocations are exact" has_allocations BenchmarkCounted 33600 300
check "a loop goes on from turn to turn, set up once, and its metrics are of all turns" set_up_once
check "without an engine the program is as it was" tests_still_run
check "a case is measured" ends 0 "BenchmarkLoop" sh -c "cd good && '$DERNY_BIN' run --quick BenchmarkLoop"
check "every case works" ends 0 "passed" sh -c "cd good && '$DERNY_BIN' run --once ./..."
check "-p cpu sets GOMAXPROCS" says "cpu=2" sh -c "cd good && '$DERNY_BIN' list BenchmarkParallel -p cpu=1,2 -f plain"

module bad
mkdir -p "$place/bad/broken" "$place/bad/none" "$place/bad/fine"
cp "$place/good/good_test.go" "$place/bad/fine/fine_test.go"
printf 'package broken\nimport "testing"\nfunc BenchmarkX(b *testing.B) { nonsense() }\n' >"$place/bad/broken/x_test.go"
printf 'package none\n' >"$place/bad/none/none.go"
cat >"$place/bad/bad_test.go" <<'END'
package bad

import (
	"os"
	"testing"
	"time"
)

func BenchmarkGood(b *testing.B) {
	for b.Loop() {
	}
}

func BenchmarkPanics(b *testing.B) {
	for b.Loop() {
		panic("boom")
	}
}

func BenchmarkExits(b *testing.B) { os.Exit(0) }

func BenchmarkFails(b *testing.B) { b.Fatal("no luck") }

func BenchmarkLeaks(b *testing.B) {
	go func() { select {} }()
	for b.Loop() {
	}
}

func BenchmarkNever(b *testing.B) {
	if os.Getenv("NEVER") != "" {
		time.Sleep(time.Minute)
	}
	for b.Loop() {
	}
}
END
once() { (cd bad && "$DERNY_BIN" run --once "$@"); }
check "a package that does not compile costs itself only" ends 3 "nonsense" once ./...
check "a benchmark that panics is told with its words" ends 3 "boom" once BenchmarkPanics BenchmarkGood
check "one that ends the process is told" ends 3 "BenchmarkExits" once .
check "one that fails is told with its words" ends 3 "no luck" once .
check "others of the package are measured" says "passed" once .
check "one that leaves goroutines is measured" ends 0 "passed" once . BenchmarkLeaks
check "one that takes long ends at its time-out" ends 3 "BenchmarkNever" env NEVER=1 sh -c "cd bad && '$DERNY_BIN' run --once --timeout 3s BenchmarkNever"
check "a package without benchmarks is named" says "no benchmarks" sh -c "cd bad && '$DERNY_BIN' run --once ./none"
mkdir "$place/bare"
for program in sh env cat cut cksum basename dirname mkdir git; do
    ln -s "$(command -v $program)" "$place/bare/$program"
done
check "no Go on the path is told" ends 2 "there is no Go here" env PATH="$place/bare" sh -c "cd good && '$DERNY_BIN' run --once BenchmarkLoop"
check "GOFLAGS=-mod=mod is honoured" ends 0 "passed" env GOFLAGS=-mod=mod sh -c "cd good && '$DERNY_BIN' run --once BenchmarkLoop"

# The first toolchain of the module cache that is not the installed one.
for cached in "$(go env GOMODCACHE)"/golang.org/toolchain@*; do
    [ -x "$cached/bin/go" ] || { echo "skipped: no toolchain in the module cache"; break; }
    version=${cached##*-go} version=go${version%.*-*}
    check "a toolchain of the module cache is a side ($(basename "$cached"))" \
        says "good" sh -c "sh '$sdk/build.sh' '$sdk' '$cached/bin/go' '$sdk/build' '$place/old.test' && echo good"
    break
done
echo "$passed passed, $failed failed"
exit $status
