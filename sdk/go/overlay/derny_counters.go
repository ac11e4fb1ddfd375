package testing

import (
	"runtime"
	"runtime/metrics"
)

// Counters of the Go runtime, read once before and once after the timed region of a turn.

var dernyMetrics = []string{
	"allocated:B:total:less:exact", "allocations:count:total:less:exact",
	"gc:count:total:less", "gc_time:ns:total:less", "gc_cpu:ns:total:less", "cpu_process:ns:total:less",
}

type dernyCounts struct {
	bytes, allocs, cycles, pauses uint64
	gcTime, cpu                   int64
}

var (
	dernyMem    runtime.MemStats
	dernySample = []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}}
)

// start reads the memory statistics last, and stop reads them first, so that their own allocations
// do not count. Allocations of the benchmark are counted separately, while its timer runs.
func (c *dernyCounts) start() {
	c.times()
	c.memory()
}

func (c *dernyCounts) stop() {
	c.memory()
	c.times()
}

func (c *dernyCounts) memory() {
	runtime.ReadMemStats(&dernyMem)
	c.cycles, c.pauses = uint64(dernyMem.NumGC), dernyMem.PauseTotalNs
}

func (c *dernyCounts) times() {
	metrics.Read(dernySample)
	if dernySample[0].Value.Kind() == metrics.KindFloat64 {
		c.gcTime = int64(dernySample[0].Value.Float64() * 1e9)
	}
	c.cpu = dernyProcessTime()
}

func (c *dernyCounts) end(line *dernyLine, start *dernyCounts) {
	line.integer(int64(c.bytes)).integer(int64(c.allocs))
	line.integer(int64(c.cycles - start.cycles)).integer(int64(c.pauses - start.pauses))
	line.integer(c.gcTime - start.gcTime).integer(c.cpu - start.cpu)
}

func dernyNoCounts(line *dernyLine) {
	for range dernyMetrics {
		line.word("-")
	}
}
