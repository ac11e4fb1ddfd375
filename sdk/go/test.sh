#!/usr/bin/env bash
# Runs all tests of this SDK: unit tests, conformance, comparison of names with go test, and invalid input.
# Needs an engine (DERNY_BIN, or derny on the PATH) and Go 1.24 or later. Tests other toolchains if they are
# in the module cache. Downloads nothing.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
sdk=$PWD
. ../../tests/checks.sh
export DERNY_STORE=$place/store GOPROXY=off GOTOOLCHAIN=local GOFLAGS= GOWORK=off
talk() { DERNY_COMMANDS=/dev/stdin DERNY_REPLIES=/dev/fd/1 "$@" | cat; } # commands on standard input, answers on standard output

# Sorts each name's parts as Derny does: parameters come last, wherever go test prints them.
ordered() { awk -F/ '{ name = $1; params = ""; for (i = 2; i <= NF; i++) if ($i ~ /^[a-z]+=/ && $i !~ /^cpu=/) params = params "/" $i; else name = name "/" $i; print name params }' | sort; }
names_of_go() { (cd "$1" && go test -run '^$' -bench . -benchtime 1x -cpu 1 . 2>/dev/null) | sed -n 's/^\(Benchmark[^ \t]*\)[ \t].*/\1/p' | ordered; }
names_of_derny() { (cd "$1" && "$DERNY_BIN" list . -f plain 2>/dev/null) | sed 's/^.*\(Benchmark\)/\1/; s/ #[0-9]*//; s/ \([^ ]*=\)/\/\1/g' | grep -v skipped | ordered; }
same_names() { diff <(names_of_go "$1") <(names_of_derny "$1") && [ -n "$(names_of_go "$1")" ]; }

module() { mkdir -p "$place/$1" && printf 'module example.com/%s\n\ngo 1.24\n' "$1" >"$place/$1/go.mod"; }

(cd build && go vet . && go test .) || status=1
(cd derny && go vet . && go test .) || status=1
sh build.sh "$sdk" go "$sdk/conformance" "$place/conform" || status=1
"$DERNY_BIN" dev conform -- "$place/conform" -test.run='^$' -test.timeout=0 || status=1

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

// An iteration of the sub-benchmark with index i takes (i + 1) × 100 µs.
func BenchmarkPlaces(b *testing.B) {
	for i, name := range []string{"n=1/encode", "encode/n=1", "n=1/encode", "n=1"} {
		if name == "n=1" {
			b.Run(name, func(b *testing.B) { waits(b, "encode", i) })
		} else {
			waits(b, name, i)
		}
	}
	b.Run("skipped-late", func(b *testing.B) {
		for b.Loop() {
			b.Skip("not any more")
		}
	})
}

func waits(b *testing.B, name string, i int) {
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			for end := time.Now().Add(time.Duration(i+1) * 100 * time.Microsecond); time.Now().Before(end); {
			}
		}
	})
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
turn() { # turn CASE ITERATIONS BATCHES: measures one turn
    printf 'open benchmark=%s\nmeasure iterations=%s batches=%s within=9000000000\nclose\nquit\n' "$1" "$2" "$3" |
        talk "$place/good/good.test" -test.run='^$' -test.bench=. | tee /dev/stderr
}
times_are_below() { turn "$1" 10 3 | awk -v most="$2" '/^times/ { for (i = 2; i <= NF; i++) if ($i < most) n++ } END { exit n != 3 }'; }
has_allocations() { turn "$1" 100 3 | awk -v bytes="$2" -v calls="$3" '/^end/ { exit !($2 == bytes && $3 == calls) }'; }
set_up_once() { turn BenchmarkLoop 100 30 | grep -c 'closed ops=3000 .*v.set-ups:set-ups:level=1\b.*v.share/op:share/op:level=1\b'; }
tests_still_run() { (cd good && ./good.test -test.bench=Loop -test.benchtime=10x | grep -c '^BenchmarkLoop.*10.*ns/op'); }

# Opens a case by the name that go test prints, even if Derny's name differs.
opens_its_own() {
    local name number=0
    for name in n=1/encode encode/n=1 n=1/encode#01 n=1/encode#02; do
        number=$((number + 1))
        turn "BenchmarkPlaces/any at=BenchmarkPlaces/${name//=/%3D}" 1 9 |
            awk -v least=$((number * 100000)) '/^times/ { for (i = 2; i <= NF; i++) { if ($i < least) wrong = 1; if ($i < least + 95000) near = 1 } } END { exit wrong || !near }' || return 1
    done
}
shared_name() { printf 'open benchmark=BenchmarkPlaces/encode p.n=1\nquit\n' | talk "$place/good/good.test" -test.run='^$' -test.bench=. | grep 'error .*at%20must%20select%20one'; }
late_skip() { turn BenchmarkPlaces/skipped-late 10 3 | grep -c '^skip reason=not%20any%20more'; }
check "a sub-benchmark opens by its full name" opens_its_own
check "a name that two benchmarks share does not open without at" shared_name
check "a benchmark that skips in its loop is skipped" late_skip
check "each of several benchmarks with one name is measured" says "BenchmarkPlaces/encode #2" sh -c "cd good && '$DERNY_BIN' list BenchmarkPlaces -f plain"
check "names equal those of go test" same_names "$place/good"
check "code that runs while the timer is stopped is not timed" times_are_below BenchmarkStopped 500000
check "allocations are counted exactly" has_allocations BenchmarkCounted 33600 300
check "a loop continues across turns with one set-up, and its metrics cover all turns" set_up_once
check "without an engine the program behaves as before" tests_still_run
check "a case is measured" ends 0 "BenchmarkLoop" sh -c "cd good && '$DERNY_BIN' run --quick BenchmarkLoop"
check "every case works" ends 0 "passed" sh -c "cd good && '$DERNY_BIN' run --once ./..."
check "-p cpu sets GOMAXPROCS" says "cpu=2" sh -c "cd good && '$DERNY_BIN' list BenchmarkParallel -p cpu=1,2 -f plain"

module bad
mkdir -p "$place/bad/broken" "$place/bad/none" "$place/bad/fine" "$place/bad/stuck"
cp "$place/good/good_test.go" "$place/bad/fine/fine_test.go"
printf 'package broken\nimport "testing"\nfunc BenchmarkX(b *testing.B) { nonsense() }\n' >"$place/bad/broken/x_test.go"
printf 'package stuck\nimport "testing"\nfunc BenchmarkDeadlocks(b *testing.B) { for b.Loop() { <-make(chan bool) } }\n' >"$place/bad/stuck/x_test.go"
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
check "a package that does not compile does not stop the others" ends 3 "nonsense" once ./...
check "a panic is reported with its message" ends 3 "boom" once BenchmarkPanics BenchmarkGood
check "a benchmark that ends the process is reported" ends 3 "BenchmarkExits" once .
check "a failure is reported with its message" ends 3 "no luck" once .
check "a deadlock is reported with the runtime's message" ends 3 "deadlock" once ./stuck
check "other benchmarks of the package are measured" says "passed" once .
check "a benchmark that leaves goroutines running is measured" ends 0 "passed" once . BenchmarkLeaks
check "a benchmark that never returns ends at the timeout" ends 3 "BenchmarkNever" env NEVER=1 sh -c "cd bad && '$DERNY_BIN' run --once --set timeout=3s BenchmarkNever"
check "a package without benchmarks is reported" says "no benchmarks" sh -c "cd bad && '$DERNY_BIN' run --once ./none"
mkdir "$place/bare"
for program in sh env cat cut cksum basename dirname mkdir git; do
    ln -s "$(command -v $program)" "$place/bare/$program"
done
check "a missing Go is reported" ends 2 "Go is not installed" env PATH="$place/bare" sh -c "cd good && '$DERNY_BIN' run --once BenchmarkLoop"
check "GOFLAGS=-mod=mod is honoured" ends 0 "passed" env GOFLAGS=-mod=mod sh -c "cd good && '$DERNY_BIN' run --once BenchmarkLoop"

# Three layouts: a module in a read-only module cache, the same module vendored, and a workspace of two
# modules.
module words
cat >"$place/words/words.go" <<'END'
package words

func Count(text string) (n int) {
	for _, c := range text {
		if c == ' ' {
			n++
		}
	}
	return n
}
END
module user
mkdir -p "$place/user/_left" "$place/proxy/example.com/words/@v"
printf 'require example.com/words v1.0.0\n' >>"$place/user/go.mod"
cat >"$place/user/user_test.go" <<'END'
package user

import (
	"testing"

	"example.com/words"
)

func BenchmarkCount(b *testing.B) {
	for b.Loop() {
		words.Count("a b c")
	}
}
END
cp "$place/user/user_test.go" "$place/user/_left/left_test.go"
cat >"$place/zip.go" <<'END'
package main

import (
	"archive/zip"
	"os"
)

func main() {
	out, _ := os.Create(os.Args[1])
	archive := zip.NewWriter(out)
	for _, name := range []string{"go.mod", "words.go"} {
		text, _ := os.ReadFile(os.Args[2] + "/" + name)
		file, _ := archive.Create("example.com/words@v1.0.0/" + name)
		file.Write(text)
	}
	archive.Close()
}
END
versions=$place/proxy/example.com/words/@v
(cd "$place" && go run zip.go "$versions/v1.0.0.zip" words) || status=1
cp "$place/words/go.mod" "$versions/v1.0.0.mod"
echo '{"Version":"v1.0.0"}' >"$versions/v1.0.0.info"
(cd "$place/user" && GOMODCACHE=$place/cache GOPROXY=file://$place/proxy GONOSUMDB='*' GOFLAGS=-mod=mod go mod tidy) || status=1
chmod -R a-w "$place/cache"
unchanged() { # unchanged FOLDER COMMAND...: fails if the command changes the folder
    local before folder=$1
    shift
    before=$(cd "$folder" && find . | sort | xargs ls -ld)
    "$@" && diff <(echo "$before") <(cd "$folder" && find . | sort | xargs ls -ld)
}
works() { # works FOLDER CASES: fails unless CASES cases pass
    local output
    output=$(cd "$1" && "$DERNY_BIN" run --once 2>&1) || { echo "$output"; return 1; }
    echo "$output"
    grep -q "$2 passed" <<<"$output"
}
check "a read-only module cache works and is not changed" \
    env GOMODCACHE="$place/cache" bash -c "$(declare -f works unchanged); unchanged '$place/cache' works '$place/user' 1"
(cd "$place/user" && GOMODCACHE=$place/cache go mod vendor) || status=1
printf 'package words\nimport "testing"\nfunc BenchmarkVendored(b *testing.B) {}\n' >"$place/user/vendor/example.com/words/w_test.go"
check "vendored modules are used but not measured" \
    env GOMODCACHE="$place/none" GOFLAGS=-mod=vendor bash -c "$(declare -f works); works '$place/user' 1"
rm -r "$place/user/vendor" "$place/user/go.sum"
mkdir "$place/space"
mv "$place/user" "$place/words" "$place/space"
printf 'package words\nimport "testing"\nfunc BenchmarkOwn(b *testing.B) { for b.Loop() { Count("a") } }\n' >"$place/space/words/w_test.go"
printf 'go 1.24\n\nuse (\n\t./user\n\t./words\n)\n' >"$place/space/go.work"
check "all modules of a workspace are measured" env GOWORK= GOMODCACHE="$place/none" bash -c "$(declare -f works); works '$place/space' 2"

# An unchanged program is not linked again, and a folder called go is not mistaken for a toolchain.
mkdir -p "$place/good/go"
linked_once() {
    local program=built/x.test
    build() { sh "$sdk/build.sh" "$sdk" go . "$program"; }
    cd good && build && ln "$program.linked" held && build && [ "$program.linked" -ef held ] || return 1
    echo 'var changed = 1' >>good_test.go
    build && ! [ "$program.linked" -ef held ]
}
check "an unchanged program is not linked again" linked_once

# Other toolchains in the module cache: one of them, or all if ALL_TOOLCHAINS=1.
conforms() {
    local folder
    folder=$(mktemp -d "$place/with.XXXX")
    sh "$sdk/build.sh" "$sdk" "$1" "$sdk/conformance" "$folder/conform" && "$DERNY_BIN" dev conform -- "$folder/conform" -test.run='^$' -test.timeout=0
}
cached=("$(go env GOMODCACHE)"/golang.org/toolchain@*)
[ -x "${cached[0]}/bin/go" ] || echo "skipped: no toolchain in the module cache"
for toolchain in "${cached[@]}"; do
    [ -x "$toolchain/bin/go" ] || continue
    name=$(basename "$toolchain")
    case $name in
    *go1.2[23].*) check "the harness builds with $name" sh "$sdk/build.sh" "$sdk" "$toolchain/bin/go" "$sdk/build" "$place/old.test" ;; # no b.Loop
    *) check "the harness conforms with $name" conforms "$toolchain/bin/go" ;;
    esac
    [ -n "${ALL_TOOLCHAINS:-}" ] || break
done
sum
exit $status
