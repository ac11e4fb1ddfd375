package async

import (
	"os"
	"testing"
)

// The caller waits in the same goroutine.
func BenchmarkReadHere(b *testing.B) {
	for b.Loop() {
		os.ReadFile("async_test.go")
	}
}

// Another goroutine does the work: a turn of the scheduler each way.
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

// What waiting costs by itself.
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
