package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// anchor is a text that occurs once in the toolchain's benchmark.go, and its replacement.
type anchor struct {
	what     string
	text, by string
	since    bool // present only if B has a Loop method
}

var anchors = []anchor{
	{
		what: "where benchmarks are run",
		text: "\tmain.runN(1)\n\treturn !main.failed\n}\n",
		by:   "\tif dernyOn {\n\t\treturn dernySpeak(main, importPath, bs)\n\t}\n\tmain.runN(1)\n\treturn !main.failed\n}\n",
	},
	{
		what: "the collection before each call",
		text: "\truntime.GC()\n\tb.resetRaces()\n",
		by:   "\tif !b.dernyOurs() {\n\t\truntime.GC()\n\t}\n\tb.resetRaces()\n",
	},
	{
		what: "where a sub-benchmark is measured",
		text: "\tif sub.run1() {\n\t\tsub.run()\n\t}\n",
		by:   "\tif sub.dernyOurs() {\n\t\treturn dernySub(sub)\n\t}\n\tif sub.run1() {\n\t\tsub.run()\n\t}\n",
	},
	{
		what: "how parallel bodies share their iterations",
		text: "\tnumProcs := b.parallelism * runtime.GOMAXPROCS(0)\n",
		by: "\tnumProcs := b.parallelism * runtime.GOMAXPROCS(0)\n\tif b.dernyOurs() {\n\t\tdernyParallel = true\n" +
			"\t\tgrain = min(grain, uint64(b.N)/uint64(numProcs*16)+1)\n\t}\n",
	},
	{
		what:  "where a loop is out of iterations",
		text:  "func (b *B) loopSlowPath() bool {\n",
		by:    "func (b *B) loopSlowPath() bool {\n\tif b == dernyEmpty || b.dernyOurs() {\n\t\treturn dernyLoop(b)\n\t}\n",
		since: true,
	},
}

// patch returns the text of a version's benchmark.go with all anchors replaced. It fails if an
// anchor does not occur exactly once.
func patch(source, version string) (string, error) {
	hasLoop := strings.Contains(source, "func (b *B) Loop() bool")
	for _, anchor := range anchors {
		if anchor.since && !hasLoop {
			continue
		}
		if found := strings.Count(source, anchor.text); found != 1 {
			return "", fmt.Errorf("this version of Derny supports package testing of Go 1.22 to 1.26, not of %s\nwhy: testing/benchmark.go must contain this code once, but it was found %d times: %s\ntry: use a newer version of Derny, or another toolchain: -x NAME=go1.26.0", version, found, anchor.what)
		}
		source = strings.Replace(source, anchor.text, anchor.by, 1)
	}
	return source, nil
}

// replaced maps the paths of original files to their replacements, in the format of `go build
// -overlay`.
type replaced struct{ Replace map[string]string }

// makeOverlay writes the overlay's files for a toolchain, unless they exist. It also writes a list
// of replacements, which includes the user's own, and returns its path.
func makeOverlay(tools *toolchain, sdk, cache string, users replaced) (string, error) {
	testing := filepath.Join(tools.root, "src", "testing")
	original := filepath.Join(testing, "benchmark.go")
	from := original
	if theirs := users.Replace[original]; theirs != "" {
		from = theirs
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return "", err
	}
	patched, err := patch(string(text), tools.version)
	if err != nil {
		return "", err
	}
	files, err := added(sdk, strings.Contains(patched, "func (b *B) Loop() bool"))
	if err != nil {
		return "", err
	}
	files["benchmark.go"] = patched
	folder, err := store(cache, files)
	if err != nil {
		return "", err
	}
	all := replaced{map[string]string{}}
	for name, path := range users.Replace {
		all.Replace[name] = path
	}
	for name := range files {
		all.Replace[filepath.Join(testing, name)] = filepath.Join(folder, name)
	}
	list, err := json.Marshal(all)
	if err != nil {
		return "", err
	}
	path := filepath.Join(cache, fmt.Sprintf("overlay-%x.json", sha256.Sum256(list))[:32]+".json")
	return path, write(path, list)
}

// added returns the names and contents of the files that are added to package testing.
func added(sdk string, hasLoop bool) (map[string]string, error) {
	paths, err := filepath.Glob(filepath.Join(sdk, "overlay", "derny_*.go"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("%s contains no files for the overlay", sdk)
	}
	files := map[string]string{}
	for _, path := range paths {
		name := filepath.Base(path)
		if name == "derny_with_loop.go" && !hasLoop || name == "derny_without_loop.go" && hasLoop {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files[name] = string(text)
	}
	return files, nil
}

func store(cache string, files map[string]string) (string, error) {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	hash := sha256.New()
	for _, name := range names {
		fmt.Fprintf(hash, "%s %d %s", name, len(files[name]), files[name])
	}
	folder := filepath.Join(cache, fmt.Sprintf("testing-%x", hash.Sum(nil))[:24])
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	for _, name := range names {
		if err := write(filepath.Join(folder, name), []byte(files[name])); err != nil {
			return "", err
		}
	}
	return folder, nil
}

// write creates a file atomically. It keeps an existing file, because that has the same content.
func write(path string, content []byte) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	draft := fmt.Sprintf("%s.%d", path, os.Getpid())
	if err := os.WriteFile(draft, content, 0o644); err != nil {
		return err
	}
	return os.Rename(draft, path)
}

// usersOverlay removes the user's -overlay flag from the arguments and from GOFLAGS, because go
// accepts only one. It returns the remaining arguments, the remaining GOFLAGS, and the user's
// replacements. The returned flags are empty if GOFLAGS needs no change. Relative paths are
// resolved against folder.
func usersOverlay(args []string, flags, folder string) ([]string, string, replaced, error) {
	var users replaced
	path := ""
	take := func(words []string) []string {
		var rest []string
		for i := 0; i < len(words); i++ {
			name, value, ok := strings.Cut(strings.TrimPrefix(words[i], "-"), "=")
			switch {
			case strings.TrimPrefix(name, "-") != "overlay" || !strings.HasPrefix(words[i], "-"):
				rest = append(rest, words[i])
			case ok:
				path = value
			case i+1 < len(words):
				i++
				path = words[i]
			}
		}
		return rest
	}
	kept := strings.Join(take(strings.Fields(flags)), " ")
	rest := take(args)
	if path == "" {
		return args, "", users, nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &users)
	}
	if err != nil {
		return nil, "", users, fmt.Errorf("the file given to -overlay cannot be read: %w\nwhere: %s", err, path)
	}
	for name, by := range users.Replace {
		delete(users.Replace, name)
		if by != "" && !filepath.IsAbs(by) {
			by = filepath.Join(folder, by)
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(folder, name)
		}
		users.Replace[filepath.Clean(name)] = by
	}
	if kept == "" {
		kept = " "
	}
	return rest, kept, users, nil
}
