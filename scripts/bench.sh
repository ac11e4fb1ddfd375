#!/usr/bin/env bash
# Measures Derny's own hot code: the suites of derny.toml whose files are in crates/ and sdk/. Arguments go to
# `derny run`.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --locked --package derny --package derny-selfbench
exec target/release/derny run crates sdk "$@"
