# Requirements and lessons of Go. scripts/setup.sh and scripts/demo.sh source this file and explain its functions.
# shellcheck shell=bash
has_go() {
    local version
    version=$(go env GOVERSION 2>/dev/null)
    [ -n "$version" ] && at_least 1.24 "${version#go}"
}
need "Go 1.24 or later" has_go 1.24 "golang-go" "install it: https://go.dev/dl"

lessons Go go 10 examples/0[12]-*/*_test.go
