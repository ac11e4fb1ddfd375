package testing

import "fmt"

// Methods of a B that has Loop: Go 1.24 and later.

func (b *B) dernyLoops() bool { return b.loop.n > 0 || b.loop.done }

// dernyOurs reports whether the engine controls b. It does not control benchmarks that the user's
// code runs with testing.Benchmark.
func (b *B) dernyOurs() bool { return dernyOn && b.bstate != nil }

func dernyForget(main *B) { main.bstate.match.clearSubNames() }

// dernyLoop is called by b.Loop when the loop begins and when a batch is complete. It answers the
// engine and waits for the next batch while the user's function stays in its loop. It returns false
// to end the loop.
func dernyLoop(b *B) bool {
	if b == dernyEmpty {
		return false
	}
	if !b.timerOn {
		b.Fatal("B.Loop called with timer stopped")
	}
	if b.loop.i&loopPoisonMask != 0 {
		panic(fmt.Sprintf("unknown loop stop condition: %#x", b.loop.i))
	}
	s := &dernyTalk
	first := b.loop.n == 0
	if b != dernyCase {
		// The benchmark is being listed, or is a parent of other cases, so run one iteration.
		if first {
			b.N, b.loop.n, b.loop.i = 0, 1, 1
			b.ResetTimer()
			return true
		}
		b.StopTimer()
		b.N, b.loop.done = 1, true
		return false
	}
	if first {
		b.N, b.loop.n = 0, 1
		b.ResetTimer()
		s.opened()
	} else {
		b.duration += highPrecisionTimeSince(b.start)
		s.batch(b)
	}
	b.timerOn = false
	n, ok := s.step(b)
	if !ok {
		dernyCommit(b, s.open)
		return false
	}
	s.open.n += int(n)
	b.loop.n, b.loop.i = uint64(n), 1
	b.duration = 0
	b.timerOn = true
	b.start = highPrecisionTimeNow()
	return true
}

// dernyCommit stores the totals of all turns in b, so that divisions by b.N in the user's code are
// correct.
func dernyCommit(b *B, open *dernyOpen) {
	b.N = max(open.n, 1)
	b.loop.n, b.loop.i, b.loop.done = uint64(b.N), uint64(b.N), true
	b.duration = dernyDuration(open.ns)
	b.netAllocs, b.netBytes = open.allocs, open.bytes
}

// dernyHollow returns the time of an empty loop of the kind that the body uses, in ns.
//
//go:noinline
func dernyHollow(loops bool, iterations int64) int64 {
	b := &B{N: int(iterations)}
	if !loops {
		return dernyHollowN(b)
	}
	dernyEmpty = b
	b.loop.n = uint64(iterations)
	start := highPrecisionTimeNow()
	for b.Loop() {
	}
	ns := highPrecisionTimeSince(start).Nanoseconds()
	dernyEmpty = nil
	return ns
}

//go:noinline
func dernyHollowN(b *B) int64 {
	start := highPrecisionTimeNow()
	for i := 0; i < b.N; i++ {
	}
	return highPrecisionTimeSince(start).Nanoseconds()
}
