package testing

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Timing of the open case. Its turns run inside b.Loop, or call the body once per batch.

const dernyMostBatches = 4096

// dernyCase is the benchmark whose loop the overlay drives. dernyEmpty is the benchmark whose empty
// loop is timed. dernyParallel is true once the benchmark has called RunParallel.
var (
	dernyCase     *B
	dernyEmpty    *B
	dernyParallel bool
	dernyLast     *dernyLine // error line of the last call, if it panicked
)

type dernyOpen struct {
	b       *B
	told    bool // open was answered
	pending bool // a turn's command is not answered yet
	closing bool // close or quit was received
	// Totals over all turns.
	n             int
	ns            int64
	allocs, bytes uint64
	thread        int
}

// dernyTurn is the state of the current turn. Its durations are in ns.
type dernyTurn struct {
	active            bool
	check             bool
	iterations, lead  int64
	batches, within   int64
	started           dernyTime
	times             []int64
	counts, atEnd     dernyCounts
	values            map[string]float64
	valued            int
	leadEnd, leadLeft int64
}

func (s *dernySession) opens(command *dernyCommand) {
	name, ok := command.get("benchmark")
	if s.open != nil {
		dernyError("open: a case is open already", "").send()
		return
	}
	if !ok {
		dernyError("open: the key benchmark is missing", "").send()
		return
	}
	wanted := dernyID{name: name}
	procs := s.procs
	for _, param := range command.params() {
		if n, err := strconv.Atoi(param.value); param.name == dernyProcs && err == nil && n > 0 {
			procs = n
			continue
		}
		wanted.params = append(wanted.params, param)
	}
	top := s.topOf(name)
	if top == nil {
		dernyError("open: there is no benchmark "+name, "").send()
		return
	}
	at, _ := command.get("at")
	if at == "" && s.isShared(*top, wanted) {
		dernyError("open: several benchmarks have the name "+name+" and these parameters: the key at must select one", "").send()
		return
	}
	runtime.GOMAXPROCS(procs)
	goroutines := runtime.NumGoroutine()
	s.wanted, s.wasOpen, s.values = dernyWant(wanted, at), true, map[string]string{}
	for _, param := range wanted.params {
		s.values[param.name] = param.value
	}
	s.failure, s.wasAnswered = nil, false
	if failed := s.walk(*top); s.failure == nil {
		s.failure = failed
	}
	s.wanted, s.values, s.native = nil, nil, nil
	s.conclude(name)
	runtime.GOMAXPROCS(s.procs)
	if left := runtime.NumGoroutine() - goroutines; left > 0 && s.open == nil {
		s.leaks(name, left)
	}
}

// isShared reports whether several benchmarks have the same name and parameters. It lists all
// benchmarks below top.
func (s *dernySession) isShared(top InternalBenchmark, id dernyID) bool {
	if top.Name == id.name && len(id.params) == 0 {
		return false
	}
	found, _ := s.below(top)
	count := 0
	for i := range found {
		if found[i].id.is(id) {
			count++
		}
	}
	return count > 1
}

// topOf returns the top-level benchmark with the longest name that contains the given one.
// Top-level names may contain slashes.
func (s *dernySession) topOf(name string) *InternalBenchmark {
	var top *InternalBenchmark
	for i := range s.benchmarks {
		benchmark := &s.benchmarks[i]
		if benchmark.Name != name && !strings.HasPrefix(name, benchmark.Name+"/") {
			continue
		}
		if top == nil || len(top.Name) < len(benchmark.Name) {
			top = benchmark
		}
	}
	return top
}

func (s *dernySession) conclude(name string) {
	open, failure := s.open, s.failure
	switch {
	case dernyQuits || s.wasAnswered:
	case open == nil || !open.told:
		s.open = nil
		if failure == nil {
			failure = dernyError("open: there is no benchmark "+name+" with these parameters", "")
		}
		failure.send()
	case open.closing:
		s.open = nil
		// A skip after the loop does not discard the measurement.
		if failure != nil && !open.b.skipped {
			failure.send()
			return
		}
		s.closed(open)
	case open.pending:
		open.pending = false
		if failure == nil {
			failure = dernyError("the benchmark returned during a turn", "")
		}
		failure.send()
	}
}

func (s *dernySession) closed(open *dernyOpen) {
	line := dernyVerb("closed")
	if open.b.dernyLoops() {
		line.field("ops", strconv.Itoa(open.n))
		dernyValues(line, open.b.extra)
	}
	line.send()
}

func (s *dernySession) leaks(name string, left int) {
	dernyNap()
	text := name + " has left goroutines running: " + strconv.Itoa(left)
	dernyNote = dernyVerb("log").field("message", text)
}

// dernyValues adds the values of ReportMetric to a line. Only a few units imply a direction of
// improvement.
func dernyValues(line *dernyLine, extra map[string]float64) {
	for _, unit := range dernySorted(extra) {
		words := ":level"
		switch {
		case unit == "ns/op" || unit == "B/op" || unit == "allocs/op":
			words = ":level:less"
		case strings.HasSuffix(unit, "/s"):
			words = ":level:more"
		}
		line.value(unit, unit, words, extra[unit])
	}
}

// serve measures a case until close or the end of the conversation.
func (s *dernySession) serve(sub *B) {
	open := &dernyOpen{b: sub}
	s.open, dernyCase = open, sub
	s.turn = dernyTurn{times: s.turn.times[:0]}
	defer func() { dernyCase = nil }()
	how := dernyFirst(sub)
	if how == dernyReturned && !sub.failed && !sub.hasSub.Load() && !sub.skipped && !sub.dernyLoops() {
		// The body loops up to b.N itself, so call it once per batch.
		s.opened()
		how = dernyGo(sub, func() { s.calls(sub) })
	}
	switch {
	case how == dernyStopped:
		s.failure = dernyLast
	case sub.hasSub.Load():
		s.failure = dernyError("open: "+sub.name+" has sub-benchmarks and is not a case itself", "")
	case sub.skipped && !open.told:
		s.open, s.wasAnswered = nil, true
		dernyVerb("skip").field("reason", dernyReason(sub)).send()
	case sub.skipped && !sub.failed:
		s.failure = dernyVerb("skip").field("reason", dernyReason(sub))
	case sub.failed:
		s.failure = dernyError(sub.name+" has failed: "+dernyReason(sub), string(sub.output))
	}
}

func (s *dernySession) calls(b *B) {
	for {
		n, ok := s.step(b)
		if !ok {
			return
		}
		b.runN(int(n))
		if b.failed || b.skipped {
			return
		}
		s.batch(b)
		s.open.n += int(n)
	}
}

const (
	dernyReturned = iota
	dernyLeft     // the goroutine exited: FailNow or SkipNow
	dernyStopped  // by a panic
)

// dernyFirst calls a benchmark with N = 1, as go test does first.
func dernyFirst(b *B) int { return dernyGo(b, func() { b.runN(1) }) }

// dernyGo runs calls in a new goroutine, because a benchmark may exit its goroutine. It returns how
// the calls ended.
func dernyGo(b *B, calls func()) int {
	how := dernyLeft
	go func() {
		defer func() {
			if cause := recover(); cause != nil {
				how, dernyLast = dernyStopped, dernyPanic(cause)
			}
			b.signal <- true
		}()
		calls()
		how = dernyReturned
	}()
	<-b.signal
	return how
}

func (s *dernySession) opened() {
	s.open.told = true
	s.open.thread = dernyThread()
	dernyVerb("opened").field("thread", strconv.Itoa(s.open.thread)).send()
}

// step returns the number of iterations of the next batch. After the last batch of a turn, it sends
// the results and answers commands until the next turn begins. It returns false at the end of the
// case or of the conversation.
func (s *dernySession) step(b *B) (int64, bool) {
	if s.turn.active && s.goesOn() {
		return s.turn.iterations, true
	}
	if s.turn.active {
		s.answerTurn(b)
	}
	for {
		text, ok := dernyReadLine()
		if !ok || text == "quit" {
			return 0, s.quits()
		}
		if s.command(text) {
			return s.turn.iterations, true
		}
		if s.open.closing {
			return 0, false
		}
	}
}

func (s *dernySession) quits() bool {
	dernyCase = nil
	s.open.closing = true
	dernyQuits = true
	return false
}

// command handles one command while a case is open. It reports whether the command begins a turn.
func (s *dernySession) command(text string) bool {
	verb, _, _ := strings.Cut(text, " ")
	command, wrong := dernyParse(text)
	switch {
	case verb == "list" || verb == "expand":
		wrong = "only allowed before the first open"
	case verb == "open" && wrong == "":
		wrong = "a case is open already"
	}
	if wrong != "" {
		dernyError(verb+": "+wrong, "").send()
		return false
	}
	switch verb {
	case "measure":
		return s.measure(&command)
	case "check":
		s.turn = dernyTurn{active: true, check: true, iterations: 1, batches: 1, times: s.turn.times[:0]}
		s.begin()
		return true
	case "overhead":
		s.overhead(&command)
	case "collect":
		start := dernyNow()
		runtime.GC()
		dernyVerb("collected").field("ns", strconv.FormatInt(dernySince(start), 10)).send()
	case "close":
		s.open.closing = true
	default:
		dernyVerb("unsupported").field("verb", verb).send()
	}
	return false
}

func (s *dernySession) measure(command *dernyCommand) bool {
	const most = 1 << 62
	iterations, wrong := command.whole("iterations", 1, most)
	batches, wrong2 := command.whole("batches", 1, most)
	within, wrong3 := command.whole("within", 0, most)
	var lead int64
	var wrong4 string
	if _, ok := command.get("lead"); ok {
		lead, wrong4 = command.whole("lead", 0, most)
	}
	if mode, ok := command.get("mode"); ok && mode != "time" {
		wrong = "there is no mode " + mode
	}
	if batches > dernyMostBatches {
		wrong2 = "batches must be 1 to 4096"
	}
	for _, why := range []string{wrong, wrong2, wrong3, wrong4} {
		if why != "" {
			dernyError("measure: "+why, "").send()
			return false
		}
	}
	s.turn = dernyTurn{active: true, iterations: iterations, batches: batches, within: within, lead: lead, times: s.turn.times[:0]}
	if lead > 0 {
		s.turn.leadLeft = dernyMostBatches
	}
	s.begin()
	return true
}

func (s *dernySession) begin() {
	s.open.pending = true
	s.native.forget()
	s.turn.counts.start()
	s.turn.counts.bytes, s.turn.counts.allocs = 0, 0
	if b := s.open.b; b.dernyLoops() {
		b.startAllocs, b.startBytes, b.netAllocs, b.netBytes = dernyMem.Mallocs, dernyMem.TotalAlloc, 0, 0
	}
	s.turn.started = dernyNow()
}

// goesOn reports whether the current turn needs another batch. It also ends the turn's lead when
// its time is over, and discards its batches.
func (s *dernySession) goesOn() bool {
	t := &s.turn
	if t.leadLeft > 0 {
		if t.leadLeft--; t.leadLeft == 0 || dernySince(t.started) >= t.lead {
			t.leadLeft = 0
			t.times, t.values, t.valued = t.times[:0], nil, 0
			s.native.forget()
			s.begin()
		}
		return true
	}
	return int64(len(t.times)) < t.batches && (len(t.times) == 0 || dernySince(t.started) < t.within)
}

func (s *dernySession) batch(b *B) {
	t := &s.turn
	if len(t.times) < dernyMostBatches {
		t.times = append(t.times, b.duration.Nanoseconds())
	}
	s.open.ns += b.duration.Nanoseconds()
	if b.dernyLoops() {
		return
	}
	t.counts.bytes += b.netBytes
	t.counts.allocs += b.netAllocs
	if len(b.extra) > 0 {
		t.valued++
		if t.values == nil {
			t.values = map[string]float64{}
		}
		for unit, value := range b.extra {
			t.values[unit] += value
		}
	}
	if len(b.output) > dernyDetail {
		b.mu.Lock()
		b.output = b.output[:0]
		b.mu.Unlock()
	}
}

func (s *dernySession) answerTurn(b *B) {
	t := &s.turn
	t.active, s.open.pending = false, false
	if t.check {
		dernyVerb("checked").send()
		return
	}
	t.atEnd.stop()
	t.atEnd.bytes, t.atEnd.allocs = t.counts.bytes, t.counts.allocs
	if b.dernyLoops() {
		t.atEnd.bytes = b.netBytes + dernyMem.TotalAlloc - b.startBytes
		t.atEnd.allocs = b.netAllocs + dernyMem.Mallocs - b.startAllocs
		s.open.bytes += t.atEnd.bytes
		s.open.allocs += t.atEnd.allocs
	}
	line := dernyVerb("times")
	for _, ns := range t.times {
		line.integer(ns)
	}
	line.text = append(line.text, "\nend"...)
	t.atEnd.end(line, &t.counts)
	s.native.end(line)
	if !b.dernyLoops() {
		for unit := range t.values {
			t.values[unit] /= float64(t.valued)
		}
		dernyValues(line, t.values)
	}
	if thread := dernyThread(); thread != s.open.thread {
		s.open.thread = thread
		line.field("thread", strconv.Itoa(thread))
	}
	if dernyNote != nil {
		dernyNote.send()
		dernyNote = nil
	}
	line.send()
}

func (s *dernySession) overhead(command *dernyCommand) {
	iterations, wrong := command.whole("iterations", 1, 1<<62)
	batches, wrong2 := command.whole("batches", 1, 1<<62)
	if batches > dernyMostBatches {
		wrong2 = "batches must be 1 to 4096"
	}
	if wrong+wrong2 != "" {
		dernyError("overhead: "+wrong+wrong2, "").send()
		return
	}
	times := s.turn.times[:0]
	loops := s.open.b.dernyLoops()
	for range int(batches) {
		times = append(times, dernyHollow(loops, iterations))
	}
	line := dernyVerb("times")
	for _, ns := range times {
		line.integer(ns)
	}
	line.text = append(line.text, "\nend"...)
	dernyNoCounts(line)
	s.native.none(line)
	line.send()
}

// dernyNote is a log line that is sent before the next answer.
var dernyNote *dernyLine

// dernyQuits is true if the conversation ended while a case was open.
var dernyQuits bool

// dernyFlags are flags that go test accepts without their prefix `test.`.
var dernyFlags = []string{"benchtime", "count", "cpu", "benchmem", "short", "timeout", "v"}

// dernyArguments adds the prefix `test.` to flags, as go test does before it runs a test binary.
func dernyArguments() {
	for i, arg := range os.Args {
		name, found := strings.CutPrefix(arg, "-")
		if i == 0 || !found {
			continue
		}
		name = strings.TrimPrefix(name, "-")
		key, _, _ := strings.Cut(name, "=")
		for _, known := range dernyFlags {
			if key == known {
				os.Args[i] = "-test." + name
			}
		}
	}
}

func dernySetFlag(name string) (set bool) {
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}

func init() {
	if dernyOn {
		dernyArguments()
	}
	if dernyBroken != "" {
		os.Stderr.WriteString(dernyBroken + "\n")
		os.Exit(2)
	}
}
