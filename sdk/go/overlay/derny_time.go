package testing

import "time"

type dernyTime = time.Time

func dernyNow() dernyTime { return time.Now() }

func dernySince(start dernyTime) int64 { return time.Since(start).Nanoseconds() }

// dernyNap sleeps for a millisecond, so that goroutines that are about to exit can finish.
func dernyNap() { time.Sleep(time.Millisecond) }

// dernySorted returns the keys of a map in order. Package sort cannot be used, because its tests
// import this package.
func dernySorted(values map[string]float64) []string {
	var names []string
	for name := range values {
		at := len(names)
		names = append(names, name)
		for ; at > 0 && names[at-1] > name; at-- {
			names[at] = names[at-1]
		}
		names[at] = name
	}
	return names
}

func dernyDuration(ns int64) time.Duration { return time.Duration(ns) }
