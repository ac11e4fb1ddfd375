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

// toolchain is a Go installation, and how it is called.
type toolchain struct {
	program string   // path or name of its go
	env     []string // what its calls need beside the environment
	root    string   // GOROOT
	version string
	flags   string // GOFLAGS, wherever they are set
}

// find returns the toolchain for an argument: the go on the path, a program, a GOROOT folder, or a version
// that go itself downloads. One in the module cache is copied once, since its files must not be replaced.
func find(word, folder, cache string) (*toolchain, error) {
	tools := &toolchain{program: word}
	isPath := strings.ContainsRune(word, filepath.Separator)
	// A project may have a folder called go, so a name is looked up on the path.
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

// ask queries the toolchain in the folder of the package, whose go.mod may require another.
func (t *toolchain) ask(folder string) error {
	printed, err := t.run(folder, "", "env", "-json", "GOROOT", "GOVERSION", "GOFLAGS", "GOMOD", "GO111MODULE")
	if err != nil {
		return fmt.Errorf("`%s env` failed: %s", t.program, strings.TrimSpace(printed))
	}
	// A download is reported before the answer.
	if at := strings.Index(printed, "{"); at > 0 {
		printed = printed[at:]
	}
	var said struct{ GOROOT, GOVERSION, GOFLAGS, GOMOD, GO111MODULE string }
	if err := json.Unmarshal([]byte(printed), &said); err != nil {
		return fmt.Errorf("`%s env` says what cannot be read: %s", t.program, printed)
	}
	t.root, t.version, t.flags = said.GOROOT, said.GOVERSION, said.GOFLAGS
	// Files without a module form a package too, as long as they import only the standard library.
	if said.GOMOD == os.DevNull && said.GO111MODULE == "" {
		t.env = append(t.env, "GO111MODULE=off")
	}
	return nil
}

// run calls go in a folder. flags replace GOFLAGS, unless empty.
func (t *toolchain) run(folder, flags string, words ...string) (string, error) {
	command := exec.Command(t.program, words...)
	command.Dir = folder
	command.Env = append(os.Environ(), t.env...)
	if flags != "" {
		command.Env = append(command.Env, "GOFLAGS="+flags)
	}
	// PWD would be the engine's.
	command.Env = append(command.Env, "PWD="+folder)
	printed, err := command.CombinedOutput()
	if err != nil && len(printed) == 0 {
		printed = []byte(err.Error())
	}
	return string(printed), err
}

// copyOut copies a toolchain atomically, except for what builds do not need.
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
	// Another build may have been first: its copy is identical.
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
	// The cache identifies files by their times.
	if err := target.Close(); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}
