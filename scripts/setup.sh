#!/usr/bin/env bash
# Checks the tools for the engine (a C compiler, Rust), and those that sdk/LANGUAGE/toolchain.sh
# lists for each language. Prints a line per tool. Exits with 1 if Rust or C is missing, without
# which Derny cannot be built, and with 3 if a language is missing.
#
# --sdks a,b   checks only these languages, named by their folders
# --install    installs missing tools, if run as root on a machine with apt-get; otherwise prints the command to type
# --tests      also checks tools that only tests need. Without --sdks, these include tools for the engine's tests:
#              Chromium (HTML report), jq and curl (Action), PostgreSQL (stores on a server), Slurm, shellcheck
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

install=no tests=no sdks=
while [ $# -gt 0 ]; do
    case $1 in
    --install) install=yes ;;
    --tests) tests=yes ;;
    --sdks) sdks=,$2, && shift ;;
    esac
    shift
done
rust_wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

# at_least WANTED HAVE: succeeds if version HAVE is at least WANTED. Both are dotted.
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# has_all COMMAND...: succeeds if all commands exist. `command -v` would accept one of several.
has_all() { local each; for each; do command -v "$each" >/dev/null || return 1; done; }

rust_version() { cargo --version 2>/dev/null | awk '{print $2}'; }
has_rust() { local v; v=$(rust_version); [ -n "$v" ] && at_least "$rust_wanted" "$v"; }
has_cc() { command -v cc >/dev/null; }

# offers PACKAGE WANTED: succeeds if apt-get would install that version or a later one.
offers() {
    local version
    version=$(apt-cache policy "$1" 2>/dev/null | awk '/Candidate:/ { sub(/^[0-9]+:/, "", $2); print $2 }')
    [ -n "$version" ] && [ "$version" != "(none)" ] && at_least "$2" "$version"
}

updated=no
# apt WANTED PACKAGE...: installs the packages, if that is possible here and the first one is recent enough.
apt() {
    local wanted=$1
    shift
    [ "$install" = yes ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    [ $updated = yes ] || apt-get update -qq >/dev/null </dev/null
    updated=yes
    offers "$1" "$wanted" || return 1
    echo "installing $*"
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null </dev/null
}

# need NAME TEST WANTED PACKAGES HINT: looks for a tool and tries to install it. If it is still missing, sets
# the status to $missing.
need() {
    local name=$1 test=$2 wanted=$3 packages=$4 hint=$5
    # shellcheck disable=SC2086 # several packages
    if $test || { apt "$wanted" $packages && $test; }; then
        echo "found    $name"
    else
        echo "MISSING  $name: $hint"
        status=$missing
    fi
}
# Like `need`, for tools that only tests use.
tests_need() { [ "$tests" = no ] || need "$@"; }
# Looks for a linter and tries to install it. Without the linter, `make lint` reports what it skips.
lint_likes() { # NAME TEST WANTED PACKAGES HINT
    [ "$tests" = no ] || need "$@" | sed 's/^MISSING /SKIPPED /'
}
# Ignore the settings in toolchain.sh that only scripts/demo.sh uses.
lessons() { :; }
tour() { :; }

status=0 missing=3
for toolchain in sdk/*/toolchain.sh; do
    sdk=${toolchain#sdk/} sdk=${sdk%/*}
    # shellcheck source=/dev/null
    [ -n "$sdks" ] && [ "${sdks/,$sdk,/}" = "$sdks" ] || . "$toolchain"
done
# Tools for the engine's own tests. They are skipped if languages are named.
engine_tests_need() { [ -n "$sdks" ] || tests_need "$@"; }
has_shellcheck() { command -v shellcheck >/dev/null; }
[ -n "$sdks" ] || lint_likes "shellcheck" has_shellcheck 0.9 "shellcheck" "type: apt-get install shellcheck"
has_chromium() { [ -n "${CHROMIUM:-}" ] || command -v chromium chromium-browser google-chrome >/dev/null; }
has_jq() { has_all jq curl; }
engine_tests_need "jq and curl" has_jq 1 "jq curl" "type: apt-get install jq curl"
engine_tests_need "Chromium" has_chromium 90 "chromium" "type: apt-get install chromium   (or set CHROMIUM to its path)"
has_postgresql() { command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb /usr/pgsql-*/bin/initdb >/dev/null 2>&1; }
engine_tests_need "PostgreSQL" has_postgresql 13 "postgresql" "type: apt-get install postgresql"
has_slurm() { local PATH=$PATH:/usr/sbin; has_all slurmctld slurmd munged sbatch; }
engine_tests_need "Slurm" has_slurm 20 "slurm-wlm munge" "type: apt-get install slurm-wlm munge"
missing=1
need "a C compiler (SQLite is compiled)" has_cc 4 "gcc libc6-dev" "type: apt-get install gcc libc6-dev"
need "Rust $rust_wanted or later" has_rust "$rust_wanted" "cargo rust-clippy rustfmt" \
    "see https://rustup.rs, then type: rustup toolchain install stable   (found: $(rust_version))"
exit $status
