#!/usr/bin/env bash
# Tests the benches of other frameworks in a project like a user's, without a network. Needs an
# engine (DERNY_BIN).
set -uo pipefail
cd "$(dirname "$0")" || exit 1
. ../../../tests/checks.sh
project=$place/project
unset CARGO_TARGET_DIR RUSTC_WRAPPER

told() { # told TEXT FILE: fails unless the output in FILE contains TEXT
    cat "$2" && grep -qF -- "$1" "$2"
}
derny() { "$DERNY_BIN" "$@"; }
export -f derny
export CARGO_NET_OFFLINE=true
is_as_it_was() { # fails if a file was added or changed outside of .derny and target
    [ "$(cd "$place/project" && find . -path ./.derny -prune -o -path ./target -prune -o -type f -print | LC_ALL=C sort | xargs cksum | cksum)" = "$before" ]
}
kept_whole() {
    printf 'version = 4\n\n[[package]]\nname = "criterion"\nversion = "0.5.1"\n\n[[package]]\nname = "project"\nversion = "0.0.0"\ndependencies = [\n "criterion",\n]\n# mine\n' >Cargo.lock
    cp Cargo.lock ../lock && derny -qq list --build-args --locked benches/own.rs >/dev/null && cmp Cargo.lock ../lock && rm Cargo.lock
}
builds_nothing() { # fails if listing again calls the compiler
    rm -f "$place/calls"
    derny -qq list --refresh benches/own.rs && ! grep -q -- --crate-name "$place/calls" 2>/dev/null
}

rustc --edition 2021 --test -o "$place/build-tests" cargo/main.rs && "$place/build-tests" -q || status=1
cp -r tests/project tests/divan tests/libtest "$place"
mkdir "$place/project/.cargo"
# A user-defined compiler wrapper.
printf '#!/bin/sh\necho "$@" >>"%s/calls"\nexec "$@"\n' "$place" >"$place/wrapper"
chmod +x "$place/wrapper"
printf '[build]\nrustc-wrapper = "%s/wrapper"\ntarget-dir = "elsewhere"\nbuild-dir = "elsewhere-too"\n' "$place" >"$place/project/.cargo/config.toml"
before=$(cd "$place/project" && find . -type f | LC_ALL=C sort | xargs cksum | cksum)

# Build the divan project concurrently: its macros depend on a Rust parser, which takes long to
# compile.
(cd "$place/divan" && derny -qq list -f plain) >"$place/divan.list" 2>&1 &
(cd "$place/project" && derny list) >"$place/list" 2>&1
(cd "$place/project" && derny run --once benches/all.rs) >"$place/once" 2>&1
check "benches of criterion.rs are listed under their own names" told "function/100" "$place/list"
check "a repeated name is numbered" told "sum #2" "$place/list"
check "a long name is truncated as in criterion.rs" told "longlonglonglong..." "$place/list"
check "a panic of a group is reported" told "a fixture is missing" "$place/list"
check "groups after it are listed" told "last" "$place/list"
check "a target is reported with the features it needs" told "--features more" "$place/list"
check "each benchmark runs once" told "27 passed" "$place/once"
check "a panic is reported" told "on purpose" "$place/once"
check "a benchmark without a loop is reported" told "never calls a loop" "$place/once"
check "an unsupported measurement is reported" told "the measurement all::Calls is not supported" "$place/once"
check "the user's own wrapper is called" grep -q -- "--crate-name project" "$place/calls"
check "listing again builds nothing" builds_nothing
check "no file of the project was changed or added" is_as_it_was
check "a lock file stays unchanged, and --locked works" kept_whole
check "each benchmark of a user-defined main runs once" says "2 passed" derny run --once benches/own.rs
check "features make a side" says "simd" derny run --quick -x head -x simd+build:--features=more benches/own.rs "own 20"
check "a bench of another framework is not run" test ! -e plain-was-run
check "cargo bench still uses the project's own crate" says "this is the crate that the project names" cargo bench --quiet --offline --features more --bench featured
# Wrappers set in the environment: one replaces the configured wrapper, and one applies only to
# crates of the workspace.
wrapped() { # wrapped VARIABLE
    rm -f ../calls && printf '#!/bin/sh\necho "$@" >>"%s/calls-too"\nexec "$@"\n' "$place" >../wrapper-too && chmod +x ../wrapper-too
    touch src/lib.rs
    env "$1=$place/wrapper-too" "$DERNY_BIN" -qq list --refresh benches/own.rs || return 1
    grep -q -- "--crate-name own" ../calls-too && rm ../calls-too
}
check "a wrapper from the environment is called" wrapped RUSTC_WRAPPER
check "it replaces the configured wrapper" test ! -e ../calls
check "a workspace wrapper is called" wrapped RUSTC_WORKSPACE_WRAPPER
check "it is called through the configured wrapper" grep -q -- "wrapper-too .*--crate-name own" ../calls
check "#[bench] without a nightly compiler is reported" says "needs a nightly compiler" bash -c 'cd ../libtest && derny list'
check "#[bench] with a nightly compiler is listed under its own names" bash -c 'cd ../libtest && RUSTC_BOOTSTRAP=1 derny -qq list -f plain | sed "s/^benches.all.//" | LC_ALL=C sort | diff - names'
check "each #[bench] runs once" says "2 passed" bash -c 'cd ../libtest && RUSTC_BOOTSTRAP=1 derny run --once'
programs_are() { # programs_are NUMBER SETTING: fails unless there are NUMBER different programs after adding a variant with SETTING
    cd ../libtest && RUSTC_BOOTSTRAP=1 derny run --once -x head -x "other+$2" sum || return 1
    [ "$(cksum .derny/builds/build-0/*/benches/all | cut -d' ' -f1 | sort -u | wc -l)" = "$1" ]
}
check "a profile setting of a variant applies" programs_are 2 CARGO_PROFILE_BENCH_DEBUG=1
check "compiler flags of a variant apply" programs_are 3 RUSTFLAGS=--cfg=other
wait
check "benches of divan are listed under their own names" bash -c 'sed "s/^benches.all.//" ../divan.list | LC_ALL=C sort | diff - ../divan/names'
check "each bench of divan runs once" says "29 passed" bash -c 'cd ../divan && derny run --once'
# The revision is built first, so its programs are newer than the working tree's files.
revisions_differ() {
    git init -q && git -c user.name=a -c user.email=a@b add -A && git -c user.name=a -c user.email=a@b commit -qm one || return 1
    sed -i.old 's/n \* times/n * times + 1000/' src/lib.rs && rm src/lib.rs.old
    derny run --quick -x HEAD -x head benches/own.rs "own 20" >../told 2>&1 && cat ../told && ! grep -q "the same program" ../told
}
revisions_agree() {
    git checkout -q src/lib.rs
    says "the same program" derny run --quick -x HEAD -x head benches/own.rs "own 20"
}
check "a revision and the working tree are built from their own files" revisions_differ
check "identical files give identical programs" revisions_agree
printf 'oops' >>"$place/project/benches/own.rs"
check "a file that does not compile is one failure" says "expected one of" derny list benches/own.rs
check "other files are listed" says "function/100" derny list -f plain
sum
exit $status
