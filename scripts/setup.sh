#!/usr/bin/env bash
# Looks for what a build needs: a C compiler, Rust, Node.js, Erlang, Elixir. With `--install` and as root on a machine with apt-get, it
# installs what is missing; else it names the command to type.
# With `--browser` too, Chromium is looked for: only the tests of the HTML report need it.
# Prints one line per tool; exit 1 if one is missing that Derny cannot be built without (Rust, C), 3 if a language is.
set -uo pipefail
cd "$(dirname "$0")/.."

install=no browser=no
for argument; do
    case $argument in --install) install=yes ;; --browser) browser=yes ;; esac
done
rust_wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
node_wanted=18

# at_least WANTED HAVE: compares dotted versions.
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

rust_version() { cargo --version 2>/dev/null | awk '{print $2}'; }
node_version() { node --version 2>/dev/null | tr -d v; }
has_rust() { local v; v=$(rust_version); [ -n "$v" ] && at_least "$rust_wanted" "$v"; }
has_node() { local v; v=$(node_version); [ -n "$v" ] && at_least "$node_wanted" "$v" && command -v npm >/dev/null; }
has_erlang() { # with what its tests need
    command -v erl >/dev/null && erl -noinput -eval \
        'halt(case list_to_integer(erlang:system_info(otp_release)) >= 25 andalso is_list(code:lib_dir(eunit)) andalso is_list(code:lib_dir(tools)) of true -> 0; false -> 1 end).'
}
has_elixir() { command -v elixir >/dev/null; }
has_jdk() { command -v javac >/dev/null && command -v java >/dev/null; }
has_maven() { command -v mvn >/dev/null; }
has_ghc() { local v; v=$(ghc --numeric-version 2>/dev/null); [ -n "$v" ] && at_least 8.10 "$v"; }
has_cc() { command -v cc >/dev/null; }

# offers PACKAGE WANTED: whether apt-get would install that version or a later one.
offers() {
    local version
    version=$(apt-cache policy "$1" 2>/dev/null | awk '/Candidate:/ { sub(/^[0-9]+:/, "", $2); print $2 }')
    [ -n "$version" ] && [ "$version" != "(none)" ] && at_least "$2" "$version"
}

updated=no
# apt WANTED PACKAGE...: installs the packages, if that is possible here and the first one is new enough.
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

# need NAME TEST WANTED PACKAGES HINT: true if the tool is there, perhaps now.
need() {
    local name=$1 test=$2 wanted=$3 packages=$4 hint=$5
    # shellcheck disable=SC2086 # several packages
    if $test || { apt "$wanted" $packages && $test; }; then
        echo "found    $name"
        return 0
    fi
    echo "MISSING  $name: $hint"
    return 1
}

status=0
need "Node.js $node_wanted or later with npm" has_node "$node_wanted" "nodejs npm" \
    "type: apt-get install nodejs npm   (or see https://nodejs.org)" || status=3
need "Erlang/OTP 25 or later" has_erlang 25 "erlang-base erlang-dev erlang-eunit erlang-parsetools erlang-crypto erlang-tools" \
    "type: apt-get install erlang-base erlang-eunit   (or see https://www.erlang.org/downloads)" || status=3
need "Elixir 1.14 or later" has_elixir 1.14 "elixir" "type: apt-get install elixir   (or see https://elixir-lang.org/install.html)" || status=3
need "a JDK of Java 8 or later" has_jdk 1 "default-jdk-headless" \
    "type: apt-get install default-jdk-headless   (or see https://adoptium.net)" || status=3
need "Maven" has_maven 3 "maven" "type: apt-get install maven" || status=3
need "GHC 8.10 or later" has_ghc 8.10 "ghc" "type: apt-get install ghc   (or see https://www.haskell.org/ghcup)" || status=3
has_chromium() { [ -n "${CHROMIUM:-}" ] || command -v chromium chromium-browser google-chrome >/dev/null; }
[ $browser = no ] || need "Chromium" has_chromium 90 "chromium" "type: apt-get install chromium   (or set CHROMIUM to its path)" || status=3
need "a C compiler (SQLite is compiled)" has_cc 4 "gcc libc6-dev" "type: apt-get install gcc libc6-dev" || status=1
need "Rust $rust_wanted or later" has_rust "$rust_wanted" "cargo rust-clippy rustfmt" \
    "see https://rustup.rs, then type: rustup toolchain install stable   (found: $(rust_version))" || status=1
exit $status
