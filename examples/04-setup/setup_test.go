package setup

import (
	"math/rand"
	"slices"
	"testing"

	"derny.dev/derny"
)

// Returns the same unsorted numbers in every process, so that all processes sort the same input.
func disorder() []int { return rand.New(rand.NewSource(42)).Perm(1000) }

// WRONG: the first iteration sorts, all later ones get a slice that is already sorted.
func Benchmark1WrongSortedOnce(b *testing.B) {
	numbers := disorder()
	for b.Loop() {
		slices.Sort(numbers)
	}
}

// BETTER: every iteration sorts a copy, but the copying is timed too.
func Benchmark2CopyTimed(b *testing.B) {
	numbers := disorder()
	for b.Loop() {
		slices.Sort(slices.Clone(numbers))
	}
}

// RIGHT: a fresh input for every iteration, made while the clock is stopped.
func Benchmark3FreshInput(b *testing.B) {
	numbers := disorder()
	b.ResetTimer()
	derny.Fresh(b, func() []int { return slices.Clone(numbers) }, func(fresh []int) { slices.Sort(fresh) })
}

// Runs once before each batch, untimed. Here each batch begins with an empty map.
func Benchmark4BeforeEachBatch(b *testing.B) {
	cache := map[int]string{}
	derny.Batches(b, func() { clear(cache) }, func() { cache[len(cache)] = "value" })
}
