//go:build unix

package testing

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// dernyOn is true if an engine started this program. Otherwise the overlay changes nothing.
// dernyBroken is an error message, or empty.
var dernyOn, dernyBroken = dernyConnect()

// Streams to and from the engine, and bytes read beyond the last line.
var (
	dernyReplies, dernyCommands int
	dernyRead                   []byte
	dernyChunk                  [1 << 16]byte
)

// dernyConnect opens the streams before any of the user's code runs. It clears the variables and
// marks the descriptors close-on-exec, because child processes must not inherit them.
func dernyConnect() (bool, string) {
	commands, replies := os.Getenv("DERNY_COMMANDS"), os.Getenv("DERNY_REPLIES")
	if commands == "" && replies == "" {
		return false, ""
	}
	os.Unsetenv("DERNY_COMMANDS")
	os.Unsetenv("DERNY_REPLIES")
	if commands == "" || replies == "" {
		return false, "derny: only one of DERNY_COMMANDS and DERNY_REPLIES is set"
	}
	var err error
	if dernyReplies, err = dernyOpenStream(replies, syscall.O_WRONLY); err == nil {
		dernyCommands, err = dernyOpenStream(commands, syscall.O_RDONLY)
	}
	if err != nil {
		return false, "derny: cannot open the streams: " + err.Error()
	}
	return true, ""
}

func dernyOpenStream(path string, mode int) (int, error) {
	fd, err := syscall.Open(path, mode|syscall.O_CLOEXEC, 0)
	if number, ok := strings.CutPrefix(path, "/dev/fd/"); ok && err == nil {
		if old, bad := strconv.Atoi(number); bad == nil && old > 2 {
			syscall.Close(old)
		}
	}
	return fd, err
}

// dernyReadLine waits for a command in a blocking system call, without spinning or switching
// threads. It returns false at the end of the stream.
func dernyReadLine() (string, bool) {
	for {
		if end := strings.IndexByte(string(dernyRead), '\n'); end >= 0 {
			line := string(dernyRead[:end])
			dernyRead = append(dernyRead[:0], dernyRead[end+1:]...)
			return line, true
		}
		n, err := syscall.Read(dernyCommands, dernyChunk[:])
		if err == syscall.EINTR || err == syscall.EAGAIN {
			continue
		}
		if err != nil || n <= 0 {
			return "", false
		}
		dernyRead = append(dernyRead, dernyChunk[:n]...)
	}
}

// dernyWrite writes whole lines. It ends the process if the engine has closed the stream.
func dernyWrite(text []byte) {
	for len(text) > 0 {
		n, err := syscall.Write(dernyReplies, text)
		if err == syscall.EINTR || err == syscall.EAGAIN {
			continue
		}
		if err != nil {
			os.Exit(0)
		}
		text = text[n:]
	}
}

func dernyProcessTime() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}
