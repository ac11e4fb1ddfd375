#!/usr/bin/env bash
# The reference of all crates. Warnings (a broken link, for example) are errors.
set -euo pipefail
cd "$(dirname "$0")/.."
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
echo "see target/doc/derny_engine/index.html"
