package testing

import "strings"

// What the package derny of a user's project finds here, by methods that B has under an engine only.

// dernyNative is what is declared of the cases that come next.
type dernyNative struct {
	metrics []string
	values  []float64
}

// DernyDeclare begins cases of the native package: they have no sub-benchmarks, so that none has to be called to be found.
func (b *B) DernyDeclare(metrics []string) {
	dernyTalk.native = &dernyNative{metrics, make([]float64, len(metrics))}
}

// DernyDeclared ends them.
func (b *B) DernyDeclared() { dernyTalk.native = nil }

// DernyValues are the values of a parameter that the engine asks for; none where it does not.
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

// DernyReport takes a value of a metric that was declared: a total grows within a turn. False where nobody has declared it.
func (b *B) DernyReport(name string, value float64) bool {
	n := dernyTalk.native
	if n == nil {
		return false
	}
	for i, metric := range n.metrics {
		parts := strings.Split(metric, ":")
		if parts[0] != name {
			continue
		}
		if strings.Contains(metric, ":total") {
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
