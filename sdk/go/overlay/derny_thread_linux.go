package testing

import "syscall"

func dernyThread() int { return syscall.Gettid() }
