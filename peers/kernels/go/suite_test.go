package kernels

import (
	"fmt"
	"os"
	"testing"
)

// A suite of 140 benchmarks. If SUITE_EXTRA is 1, those named more=2 do 2 % more work, and those
// named more=5 do 5 % more. The hundred named more=0 never change.

var suiteData = func() (data [4096]byte) {
	x := uint64(1)
	for i := range data {
		x = mix(1, x)
		data[i] = byte(x >> 11)
	}
	return data
}()

var suiteMap = func() map[int]uint64 {
	all := map[int]uint64{}
	for i := 0; i < 1000; i++ {
		all[i] = uint64(i)
	}
	return all
}()

var kept []byte

var suiteKinds = []struct {
	name string
	run  func(steps int) uint64
}{
	{"arithmetic", func(steps int) uint64 { return mix(steps, 0x9e3779b97f4a7c15) }},
	{"branches", func(steps int) (sum uint64) {
		for i := 0; i < steps; i++ {
			if suiteData[i&4095] < 128 {
				sum += uint64(i)
			} else {
				sum ^= sum << 3
			}
		}
		return sum
	}},
	{"lookups", func(steps int) (sum uint64) {
		for i := 0; i < steps; i++ {
			sum += suiteMap[i%1000]
		}
		return sum
	}},
	{"allocations", func(steps int) uint64 {
		for i := 0; i < steps; i++ {
			kept = make([]byte, 64)
		}
		return uint64(len(kept))
	}},
}

func BenchmarkSuite(b *testing.B) {
	for _, kind := range suiteKinds {
		for i := 0; i < 35; i++ {
			steps := 400 + 100*i
			percent := 0
			switch i % 7 {
			case 5:
				percent = 2
			case 6:
				percent = 5
			}
			done := steps
			if os.Getenv("SUITE_EXTRA") == "1" {
				done += steps * percent / 100
			}
			b.Run(fmt.Sprintf("kind=%s/steps=%d/more=%d", kind.name, steps, percent), func(b *testing.B) {
				for n := 0; n < b.N; n++ {
					sink ^= kind.run(done)
				}
			})
		}
	}
}

func BenchmarkEmptyLoop(b *testing.B) {
	for b.Loop() {
	}
}

func BenchmarkEmptyN(b *testing.B) {
	for i := 0; i < b.N; i++ {
	}
}
