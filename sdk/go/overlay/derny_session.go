package testing

import (
	"fmt"
	"internal/race"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// Verbs of the conversation. See PROTOCOL.md, section 3.

// dernyFound describes a benchmark that is listed. It was found by calling it once, except for a
// top-level benchmark whose sub-benchmarks are not listed yet.
type dernyFound struct {
	id       dernyID
	at       string // distinguishes the benchmark from others with the same name and parameters
	bytes    int64
	skip     string
	parallel bool
	loops    bool
	metrics  []string // declared with derny.Metric
	file     string
	line     int
}

// dernySession is the conversation with the engine, one per process. Only one goroutine uses it at
// a time: the main one or that of the open case.
type dernySession struct {
	main       *B
	benchmarks []InternalBenchmark
	importPath string
	top        InternalBenchmark // the top-level benchmark being called
	program    bool              // the benchmarks are those of derny.Main, whose sub-benchmarks all come from derny.Bench
	given      map[string][]string
	procs      int // GOMAXPROCS at the start
	listed     bool
	wasOpen    bool
	found      *[]dernyFound // not nil while benchmarks are listed
	wanted     *dernyWanted  // not nil while a case is being opened
	values     map[string]string
	native     *dernyNative   // not nil during a call of derny.Bench
	declared   map[string]int // number of calls of derny.Bench, by name of the benchmark function
	failure    *dernyLine     // answer with the reason why the open case ended
	open       *dernyOpen
	// True if the answer to open was sent although no case is open, as after a skip.
	wasAnswered bool
	turn        dernyTurn
}

var dernyTalk dernySession

// dernySpeak serves the engine until the conversation ends. Package testing calls it instead of
// running benchmarks.
func dernySpeak(main *B, importPath string, benchmarks []InternalBenchmark) bool {
	s := &dernyTalk
	s.main, s.benchmarks, s.importPath, s.program = main, dernyNamed(benchmarks), importPath, importPath == ""
	s.procs = runtime.GOMAXPROCS(0)
	s.turn.times = make([]int64, 0, dernyMostBatches)
	s.hello()
	for {
		line, ok := dernyReadLine()
		if !ok || line == "quit" {
			return true
		}
		s.answer(line)
		if dernyQuits {
			return true
		}
	}
}

// dernyNamed appends numbers to repeated names, as package testing does for sub-benchmarks.
func dernyNamed(benchmarks []InternalBenchmark) []InternalBenchmark {
	seen := map[string]bool{}
	named := make([]InternalBenchmark, 0, len(benchmarks))
	for _, benchmark := range benchmarks {
		name := benchmark.Name
		for i := 1; seen[benchmark.Name]; i++ {
			benchmark.Name = fmt.Sprintf("%s#%02d", name, i)
		}
		seen[benchmark.Name] = true
		named = append(named, benchmark)
	}
	return named
}

func (s *dernySession) hello() {
	line := dernyVerb("derny").word("1").field("language", "go").field("runtime", "go/"+strings.TrimPrefix(runtime.Version(), "go"))
	line.field("harness", dernyVersion).field("pid", strconv.Itoa(os.Getpid()))
	line.field("clock", "monotonic").field("step_ns", "1").field("collector", "counted")
	line.list("can", []string{"overhead", "check", "collect", "expand"}).list("modes", []string{"time"})
	line.list("metrics", dernyMetrics)
	settings := []string{"GOMAXPROCS=" + strconv.Itoa(s.procs)}
	for _, name := range []string{"GOGC", "GOMEMLIMIT", "GODEBUG"} {
		if value := os.Getenv(name); value != "" {
			settings = append(settings, name+"="+value)
		}
	}
	if race.Enabled {
		settings = append(settings, "instrumented=race")
	} else if CoverMode() != "" {
		settings = append(settings, "instrumented=coverage")
	}
	for i := range settings {
		settings[i] = strings.Replace(settings[i], "=", "\x00", 1)
	}
	line.list("settings", settings)
	line.text = []byte(strings.ReplaceAll(string(line.text), "%00", "%3D"))
	line.send()
}

func (s *dernySession) answer(text string) {
	verb, _, _ := strings.Cut(text, " ")
	switch verb {
	case "list", "expand", "open", "check", "measure", "overhead", "collect", "close":
	default:
		dernyVerb("unsupported").field("verb", verb).send()
		return
	}
	command, wrong := dernyParse(text)
	if wrong != "" {
		dernyError(verb+": "+wrong, "").send()
		return
	}
	switch verb {
	case "list":
		s.list(&command)
	case "expand":
		s.expand(&command)
	case "open":
		s.opens(&command)
	default:
		s.refuse(verb)
	}
}

// refuse answers a command that needs a running case if no case is open, or if the open one has
// already returned.
func (s *dernySession) refuse(verb string) {
	switch {
	case s.open == nil:
		dernyError(verb+": no case is open", "").send()
	case verb == "close":
		s.open = nil
		dernyVerb("closed").send()
	default:
		dernyError(verb+": the benchmark has already returned", "").send()
	}
}

func (s *dernySession) list(command *dernyCommand) {
	if s.wasOpen {
		dernyError("list: only allowed before the first open", "").send()
		return
	}
	s.given = command.lists()
	if !s.listed {
		s.listed = true
		dernyRemarks()
	}
	var lines []byte
	for _, benchmark := range s.benchmarks {
		file, at := dernyPlace(benchmark.F)
		if !s.program {
			found := dernyFound{id: dernyID{name: benchmark.Name}, file: file, line: at}
			lines = append(append(lines, found.lines(nil, " parent=1")...), '\n')
			continue
		}
		cases, failed := s.below(benchmark)
		if failed != nil {
			failed.send()
			return
		}
		if mode, _ := command.get("mode"); mode == "test" && len(cases) > 0 {
			cases = dernyFirsts(cases)
		}
		for _, found := range cases {
			lines = append(append(lines, found.lines(s.processors(), "")...), '\n')
		}
	}
	dernyWrite(append(lines, "end\n"...))
}

// dernyFirsts keeps one case per name, which is enough to test that the code works.
func dernyFirsts(cases []dernyFound) []dernyFound {
	seen := map[string]bool{}
	var first []dernyFound
	for _, found := range cases {
		if !seen[found.id.name] {
			seen[found.id.name] = true
			first = append(first, found)
		}
	}
	return first
}

func (s *dernySession) expand(command *dernyCommand) {
	name, _ := command.get("benchmark")
	for _, benchmark := range s.benchmarks {
		if benchmark.Name != name {
			continue
		}
		cases, failed := s.below(benchmark)
		if failed != nil {
			failed.send()
			return
		}
		var lines []byte
		for _, found := range cases {
			lines = append(append(lines, found.lines(s.processors(), "")...), '\n')
		}
		dernyWrite(append(lines, "end\n"...))
		return
	}
	dernyError("expand: there is no benchmark "+name, "").send()
}

// below calls a benchmark once and returns the cases below it. Sub-benchmarks cannot be listed
// without calling their parents.
func (s *dernySession) below(benchmark InternalBenchmark) ([]dernyFound, *dernyLine) {
	var found []dernyFound
	s.found = &found
	failed := s.walk(benchmark)
	s.found = nil
	return found, failed
}

// walk runs a top-level benchmark, whose sub-benchmarks are passed to dernySub. It returns an error
// line if the benchmark panics.
func (s *dernySession) walk(benchmark InternalBenchmark) (failed *dernyLine) {
	dernyForget(s.main)
	s.top, s.declared = benchmark, map[string]int{}
	s.main.benchFunc = func(b *B) { b.Run(benchmark.Name, benchmark.F) }
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() {
			if cause := recover(); cause != nil {
				failed = dernyPanic(cause)
			}
		}()
		s.main.runN(1)
	}()
	<-done
	return failed
}

// processors returns the values of GOMAXPROCS that the user chose with `-p cpu=` or with the flag
// -cpu.
func (s *dernySession) processors() []string {
	given := strings.Join(s.given[dernyProcs], ",")
	if given == "" {
		given = *cpuListStr
	}
	var own []string
	for _, text := range strings.Split(given, ",") {
		if text = strings.TrimSpace(text); text != "" {
			own = append(own, text)
		}
	}
	return own
}

func (f *dernyFound) lines(procs []string, more string) string {
	if len(procs) == 0 {
		return f.caseLine("") + more
	}
	var lines []string
	for _, n := range procs {
		lines = append(lines, f.caseLine(n)+more)
	}
	return strings.Join(lines, "\n")
}

// Shortest useful durations in ns. A batch of a parallel body must be long compared with the start
// of its goroutines. The second value is the time that `go test -benchtime 100ms` aims for.
const (
	dernyParallelBatch = "10000000"
	dernyFullCount     = "100000000"
)

func (f *dernyFound) caseLine(procs string) string {
	line := dernyVerb("case").field("benchmark", f.id.name)
	for _, param := range f.id.params {
		line.field("p."+param.name, param.value)
	}
	if procs != "" {
		line.field("p."+dernyProcs, procs)
	}
	if f.at != "" {
		line.field("at", f.at)
	}
	if f.bytes > 0 {
		line.field("bytes", strconv.FormatInt(f.bytes, 10))
	}
	if f.parallel {
		line.field("threads", "0").field("least_batch_ns", dernyParallelBatch)
	}
	if !f.loops && !f.parallel {
		line.field("count_ns", dernyFullCount)
	}
	line.list("metrics", f.metrics)
	if path := dernyTalk.importPath; path != "" {
		line.field("suite", path)
	}
	if f.skip != "" {
		line.field("skip", dernyCut(f.skip, 1000))
	}
	if f.file != "" {
		line.field("file", f.file).field("line", strconv.Itoa(f.line))
	}
	return string(line.text)
}

func dernyPlace(body func(*B)) (string, int) {
	if f := runtime.FuncForPC(reflect.ValueOf(body).Pointer()); f != nil {
		return f.FileLine(f.Entry())
	}
	return "", 0
}

// dernySub lists or measures a sub-benchmark. Package testing calls it instead of measuring the
// sub-benchmark, and the parent continues when it returns.
func dernySub(sub *B) bool {
	s := &dernyTalk
	id := dernyIdentify(sub.name)
	if s.native != nil {
		id = s.native.id
	}
	switch {
	case s.found != nil && s.native != nil:
		// The file and line of the function that calls derny.Bench.
		file, line := dernyPlace(s.top.F)
		found := dernyFound{id: id, at: s.native.at(), loops: true, metrics: s.native.metrics, file: file, line: line}
		*s.found = append(*s.found, found)
	case s.found != nil:
		s.find(sub, id)
	case s.wanted == nil:
	case s.wanted.is(sub.name, id, s.native):
		s.serve(sub)
		s.wanted = nil
	case s.native == nil && s.wanted.below(sub.name, id):
		dernyFirst(sub)
	}
	return !sub.failed
}

// find calls a benchmark once and records it unless it has sub-benchmarks. It also records a
// benchmark that fails, so that measuring it reports the cause.
func (s *dernySession) find(sub *B, id dernyID) {
	dernyParallel = false
	dernyFirst(sub)
	if sub.hasSub.Load() {
		return
	}
	found := dernyFound{id: id, bytes: sub.bytes, parallel: dernyParallel, loops: sub.dernyLoops()}
	if sub.name != s.top.Name {
		found.at = sub.name
	}
	found.file, found.line = dernyPlace(sub.benchFunc)
	if sub.skipped {
		found.skip = dernyReason(sub)
	}
	*s.found = append(*s.found, found)
}

func dernyReason(b *B) string {
	b.mu.RLock()
	defer b.mu.RUnlock()
	text := strings.TrimSpace(string(b.output))
	if _, after, ok := strings.Cut(text, ".go:"); ok {
		if _, said, ok := strings.Cut(after, ": "); ok {
			text = said
		}
	}
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return "no reason given"
	}
	return text
}

func dernyPanic(cause any) *dernyLine {
	return dernyError(fmt.Sprintf("panic: %v", cause), string(debug.Stack()))
}

// dernyRemarks reports flags of go test that have no effect under derny.
func dernyRemarks() {
	var decided []string
	if f := dernySetFlag("test.benchtime"); f {
		decided = append(decided, "-benchtime")
	}
	if f := dernySetFlag("test.count"); f {
		decided = append(decided, "-count")
	}
	if len(decided) > 0 {
		text := strings.Join(decided, " and ") + " have no effect: Derny chooses the number and duration of measurements; use --budget"
		dernyVerb("log").field("message", text).send()
	}
}
