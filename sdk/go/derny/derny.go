// Package derny extends package testing with parameters, fresh inputs, set-up per batch, and
// metrics of your own. Users can choose parameter values on the command line. The benchmarks also
// run under `go test -bench`. Under `derny run`, all cases are listed before the first one is
// measured.
package derny

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// engine contains the methods that derny adds to *testing.B.
type engine interface {
	DernyDeclare(metrics []string)
	DernyCase(name string, names, values []string)
	DernyDeclared()
	DernyValues(name string) []string
	DernyReport(name string, value float64) bool
}

// Params contains the parameter values of a case.
type Params struct {
	names  []string
	values []string
}

// String returns the value of a parameter. It panics if the benchmark does not have the parameter.
func (p Params) String(name string) string {
	for i := range p.names {
		if p.names[i] == name {
			return p.values[i]
		}
	}
	panic("derny: the benchmark has no parameter " + name)
}

// Int returns the value of a parameter as an integer. It panics if the value is not an integer.
func (p Params) Int(name string) int {
	n, err := strconv.Atoi(p.String(name))
	if err != nil {
		panic("derny: the value of " + name + " is not an integer: " + p.String(name))
	}
	return n
}

// Float returns the value of a parameter as a floating-point number. It panics if the value is not
// a number.
func (p Params) Float(name string) float64 {
	x, err := strconv.ParseFloat(p.String(name), 64)
	if err != nil {
		panic("derny: the value of " + name + " is not a number: " + p.String(name))
	}
	return x
}

// Option configures a benchmark; see [Param], [Without] and [Metric].
type Option func(*options)

type options struct {
	names   []string
	values  [][]string
	without func(Params) bool
	metrics []string
}

// Param adds a parameter and its values. The parameter that is added first varies slowest.
func Param(name string, values ...any) Option {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = fmt.Sprint(value)
	}
	return func(o *options) {
		o.names, o.values = append(o.names, name), append(o.values, texts)
	}
}

// Without excludes the combinations for which excluded returns true.
func Without(excluded func(Params) bool) Option {
	return func(o *options) { o.without = excluded }
}

// Metric declares a metric, whose value the body sets with [Report]. The text consists of a name, a
// unit, a kind and optional words: `size:B:level:less` or `calls:count:total:exact`.
func Metric(metric string) Option {
	return func(o *options) { o.metrics = append(o.metrics, metric) }
}

// Bench runs body as a sub-benchmark for each combination of parameter values, named for example
// `name/n=10`. Call it in a benchmark function. The name may be empty if there are parameters. The
// body is written as for package testing: set-up, then a loop over b.Loop() or up to b.N. It must
// not run sub-benchmarks. Bench panics if there is neither a name nor a parameter.
func Bench(b *testing.B, name string, body func(*testing.B, Params), with ...Option) {
	b.Helper()
	var o options
	for _, option := range with {
		option(&o)
	}
	if name == "" && len(o.names) == 0 {
		panic("derny: Bench needs a name or at least one Param")
	}
	live, isLive := any(b).(engine)
	if isLive {
		for i := range o.names {
			if given := live.DernyValues(o.names[i]); len(given) > 0 {
				o.values[i] = given
			}
		}
		live.DernyDeclare(o.metrics)
		defer live.DernyDeclared()
	}
	o.each(nil, func(values []string) {
		params := Params{o.names, values}
		if o.without != nil && o.without(params) {
			return
		}
		if isLive {
			live.DernyCase(name, o.names, values)
		}
		b.Run(params.path(name), func(b *testing.B) { body(b, params) })
	})
}

// each calls do with every combination of values that begins with chosen.
func (o *options) each(chosen []string, do func([]string)) {
	if len(chosen) == len(o.names) {
		do(chosen)
		return
	}
	for _, value := range o.values[len(chosen)] {
		o.each(append(chosen[:len(chosen):len(chosen)], value), do)
	}
}

func (p Params) path(name string) string {
	var parts []string
	if name != "" {
		parts = append(parts, name)
	}
	for i := range p.names {
		parts = append(parts, p.names[i]+"="+p.values[i])
	}
	return strings.Join(parts, "/")
}

// ahead is the maximum number of inputs that Fresh makes before it starts the clock.
const ahead = 1024

// Fresh calls body b.N times, each time with a new input. Inputs are made in advance, up to 1024 at
// a time, while the clock is stopped.
func Fresh[T any](b *testing.B, make func() T, body func(T)) {
	b.Helper()
	b.StopTimer()
	inputs := []T(nil)
	for left := b.N; left > 0; left -= len(inputs) {
		inputs = inputs[:0]
		for len(inputs) < min(left, ahead) {
			inputs = append(inputs, make())
		}
		b.StartTimer()
		for i := range inputs {
			body(inputs[i])
		}
		b.StopTimer()
		clear(inputs)
	}
	b.StartTimer()
}

// Batches calls before once, then body b.N times. Only the calls of body are timed.
func Batches(b *testing.B, before func(), body func()) {
	b.Helper()
	before()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		body()
	}
}

// Report sets the value of a [Metric]. Under `go test`, or if the metric is not declared, it calls
// b.ReportMetric, which keeps the last value only.
func Report(b *testing.B, name string, value float64) {
	if live, ok := any(b).(engine); ok && live.DernyReport(name, value) {
		return
	}
	b.ReportMetric(value, name)
}

// Keep marks a value as used, so that the compiler cannot remove its computation. It is unnecessary
// in a loop over b.Loop() with Go 1.24 and later.
func Keep[T any](value T) { keep(&value) }

//go:noinline
func keep(any) {}

// Main runs the given benchmarks as a program. Without an engine, it runs each with
// testing.Benchmark and prints the result.
func Main(benchmarks ...testing.InternalBenchmark) {
	testing.Init()
	if !flag.Parsed() {
		flag.Parse()
	}
	if _, ok := any((*testing.B)(nil)).(engine); !ok {
		for _, benchmark := range benchmarks {
			fmt.Printf("%s\t%v\n", benchmark.Name, testing.Benchmark(benchmark.F))
		}
		return
	}
	flag.Set("test.bench", ".")
	testing.RunBenchmarks(func(_, _ string) (bool, error) { return true, nil }, benchmarks)
	os.Exit(0)
}
