// Package derny adds features to testing: parameters that can be chosen on the command line, fresh inputs, set-up before every
// batch, and user-defined quantities. Such benchmarks work with `go test -bench` too; under `derny run` the cases are known
// before any of them has run.
package derny

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// engine has the methods of a *testing.B in programs built by derny.
type engine interface {
	DernyDeclare(metrics []string)
	DernyCase(name string, names, values []string)
	DernyDeclared()
	DernyValues(name string) []string
	DernyReport(name string, value float64) bool
}

// Params are the values of a case.
type Params struct {
	names  []string
	values []string
}

// String returns the value of a parameter. It panics if the benchmark does not have this parameter.
func (p Params) String(name string) string {
	for i := range p.names {
		if p.names[i] == name {
			return p.values[i]
		}
	}
	panic("derny: the benchmark has no parameter " + name)
}

// Int returns the value of a parameter as a number.
func (p Params) Int(name string) int {
	n, err := strconv.Atoi(p.String(name))
	if err != nil {
		panic("derny: the value of " + name + " is not a whole number: " + p.String(name))
	}
	return n
}

// Float returns the value of a parameter as a number.
func (p Params) Float(name string) float64 {
	x, err := strconv.ParseFloat(p.String(name), 64)
	if err != nil {
		panic("derny: the value of " + name + " is not a number: " + p.String(name))
	}
	return x
}

// Option configures a benchmark.
type Option func(*options)

type options struct {
	names   []string
	values  [][]string
	without func(Params) bool
	metrics []string
}

// Param adds a parameter with its values. The first one is the outermost.
func Param(name string, values ...any) Option {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = fmt.Sprint(value)
	}
	return func(o *options) {
		o.names, o.values = append(o.names, name), append(o.values, texts)
	}
}

// Without excludes the combinations for which the function returns true.
func Without(excluded func(Params) bool) Option {
	return func(o *options) { o.without = excluded }
}

// Metric declares a user-defined metric, which the body sets with [Report]: a name, a unit and words as in
// `size:B:level:less` or `calls:count:total:exact`.
func Metric(metric string) Option {
	return func(o *options) { o.metrics = append(o.metrics, metric) }
}

// Bench measures a body for every combination of the parameters. Call it in a benchmark function. It makes a sub-benchmark of
// each combination: `name/n=10`. The name may be empty if there are parameters. The body is written for package testing: set-up,
// then a loop over b.Loop() or to b.N. It must not run sub-benchmarks.
func Bench(b *testing.B, name string, body func(*testing.B, Params), with ...Option) {
	b.Helper()
	var o options
	for _, option := range with {
		option(&o)
	}
	if name == "" && len(o.names) == 0 {
		panic("derny: a benchmark needs a name or a parameter")
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

// each calls do for every combination.
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

// Maximum number of inputs made in advance.
const ahead = 1024

// Fresh times a body that consumes its input: inputs are made before the clock starts, some at a time.
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

// Batches times a body with a set-up before every batch of calls instead of every call. The set-up is not
// timed.
func Batches(b *testing.B, before func(), body func()) {
	b.Helper()
	before()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		body()
	}
}

// Report sets a value of a [Metric]. Under `go test` it calls ReportMetric; the last value counts.
func Report(b *testing.B, name string, value float64) {
	if live, ok := any(b).(engine); ok && live.DernyReport(name, value) {
		return
	}
	b.ReportMetric(value, name)
}

// Keep marks a result as used, so that the compiler cannot remove its computation. In a loop over b.Loop() of
// Go 1.24 and later it is not necessary.
func Keep[T any](value T) { keep(&value) }

//go:noinline
func keep(any) {}

// Main measures the benchmarks of a program. Without an engine it measures each with testing.Benchmark.
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
