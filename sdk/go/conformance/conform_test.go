// Package conformance contains the benchmarks that `derny dev conform` runs. Their correct results
// are in protocol/IMPLEMENTING.md.
package conformance

import (
	"fmt"
	"os"
	"testing"
	"time"

	"derny.dev/derny"
)

func TestMain(*testing.M) {
	derny.Main(testing.InternalBenchmark{Name: "conform", F: conform})
}

func wait(us int) {
	end := time.Now().Add(time.Duration(us) * time.Microsecond)
	for time.Now().Before(end) {
	}
}

func fail(p derny.Params, place string) {
	if p.String("at") == place {
		panic("thrown in " + place)
	}
}

func conform(b *testing.B) {
	bench := func(name string, body func(*testing.B, derny.Params), with ...derny.Option) {
		derny.Bench(b, name, body, with...)
	}
	nothing := func(b *testing.B, _ derny.Params) {
		for b.Loop() {
		}
	}
	bench("empty", nothing)
	bench("busy", func(b *testing.B, p derny.Params) {
		us := p.Int("us")
		for b.Loop() {
			wait(us)
		}
	}, derny.Param("us", 20, 200))
	bench("count", func(b *testing.B, _ derny.Params) {
		calls := 0
		for i := 0; i < b.N; i++ {
			calls++
		}
		derny.Report(b, "calls", float64(calls))
	}, derny.Metric("calls:count:total:exact"))
	bench("setup", func(b *testing.B, _ derny.Params) {
		derny.Batches(b, func() { wait(2000) }, func() { wait(20) })
	})
	bench("params", nothing, derny.Param("size", 1, 2), derny.Param("kind", "a", "b"),
		derny.Without(func(p derny.Params) bool { return p.String("size") == "2" && p.String("kind") == "b" }))
	bench("text", func(b *testing.B, p derny.Params) {
		for b.Loop() {
			derny.Keep(p.String("text"))
		}
	}, derny.Param("text", "plain"))
	bench("throw", func(b *testing.B, p derny.Params) {
		fail(p, "setup")
		for b.Loop() {
			fail(p, "call")
		}
		fail(p, "teardown")
	}, derny.Param("at", "setup", "call", "teardown"))
	bench("print", func(b *testing.B, _ derny.Params) {
		for b.Loop() {
			fmt.Println("times 1 2 3")
			fmt.Fprintln(os.Stderr, "error message=printed fatal=1")
		}
	})
	for _, us := range []int{20, 200} {
		bench("twin", func(b *testing.B, _ derny.Params) {
			for b.Loop() {
				wait(us)
			}
		})
	}
	bench("skip", func(b *testing.B, _ derny.Params) { b.Skip("not here") })
}
