// Package bodies contains the bodies as benchmarks of Go's testing package.
package bodies

import (
	"os"
	"strconv"
	"testing"
)

var (
	sink uint64
	kept [16][]uint64
)

// steps returns the number of steps of an iteration.
func steps() int {
	extra, _ := strconv.Atoi(os.Getenv("KERNEL_EXTRA"))
	return 3200 + extra
}

func BenchmarkMix(b *testing.B) {
	all := steps()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		x := uint64(0x9e3779b97f4a7c15)
		for step := 0; step < all; step++ {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
		sink ^= x
	}
}

func BenchmarkAllocate(b *testing.B) {
	all := steps() / 16
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		for at := 0; at < all; at++ {
			kept[at&15] = make([]uint64, 8)
		}
	}
}
