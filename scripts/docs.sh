#!/usr/bin/env bash
# Builds the documents as a site with search in target/book/html, and the reference of all crates in
# target/doc. Warnings, such as broken links, are errors. Builds mdBook once below target/ from the crates'
# registry. `--site` and `--crates` build only one of both.
set -euo pipefail
cd "$(dirname "$0")/.."
version=0.5.4

site() {
    local tools=target/mdbook
    if [ "$("$tools/bin/mdbook" --version 2>/dev/null)" != "mdbook v$version" ]; then
        CARGO_TARGET_DIR=$tools/build cargo install mdbook --version $version --locked --quiet \
            --no-default-features --features search --root $tools
    fi
    node scripts/book.mjs target/book
    "$tools/bin/mdbook" build target/book
    echo "see target/book/html/index.html"
}

crates() {
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
    echo "see target/doc/derny_engine/index.html"
}

case ${1:-} in
    --site) site ;;
    --crates) crates ;;
    *) site && crates ;;
esac
