package async

import (
	"os"
	"testing"
)

// Reads in the calling goroutine.
func BenchmarkReadHere(b *testing.B) {
	for b.Loop() {
		os.ReadFile("async_test.go")
	}
}

// Reads in another goroutine. The scheduler switches once in each direction.
func BenchmarkReadElsewhere(b *testing.B) {
	done := make(chan []byte)
	for b.Loop() {
		go func() {
			text, _ := os.ReadFile("async_test.go")
			done <- text
		}()
		<-done
	}
}

// Measures the cost of waiting alone.
func BenchmarkHandOver(b *testing.B) {
	to, from := make(chan int), make(chan int)
	go func() {
		for n := range to {
			from <- n
		}
		close(from)
	}()
	for b.Loop() {
		to <- 1
		<-from
	}
	close(to)
	<-from
}
