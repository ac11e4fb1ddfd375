package testing

import "strings"

// Names of benchmarks. A sub-benchmark's name is a path. Each element `key=value` is a parameter.

type dernyParam struct{ name, value string }

type dernyID struct {
	name   string
	params []dernyParam
}

// dernyProcs is the parameter that sets GOMAXPROCS, as -cpu does.
const dernyProcs = "cpu"

// dernyIdentify splits a full name into a name and parameters. If a key is repeated, only its first
// element is a parameter.
func dernyIdentify(full string) dernyID {
	var id dernyID
	var rest []string
	for i, part := range strings.Split(full, "/") {
		key, value, ok := strings.Cut(part, "=")
		if i > 0 && ok && dernyIsKey(key) && id.value(key) == nil {
			id.params = append(id.params, dernyParam{key, value})
		} else {
			rest = append(rest, part)
		}
	}
	id.name = strings.Join(rest, "/")
	return id
}

func dernyIsKey(key string) bool {
	for i, c := range key {
		letter := c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || c > 0x7f
		if !letter && (i == 0 || !strings.ContainsRune("0123456789-.", c)) {
			return false
		}
	}
	return key != "" && key != dernyProcs
}

func (id dernyID) value(name string) *string {
	for i := range id.params {
		if id.params[i].name == name {
			return &id.params[i].value
		}
	}
	return nil
}

// is reports whether id and other have the same name and the same parameters, in any order.
func (id dernyID) is(other dernyID) bool {
	return len(id.params) == len(other.params) && id.name == other.name && id.fits(other)
}

// fits reports whether other contains the name and all parameters of id, and may therefore be below
// it.
func (id dernyID) fits(other dernyID) bool {
	if id.name != other.name && !strings.HasPrefix(other.name, id.name+"/") {
		return false
	}
	for _, param := range id.params {
		if value := other.value(param.name); value == nil || *value != param.value {
			return false
		}
	}
	return true
}

// dernyWanted identifies the benchmark to open. If several benchmarks have the same name and
// parameters, the key `at` of the command selects one: by the name that go test prints or, for
// package derny, by the number of the call of Bench.
type dernyWanted struct {
	id     dernyID
	full   string
	number string
}

// dernyNumbered is the prefix of the key `at` in cases of package derny.
const dernyNumbered = "call "

func dernyWant(id dernyID, at string) *dernyWanted {
	if number, ok := strings.CutPrefix(at, dernyNumbered); ok {
		return &dernyWanted{id: id, number: number}
	}
	return &dernyWanted{id: id, full: at}
}

func (w *dernyWanted) is(full string, id dernyID, native *dernyNative) bool {
	switch {
	case native != nil:
		return w.full == "" && w.id.is(id) && (w.number == "" || w.number == native.number)
	case w.full != "":
		return w.full == full
	}
	return w.number == "" && (w.id.is(id) || w.id.name == full && len(w.id.params) == 0)
}

// below reports whether the wanted benchmark may be a sub-benchmark of this one.
func (w *dernyWanted) below(full string, id dernyID) bool {
	if w.full != "" {
		return strings.HasPrefix(w.full, full+"/")
	}
	return id.fits(w.id) || strings.HasPrefix(w.id.name, full+"/")
}
