// Package kernels contains the kernel as a benchmark of Go's testing package.
package kernels

import (
	"os"
	"strconv"
	"testing"
)

const steps = 3200

var sink uint64

//go:noinline
func mix(steps int, x uint64) uint64 {
	for i := 0; i < steps; i++ {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

func BenchmarkMix(b *testing.B) {
	extra, err := strconv.Atoi(os.Getenv("KERNEL_EXTRA"))
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		sink ^= mix(steps+extra, 0x9e3779b97f4a7c15)
	}
}
