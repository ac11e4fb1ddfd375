package testing

// For a B without Loop: before Go 1.24.

func (b *B) dernyLoops() bool { return false }

// dernyOurs reports whether the engine caused this call: then garbage is not collected before each.
func (b *B) dernyOurs() bool { return dernyOn && b.context != nil }

func dernyForget(main *B) { main.context.match.clearSubNames() }

// dernyHollow times the empty loop.
//
//go:noinline
func dernyHollow(_ bool, iterations int64) int64 {
	b := &B{N: int(iterations)}
	start := dernyNow()
	for i := 0; i < b.N; i++ {
	}
	return dernySince(start)
}
