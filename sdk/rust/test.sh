#!/usr/bin/env bash
# All tests of this SDK: its own and those of its documentation, its benchmarks once each, and conformance, which needs an
# engine (DERNY_BIN, or derny on the PATH).
set -uo pipefail
cd "$(dirname "$0")"
status=0
target=${CARGO_TARGET_DIR:-../../target}
export CARGO_TARGET_DIR=$target/sdk-rust
engine=${DERNY_BIN:-derny}
cargo test --quiet || status=1
cargo build --quiet --release --example conformance || status=1
"$engine" conform -- "$CARGO_TARGET_DIR/release/examples/conformance" || status=1
exit $status
