package testing

// Methods of a B without Loop: Go 1.22 and 1.23.

func (b *B) dernyLoops() bool { return false }

// dernyOurs reports whether the engine controls b. It does not control benchmarks that the user's
// code runs with testing.Benchmark.
func (b *B) dernyOurs() bool { return dernyOn && b.context != nil }

func dernyForget(main *B) { main.context.match.clearSubNames() }

// dernyHollow returns the time of an empty loop, in ns.
//
//go:noinline
func dernyHollow(_ bool, iterations int64) int64 {
	b := &B{N: int(iterations)}
	start := dernyNow()
	for i := 0; i < b.N; i++ {
	}
	return dernySince(start)
}
