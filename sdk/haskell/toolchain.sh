# The tools that Haskell needs, and its lessons for the demo. scripts/setup.sh and
# scripts/demo.sh source this file and explain the functions that it calls.
# shellcheck shell=bash
has_ghc() {
    local version
    version=$(ghc --numeric-version 2>/dev/null)
    [ -n "$version" ] && at_least 8.10 "$version"
}
need "GHC 8.10 or later" has_ghc 8.10 "ghc" "type: apt-get install ghc   (or see https://www.haskell.org/ghcup)"

lessons Haskell ghc 10 examples/0[12]-*/*Bench.hs
