#!/usr/bin/env bash
# The layer for benches of other frameworks: a project that is as its users write it, without a network. It needs an engine (DERNY_BIN).
set -uo pipefail
cd "$(dirname "$0")" || exit 1
. ../../../tests/checks.sh
project=$place/project
unset CARGO_TARGET_DIR RUSTC_WRAPPER

told() { # told TEXT FILE: a file of what was said has the text
    cat "$2" && grep -qF -- "$1" "$2"
}
derny() { "$DERNY_BIN" "$@"; }
export -f derny
export CARGO_NET_OFFLINE=true
is_as_it_was() { # nothing but .derny is there, and what is there is as it was
    [ "$(cd "$place/project" && find . -path ./.derny -prune -o -path ./target -prune -o -type f -print | LC_ALL=C sort | xargs cksum | cksum)" = "$before" ]
}
kept_whole() {
    printf 'version = 4\n\n[[package]]\nname = "criterion"\nversion = "0.5.1"\n\n[[package]]\nname = "project"\nversion = "0.0.0"\ndependencies = [\n "criterion",\n]\n# mine\n' >Cargo.lock
    cp Cargo.lock ../lock && derny -qq list --build-args --locked benches/own.rs >/dev/null && cmp Cargo.lock ../lock && rm Cargo.lock
}
builds_nothing() { # a second look calls no compiler
    rm -f "$place/calls"
    derny -qq list --refresh benches/own.rs && ! grep -q -- --crate-name "$place/calls" 2>/dev/null
}

rustc --edition 2021 --test -o "$place/build-tests" cargo/main.rs && "$place/build-tests" -q || status=1
cp -r tests/project tests/divan tests/libtest "$place"
mkdir "$place/project/.cargo"
# A wrapper of the user's own.
printf '#!/bin/sh\necho "$@" >>"%s/calls"\nexec "$@"\n' "$place" >"$place/wrapper"
chmod +x "$place/wrapper"
printf '[build]\nrustc-wrapper = "%s/wrapper"\ntarget-dir = "elsewhere"\nbuild-dir = "elsewhere-too"\n' "$place" >"$place/project/.cargo/config.toml"
before=$(cd "$place/project" && find . -type f | LC_ALL=C sort | xargs cksum | cksum)

# Those of divan are built beside: they need a parser of Rust.
(cd "$place/divan" && derny -qq list -f plain) >"$place/divan.list" 2>&1 &
(cd "$place/project" && derny list) >"$place/list" 2>&1
(cd "$place/project" && derny run --once benches/all.rs) >"$place/once" 2>&1
check "criterion.rs's benches are listed by its names" told "function/100" "$place/list"
check "a name that appears twice is told apart" told "sum #2" "$place/list"
check "a long name is cut as there" told "longlonglonglong..." "$place/list"
check "what a group throws is told" told "a fixture is missing" "$place/list"
check "groups behind it are listed" told "last" "$place/list"
check "a target without its features is named with them" told "--features more" "$place/list"
check "each runs once" told "27 passed" "$place/once"
check "a panic is told" told "on purpose" "$place/once"
check "a benchmark without a loop is told" told "never calls the loop" "$place/once"
check "what is not honoured is told" told "the measurement all::Calls is not honoured" "$place/once"
check "the user's own wrapper is called" grep -q -- "--crate-name project" "$place/calls"
check "a second look builds nothing" builds_nothing
check "no file of the project has changed, and none came" is_as_it_was
check "a lock file stays as it is, and --locked works" kept_whole
check "each of a main of its own runs once" says "2 passed" derny run --once benches/own.rs
check "features make a side" says "simd" derny run --quick -x plain -x simd+build:--features=more benches/own.rs "own 20"
check "what is neither is not run" test ! -e plain-was-run
check "cargo bench finds the crate that the project names" says "this is the crate that the project names" cargo bench --quiet --offline --features more --bench featured
# Wrappers by the environment: one goes before the configuration's, and one is for the project's own crates alone.
wrapped() { # wrapped VARIABLE
    rm -f ../calls && printf '#!/bin/sh\necho "$@" >>"%s/calls-too"\nexec "$@"\n' "$place" >../wrapper-too && chmod +x ../wrapper-too
    touch src/lib.rs
    env "$1=$place/wrapper-too" "$DERNY_BIN" -qq list --refresh benches/own.rs || return 1
    grep -q -- "--crate-name own" ../calls-too && rm ../calls-too
}
check "a wrapper of the environment is called" wrapped RUSTC_WRAPPER
check "and not the configuration's as well" test ! -e ../calls
check "a wrapper of the workspace is called" wrapped RUSTC_WORKSPACE_WRAPPER
check "after the configuration's" grep -q -- "wrapper-too .*--crate-name own" ../calls
check "a bench of the compiler's own is named where there is no nightly" says "needs a nightly compiler" bash -c 'cd ../libtest && derny list'
check "and listed by its names where there is one" bash -c 'cd ../libtest && RUSTC_BOOTSTRAP=1 derny -qq list -f plain | sed "s/^benches.all.//" | LC_ALL=C sort | diff - names'
check "and runs once" says "2 passed" bash -c 'cd ../libtest && RUSTC_BOOTSTRAP=1 derny run --once'
programs_are() { # programs_are NUMBER SETTING: with such a side there are so many programs, none like another
    cd ../libtest && RUSTC_BOOTSTRAP=1 derny run --once -x any -x "other+$2" sum || return 1
    [ "$(cksum .derny/builds/build-0/*/benches/all | cut -d' ' -f1 | sort -u | wc -l)" = "$1" ]
}
check "a setting of the profile makes a side" programs_are 2 CARGO_PROFILE_BENCH_DEBUG=1
check "flags of the compiler make a side" programs_are 3 RUSTFLAGS=--cfg=other
wait
check "divan's benches are listed by their names" bash -c 'sed "s/^benches.all.//" ../divan.list | LC_ALL=C sort | diff - ../divan/names'
check "and each runs once" says "29 passed" bash -c 'cd ../divan && derny run --once'
# The revision is built first: its programs are newer than the files of the working tree.
revisions_differ() {
    git init -q && git -c user.name=a -c user.email=a@b add -A && git -c user.name=a -c user.email=a@b commit -qm one || return 1
    sed -i.old 's/n \* times/n * times + 1000/' src/lib.rs && rm src/lib.rs.old
    derny run --quick -x old@HEAD -x new benches/own.rs "own 20" >../told 2>&1 && cat ../told && ! grep -q "the same program" ../told
}
revisions_agree() {
    git checkout -q src/lib.rs
    says "the same program" derny run --quick -x old@HEAD -x new benches/own.rs "own 20"
}
check "a revision and the working tree are built of their own files" revisions_differ
check "where those are the same, so are the programs" revisions_agree
printf 'oops' >>"$place/project/benches/own.rs"
check "what does not compile is one failure" says "expected one of" derny list benches/own.rs
check "others are listed beside it" says "function/100" derny list -f plain
sum
exit $status
