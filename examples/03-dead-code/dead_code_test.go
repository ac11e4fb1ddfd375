package deadcode

import (
	"math"
	"testing"

	"derny.dev/derny"
)

var radii = []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}

func root(radius float64) float64 { return math.Sqrt(radius) / (radius + 1) }

// WRONG: the result is unused. In a loop to b.N, the compiler removes the computation.
func Benchmark1WrongResultDropped(b *testing.B) {
	for i := 0; i < b.N; i++ {
		root(radii[i%len(radii)])
	}
}

// WRONG: the input is a constant, so the compiler computes the result at compile time.
func Benchmark2WrongConstantInput(b *testing.B) {
	for i := 0; i < b.N; i++ {
		derny.Keep(root(3))
	}
}

// RIGHT: b.Loop keeps the arguments and results of the calls in its body.
func Benchmark3RightLoop(b *testing.B) {
	i := 0
	for b.Loop() {
		root(radii[i%len(radii)])
		i++
	}
}

// RIGHT: in a loop to b.N, the result is kept and the input changes.
func Benchmark4RightKept(b *testing.B) {
	for i := 0; i < b.N; i++ {
		derny.Keep(root(radii[i%len(radii)]))
	}
}

// The cost that all benchmarks share.
func Benchmark5Nothing(b *testing.B) {
	for b.Loop() {
	}
}
