package testing

import (
	"strconv"
	"strings"
)

// The interface for package derny in a user's project: methods that B has only in programs built by
// derny.

// dernyNative describes the current call of derny.Bench: its metrics, and its next case.
type dernyNative struct {
	id      dernyID
	number  string // of this call of Bench within its benchmark function
	metrics []string
	names   []string
	totals  []bool
	values  []float64
}

// DernyDeclare begins the cases of one call of Bench, which are listed without calling their
// sub-benchmarks.
func (b *B) DernyDeclare(metrics []string) {
	dernyTalk.declared[b.name]++
	n := &dernyNative{metrics: metrics, values: make([]float64, len(metrics)), number: strconv.Itoa(dernyTalk.declared[b.name])}
	for _, metric := range metrics {
		name, words, _ := strings.Cut(metric, ":")
		n.names = append(n.names, name)
		n.totals = append(n.totals, strings.Contains(words, ":total"))
	}
	dernyTalk.native = n
}

// at returns the key that identifies the cases of this call of Bench.
func (n *dernyNative) at() string { return dernyNumbered + n.number }

// DernyCase sets the name and parameters of the next sub-benchmark. Values may contain characters
// that are not allowed in a benchmark's name.
func (b *B) DernyCase(name string, names, values []string) {
	id := dernyID{name: b.name}
	if name != "" {
		id.name += "/" + name
	}
	for i := range names {
		id.params = append(id.params, dernyParam{names[i], values[i]})
	}
	dernyTalk.native.id = id
}

// DernyDeclared ends the cases that DernyDeclare began.
func (b *B) DernyDeclared() { dernyTalk.native = nil }

// DernyValues returns the values that the user chose for a parameter, or nil.
func (b *B) DernyValues(name string) []string {
	s := &dernyTalk
	if s.wanted != nil {
		if value, ok := s.values[name]; ok {
			return []string{value}
		}
		return nil
	}
	return s.given[name]
}

// DernyReport sets the value of a declared metric. The values of a metric of kind total are added
// up within a turn. DernyReport returns false if the metric is not declared.
func (b *B) DernyReport(name string, value float64) bool {
	n := dernyTalk.native
	if n == nil {
		return false
	}
	for i := range n.names {
		if n.names[i] != name {
			continue
		}
		if n.totals[i] {
			value += n.values[i]
		}
		n.values[i] = value
		return true
	}
	return false
}

func (n *dernyNative) end(line *dernyLine) {
	if n != nil {
		for _, value := range n.values {
			line.number(value)
		}
		n.forget()
	}
}

func (n *dernyNative) none(line *dernyLine) {
	if n != nil {
		for range n.metrics {
			line.word("-")
		}
	}
}

func (n *dernyNative) forget() {
	if n != nil {
		clear(n.values)
	}
}
