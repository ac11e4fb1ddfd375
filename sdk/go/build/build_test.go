package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestTheInstalledVersionHasEveryAnchor(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(runtime.GOROOT(), "src", "testing", "benchmark.go"))
	if err != nil {
		t.Fatal(err)
	}
	patched, err := patch(string(source), runtime.Version())
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range []string{"dernySpeak(", "dernySub(", "dernyLoop(", "dernyParallel ="} {
		if strings.Count(patched, call) != 1 {
			t.Errorf("%s occurs %d times in the patched file, want 1", call, strings.Count(patched, call))
		}
	}
}

func TestAnAnchorThatIsMissingIsAnErrorThatSaysWhatToDo(t *testing.T) {
	_, err := patch("package testing\n", "go1.99.0")
	if err == nil {
		t.Fatal("nothing was said")
	}
	for _, part := range []string{"go1.99.0", "where benchmarks are run", "found 0 times", "try:"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not mention %q: %v", part, err)
		}
	}
}

func TestAnOverlayOfTheUsersIsMerged(t *testing.T) {
	folder := t.TempDir()
	list := filepath.Join(folder, "mine.json")
	if err := os.WriteFile(list, []byte(`{"Replace":{"a.go":"b.go","/x/c.go":""}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-overlay", "mine.json"}, {"-overlay=" + list}, nil} {
		flags := "-tags=x"
		if args == nil {
			flags += " -overlay=mine.json"
		}
		rest, kept, users, err := usersOverlay(append([]string{"-v"}, args...), flags, folder)
		if err != nil {
			t.Fatal(err)
		}
		if len(rest) != 1 || rest[0] != "-v" || kept != "-tags=x" {
			t.Errorf("usersOverlay(%v) leaves arguments %v and flags %q", args, rest, kept)
		}
		want := map[string]string{filepath.Join(folder, "a.go"): filepath.Join(folder, "b.go"), "/x/c.go": ""}
		for name, by := range want {
			if got, ok := users.Replace[name]; !ok || got != by {
				t.Errorf("usersOverlay(%v): %s is replaced by %q", args, name, got)
			}
		}
	}
	if _, _, _, err := usersOverlay([]string{"-overlay=none.json"}, "", folder); err == nil {
		t.Error("a missing overlay was accepted")
	}
}

func TestAnOverlayIsMadeOnceAndNamesWhatItReplaces(t *testing.T) {
	cache := t.TempDir()
	tools := &toolchain{root: runtime.GOROOT(), version: runtime.Version()}
	users := replaced{map[string]string{"/x/c.go": "/y/c.go"}}
	first, err := makeOverlay(tools, "..", cache, users)
	if err != nil {
		t.Fatal(err)
	}
	again, err := makeOverlay(tools, "..", cache, users)
	if err != nil || again != first {
		t.Fatalf("%s, then %s, %v", first, again, err)
	}
	text, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	var list replaced
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	if list.Replace["/x/c.go"] != "/y/c.go" {
		t.Error("the user's own replacement is missing from the overlay")
	}
	ours := 0
	for name, by := range list.Replace {
		if !strings.HasPrefix(name, runtime.GOROOT()) {
			continue
		}
		ours++
		if _, err := os.Stat(by); err != nil {
			t.Error(err)
		}
	}
	if ours < 10 {
		t.Errorf("the overlay replaces %d files of package testing", ours)
	}
}

func TestAToolchainIsCopiedOutWhole(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	for _, name := range []string{"bin/go", "src/testing/benchmark.go", "doc/x"} {
		path := filepath.Join(from, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o555); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		copied, err := copyOut(from, to)
		if err != nil || copied != to {
			t.Fatal(copied, err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(to, "src/testing/benchmark.go")); err != nil || string(text) != "src/testing/benchmark.go" {
		t.Errorf("%q, %v", text, err)
	}
	if info, err := os.Stat(filepath.Join(to, "bin/go")); err != nil || info.Mode().Perm()&0o111 == 0 {
		t.Error("the copied go is not executable")
	}
	if _, err := os.Stat(filepath.Join(to, "doc")); err == nil {
		t.Error("a folder that no build needs was copied")
	}
}

func TestAProgramTakesItsPlaceWholeAndTheSameStays(t *testing.T) {
	folder := t.TempDir()
	linked, out := filepath.Join(folder, "x.linked"), filepath.Join(folder, "x")
	write := func(text string) {
		if err := os.WriteFile(linked, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	taken := func() os.FileInfo {
		if err := publish(linked, out); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(out)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	write("one")
	first := taken()
	write("one")
	if !os.SameFile(first, taken()) {
		t.Error("an identical program was replaced")
	}
	running, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	write("two")
	if os.SameFile(first, taken()) {
		t.Error("the running program was overwritten in place")
	}
	if text, err := os.ReadFile(out); err != nil || string(text) != "two" {
		t.Errorf("%q, %v", text, err)
	}
	if info, _ := os.Stat(out); info.Mode().Perm()&0o100 == 0 {
		t.Error("the published program is not executable")
	}
}

func TestTheLinkersFlagsAreTheUsersWhereThereAreAny(t *testing.T) {
	if got := linkerFlags("-mod=mod", []string{"-tags", "x"}); len(got) != 1 {
		t.Errorf("without flags of the user: got %q", got)
	}
	for _, theirs := range [][]string{{"-ldflags=-X main.version=1"}, {"-ldflags", "-s"}, {"--ldflags=-s"}} {
		if got := linkerFlags("", theirs); len(got) != 0 {
			t.Errorf("with the user's %q: %q was added", theirs, got)
		}
	}
	if got := linkerFlags("-mod=mod -ldflags=-s", nil); len(got) != 0 {
		t.Errorf("with the user's flags in GOFLAGS: %q was added", got)
	}
}
