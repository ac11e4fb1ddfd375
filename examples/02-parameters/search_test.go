package parameters

import (
	"fmt"
	"slices"
	"testing"

	"derny.dev/derny"
)

// All combinations of the values: 2 × 3 = 6 cases per benchmark. n is the outer parameter, because it is the first.
var n, where = derny.Param("n", 10, 1000), derny.Param("where", "first", "last", "absent")

func made(p derny.Params) (items []string, wanted string) {
	for i := range p.Int("n") {
		items = append(items, fmt.Sprint("item", i))
	}
	at := map[string]string{"first": "item0", "last": items[len(items)-1], "absent": "nothing"}
	return items, at[p.String("where")]
}

func BenchmarkSearch(b *testing.B) {
	derny.Bench(b, "slice", func(b *testing.B, p derny.Params) {
		items, wanted := made(p) // not timed: the clock starts with the loop
		for b.Loop() {
			slices.Contains(items, wanted)
		}
	}, n, where)

	// Excludes one combination: an absent item in a short list.
	short := func(p derny.Params) bool { return p.Int("n") == 10 && p.String("where") == "absent" }
	derny.Bench(b, "map", func(b *testing.B, p derny.Params) {
		items, wanted := made(p)
		set := map[string]bool{}
		for _, item := range items {
			set[item] = true
		}
		for b.Loop() {
			derny.Keep(set[wanted])
		}
	}, n, where, derny.Without(short))
}

// Without the package `derny`, a part key=value of a name is a parameter.
func BenchmarkIndex(b *testing.B) {
	for _, n := range []int{10, 1000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			numbers := make([]int, n)
			for b.Loop() {
				slices.Index(numbers, 1)
			}
		})
	}
}
