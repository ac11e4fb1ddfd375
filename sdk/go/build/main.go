// Builds the test binary of one package so that an engine can drive its benchmarks: `go test -c` with an overlay of the
// standard library's package testing. No file of the user's, and none of the toolchain's, is changed.
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
	flag.StringVar(&order.goWord, "go", "go", "toolchain: a program, a folder or a version such as go1.25.4")
	flag.StringVar(&order.sdk, "sdk", "", "folder of the overlay's files")
	flag.StringVar(&order.cache, "cache", "", "folder for what is made once")
	flag.StringVar(&order.out, "out", "", "the test binary")
	flag.BoolVar(&order.program, "program", false, "the folder is a program, not a package with tests")
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

// order holds the parsed arguments of a build.
type order struct {
	goWord, sdk, cache, out, folder string
	args                            []string
	program                         bool
}

func (o *order) run() error {
	// go runs in the package's folder.
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
	// go links again only if its own output is missing or different, so that output is kept.
	linked := o.out + ".linked"
	// Up to Go 1.22 vet does not see the files that an overlay adds.
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
		return fmt.Errorf("no test file of this package matches this system and these build tags\n%s", text)
	}
	if text != "" {
		fmt.Println(text)
	}
	return publish(linked, o.out)
}

// linkerFlags omits debug information, as `go test` does when it runs the program itself: a fifth of the time
// of a build. If the user has flags for the linker, only those are passed.
func linkerFlags(flags string, args []string) []string {
	for _, word := range append(strings.Fields(flags), args...) {
		if name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "="); name == "ldflags" {
			return nil
		}
	}
	return []string{"-ldflags=-w"}
}

// publish installs a program atomically: others may be running the existing one. An identical file keeps its
// modification time, so that cached results for it stay valid.
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
