package derny

import (
	"slices"
	"testing"
)

func TestCombinationsAreTheProductWithoutWhatIsLeftOut(t *testing.T) {
	var names []string
	testing.Benchmark(func(b *testing.B) {
		names = nil
		body := func(b *testing.B, p Params) { names = append(names, p.path("x")) }
		without := Without(func(p Params) bool { return p.Int("size") == 2 && p.String("kind") == "b" })
		Bench(b, "x", body, Param("size", 1, 2), Param("kind", "a", "b"), without)
	})
	names = slices.Compact(names)
	want := []string{"x/size=1/kind=a", "x/size=1/kind=b", "x/size=2/kind=a"}
	if !slices.Equal(names, want) {
		t.Fatalf("cases: got %v, want %v", names, want)
	}
}

func TestEveryCallHasAFreshInput(t *testing.T) {
	made, used, n := 0, 0, 0
	testing.Benchmark(func(b *testing.B) {
		made, used, n = 0, 0, b.N
		Fresh(b, func() int { made++; return made }, func(input int) {
			used++
			if input != used {
				b.Fatalf("call %d received input %d", used, input)
			}
		})
	})
	if made != n || used != n {
		t.Fatalf("%d calls: %d inputs made and %d used", n, made, used)
	}
}

func TestAParameterThatIsNotThereIsAMistake(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Fatal("nothing was said")
		}
	}()
	Params{}.Int("n")
}
