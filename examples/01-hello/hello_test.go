package hello

import (
	"fmt"
	"strings"
	"testing"
)

var words = func() (words []string) {
	for i := range 100 {
		words = append(words, fmt.Sprint("word", i))
	}
	return words
}()

func BenchmarkJoin(b *testing.B) {
	for b.Loop() {
		strings.Join(words, " ")
	}
}

func BenchmarkConcatenate(b *testing.B) {
	for b.Loop() {
		text := words[0]
		for _, word := range words[1:] {
			text += " " + word
		}
	}
}
