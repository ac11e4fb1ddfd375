// Measures the time of growing a slice over the number of its elements. `derny plot --over n` draws
// it.
package vec

import (
	"testing"

	"derny.dev/derny"
)

func BenchmarkAppend(b *testing.B) {
	derny.Bench(b, "", func(b *testing.B, p derny.Params) {
		n := p.Int("n")
		for b.Loop() {
			var list []int
			for i := range n {
				list = append(list, i)
			}
			derny.Keep(list)
		}
	}, derny.Param("n", 1000, 2000, 5000, 10000, 20000, 50000))
}
