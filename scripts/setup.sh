#!/usr/bin/env bash
# Looks for what a build needs: a C compiler, Rust, Node.js. With `--install` and as root on a machine with apt-get, it
# installs what is missing; else it names the command to type.
# Prints one line per tool; exit 1 if one is missing that Derny cannot be built without (Rust, C), 3 if a language is.
set -uo pipefail
cd "$(dirname "$0")/.."

install=no
[ "${1:-}" = --install ] && install=yes
rust_wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
node_wanted=18

# at_least WANTED HAVE: compares dotted versions.
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

rust_version() { cargo --version 2>/dev/null | awk '{print $2}'; }
node_version() { node --version 2>/dev/null | tr -d v; }
has_rust() { local v; v=$(rust_version); [ -n "$v" ] && at_least "$rust_wanted" "$v"; }
has_node() { local v; v=$(node_version); [ -n "$v" ] && at_least "$node_wanted" "$v" && command -v npm >/dev/null; }
has_cc() { command -v cc >/dev/null; }

apt() { # apt PACKAGE...: installs, if that is possible here
    [ "$install" = yes ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    echo "installing $*"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@"; } >/dev/null </dev/null
}

# need NAME TEST PACKAGES COMMAND: true if the tool is there, perhaps now.
need() {
    local name=$1 test=$2 packages=$3 hint=$4
    # shellcheck disable=SC2086 # several packages
    if $test || { apt $packages && $test; }; then
        echo "found    $name"
        return 0
    fi
    echo "MISSING  $name: $hint"
    return 1
}

status=0
need "Node.js $node_wanted or later with npm" has_node "nodejs npm" \
    "type: apt-get install nodejs npm   (or see https://nodejs.org)" || status=3
need "a C compiler (SQLite is compiled)" has_cc gcc "type: apt-get install gcc libc6-dev" || status=1
# Debian's own cargo is often older than what is needed: rustup is the way then, and it is not started unasked.
need "Rust $rust_wanted or later" has_rust "cargo rust-clippy rustfmt" \
    "see https://rustup.rs, then type: rustup toolchain install stable   (found: $(rust_version))" || status=1
exit $status
