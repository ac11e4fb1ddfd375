package main

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// toolchain is a Go installation and the environment that selects it.
type toolchain struct {
	program string   // path or name of the go command
	env     []string // variables added to the environment of each call
	root    string   // GOROOT
	version string
	flags   string // GOFLAGS, from the environment or `go env -w`
}

// find returns the toolchain for a word: `go` on the PATH, the path of a go command, a GOROOT
// folder, or a version for go to download. It copies a toolchain in the module cache to cache,
// because go refuses to overlay files of the module cache.
func find(word, folder, cache string) (*toolchain, error) {
	tools := &toolchain{program: word}
	isPath := strings.ContainsRune(word, filepath.Separator)
	// Only a word with a separator is a path, because a project may contain a folder called go.
	switch info, err := os.Stat(word); {
	case isPath && err == nil && info.IsDir():
		tools.program = filepath.Join(word, "bin", "go")
		tools.env = []string{"GOTOOLCHAIN=local", "GOROOT="}
	case isPath && err == nil:
		tools.env = []string{"GOROOT="}
	case strings.HasPrefix(word, "go1"):
		if _, err := exec.LookPath(word); err != nil {
			tools.program = "go"
			tools.env = []string{"GOTOOLCHAIN=" + word}
		}
	}
	if err := tools.ask(folder); err != nil {
		return nil, err
	}
	if !strings.Contains(filepath.ToSlash(tools.root), "/golang.org/toolchain@") {
		return tools, nil
	}
	copied, err := copyOut(tools.root, filepath.Join(cache, filepath.Base(tools.root)))
	if err != nil {
		return nil, fmt.Errorf("cannot copy the toolchain out of the module cache: %w\nfrom %s\nto %s", err, tools.root, cache)
	}
	tools.program, tools.root = filepath.Join(copied, "bin", "go"), copied
	tools.env = []string{"GOTOOLCHAIN=local", "GOROOT="}
	return tools, nil
}

// ask reads the properties of the toolchain with `go env`. It runs in the package's folder, whose
// go.mod may select another version.
func (t *toolchain) ask(folder string) error {
	printed, err := t.run(folder, "", "env", "-json", "GOROOT", "GOVERSION", "GOFLAGS", "GOMOD", "GO111MODULE")
	if err != nil {
		return fmt.Errorf("`%s env` failed: %s", t.program, strings.TrimSpace(printed))
	}
	// If go downloads a toolchain, it prints a line before the JSON.
	if at := strings.Index(printed, "{"); at > 0 {
		printed = printed[at:]
	}
	var said struct{ GOROOT, GOVERSION, GOFLAGS, GOMOD, GO111MODULE string }
	if err := json.Unmarshal([]byte(printed), &said); err != nil {
		return fmt.Errorf("the output of `%s env -json` is not valid JSON: %s", t.program, printed)
	}
	t.root, t.version, t.flags = said.GOROOT, said.GOVERSION, said.GOFLAGS
	// Files outside a module can form a package too, if they import only the standard library.
	if said.GOMOD == os.DevNull && said.GO111MODULE == "" {
		t.env = append(t.env, "GO111MODULE=off")
	}
	return nil
}

// run executes go in a folder and returns its output. If flags is not empty, it replaces GOFLAGS.
func (t *toolchain) run(folder, flags string, words ...string) (string, error) {
	command := exec.Command(t.program, words...)
	command.Dir = folder
	command.Env = append(os.Environ(), t.env...)
	if flags != "" {
		command.Env = append(command.Env, "GOFLAGS="+flags)
	}
	// Set PWD, because the inherited one is the engine's, which names another folder.
	command.Env = append(command.Env, "PWD="+folder)
	printed, err := command.CombinedOutput()
	if err != nil && len(printed) == 0 {
		printed = []byte(err.Error())
	}
	return string(printed), err
}

// copyOut copies a toolchain atomically, without the folders that builds do not need. It keeps an
// existing copy.
func copyOut(from, to string) (string, error) {
	if _, err := os.Stat(filepath.Join(to, "bin", "go")); err == nil {
		return to, nil
	}
	draft := fmt.Sprintf("%s.%d", to, os.Getpid())
	defer os.RemoveAll(draft)
	unneeded := map[string]bool{"test": true, "doc": true, "api": true, "misc": true}
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if unneeded[name] {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(draft, name), 0o755)
		}
		return copyFile(path, filepath.Join(draft, name))
	})
	if err != nil {
		return "", err
	}
	// A concurrent build may have published an identical copy first.
	if err := os.Rename(draft, to); err != nil {
		if _, missing := os.Stat(filepath.Join(to, "bin", "go")); missing != nil {
			return "", err
		}
	}
	return to, nil
}

func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	info, err := source.Stat()
	if err != nil {
		return err
	}
	target, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	if _, err := io.Copy(target, source); err != nil {
		target.Close()
		return err
	}
	// Keep modification times, because go's build cache compares them.
	if err := target.Close(); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}
