// Command build compiles the test binary of one package so that an engine can run its benchmarks.
// It calls `go test -c` with an overlay for the standard library's package testing. Neither the
// user's files nor those of the toolchain are modified.
//
//	build -go TOOLCHAIN -sdk FOLDER -cache FOLDER -out FILE [-program] PACKAGE-FOLDER [ARGUMENTS OF go test -c]
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	var order order
	flag.StringVar(&order.goWord, "go", "go", "toolchain: a path of go, a GOROOT folder or a version such as go1.25.4")
	flag.StringVar(&order.sdk, "sdk", "", "folder that contains the overlay's source files")
	flag.StringVar(&order.cache, "cache", "", "cache folder for overlays and copied toolchains")
	flag.StringVar(&order.out, "out", "", "path of the test binary to write")
	flag.BoolVar(&order.program, "program", false, "build a main package with `go build` instead of a package's tests")
	flag.Parse()
	if order.sdk == "" || order.cache == "" || order.out == "" || flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	order.folder, order.args = flag.Arg(0), flag.Args()[1:]
	if err := order.run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type order struct {
	goWord, sdk, cache, out, folder string
	args                            []string
	program                         bool
}

func (o *order) run() error {
	// Make paths absolute, because go runs in the package's folder.
	for _, path := range []*string{&o.out, &o.folder, &o.sdk, &o.cache} {
		whole, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = whole
	}
	tools, err := find(o.goWord, o.folder, o.cache)
	if err != nil {
		return err
	}
	args, flags, users, err := usersOverlay(o.args, tools.flags, o.folder)
	if err != nil {
		return err
	}
	overlay, err := makeOverlay(tools, o.sdk, o.cache, users)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(o.out), 0o755); err != nil {
		return err
	}
	// Keep go's own output, because go links again unless that file is unchanged.
	linked := o.out + ".linked"
	// Turn off vet, because up to Go 1.22 it does not see the files that an overlay adds.
	words := []string{"test", "-c", "-vet=off"}
	if o.program {
		words = []string{"build"}
	}
	words = append(words, linkerFlags(tools.flags, args)...)
	words = append(append(words, "-o", linked, "-overlay", overlay), args...)
	printed, err := tools.run(o.folder, flags, append(words, ".")...)
	text := strings.TrimRight(printed, "\n")
	if err != nil {
		return fmt.Errorf("%s", text)
	}
	if _, missing := os.Stat(linked); missing != nil || strings.Contains(text, "[no test files]") {
		os.Remove(linked)
		os.Remove(o.out)
		return fmt.Errorf("this package has no test file for this system and these build tags\n%s", text)
	}
	if text != "" {
		fmt.Println(text)
	}
	return publish(linked, o.out)
}

// linkerFlags returns flags that omit debug information, which saves a fifth of the build time. `go
// test` does the same for a test binary that it runs. It returns no flags if the user sets
// -ldflags.
func linkerFlags(flags string, args []string) []string {
	for _, word := range append(strings.Fields(flags), args...) {
		if name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "="); name == "ldflags" {
			return nil
		}
	}
	return []string{"-ldflags=-w"}
}

// publish installs a program atomically, because another process may be running the existing one.
// It does not replace an identical file, so that its modification time stays the same and cached
// results remain valid.
func publish(linked, out string) error {
	if same(linked, out) {
		return nil
	}
	fresh := out + ".new"
	defer os.Remove(fresh)
	os.Remove(fresh)
	if err := copyFile(linked, fresh); err != nil {
		return err
	}
	return os.Rename(fresh, out)
}

func same(one, other string) bool {
	a, err := os.ReadFile(one)
	if err != nil {
		return false
	}
	b, err := os.ReadFile(other)
	return err == nil && bytes.Equal(a, b)
}
