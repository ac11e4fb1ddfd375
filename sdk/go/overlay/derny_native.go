package testing

import (
	"strconv"
	"strings"
)

// The interface for the package derny of a user's project: methods that B has only under an engine.

// dernyNative holds the declarations of the following cases.
type dernyNative struct {
	id      dernyID
	number  string // of the call among those of its benchmark
	metrics []string
	names   []string
	totals  []bool
	values  []float64
}

// DernyDeclare begins cases of the native package: they are known without calling sub-benchmarks.
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

// at returns the number of the call, which identifies its cases.
func (n *dernyNative) at() string { return dernyNumbered + n.number }

// DernyCase sets the case of the next sub-benchmark: values may contain characters that a name cannot.
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

// DernyDeclared ends the declarations.
func (b *B) DernyDeclared() { dernyTalk.native = nil }

// DernyValues returns the requested values of a parameter, if any.
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

// DernyReport sets a value of a declared metric; a total accumulates within a turn. It returns false for an
// undeclared one.
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
