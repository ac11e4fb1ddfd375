package testing

import "time"

// dernyTime is a time of the monotonic clock. It is in a separate file because of its imports.
type dernyTime = time.Time

func dernyNow() dernyTime { return time.Now() }

func dernySince(start dernyTime) int64 { return time.Since(start).Nanoseconds() }

// dernyNap gives ending goroutines time to end.
func dernyNap() { time.Sleep(time.Millisecond) }

// dernySorted avoids a sorting package, whose own tests import this one.
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
