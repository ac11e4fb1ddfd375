#!/usr/bin/env bash
# dist.sh [FOLDER [PROGRAM]]: what a release consists of, for x86-64 Linux: an archive with the engine, what SDKs make of it (`dist.sh` of
# each), and the checksums of all. The engine is linked statically, so that it runs on every distribution. PROGRAM is packed in its place if it is given.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-target/dist}
program=${2:-}
target=x86_64-unknown-linux-gnu
[ "$(uname -sm)" = "Linux x86_64" ] || { echo "make dist builds on x86-64 Linux only" >&2; exit 2; }
if [ -z "$program" ]; then
    CARGO_TARGET_DIR=target/static RUSTFLAGS="-C target-feature=+crt-static" \
        cargo build --release --locked --package derny --features full --target $target
    program=target/static/$target/release/derny
    if ldd "$program" 2>/dev/null | grep -q "=>"; then
        echo "$program needs shared libraries" >&2
        exit 1
    fi
fi
version=$("$program" --version | cut -d' ' -f2)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
draft=$(mktemp -d)
trap 'rm -rf "$draft"' EXIT

name=derny-$version-x86_64-linux
mkdir "$draft/$name"
cp "$program" "$draft/$name/derny"
strip "$draft/$name/derny" 2>/dev/null || true
cp README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$draft/$name"
tar -C "$draft" --sort=name --owner=0 --group=0 --numeric-owner -czf "$folder/$name.tar.gz" "$name"

# Packages that carry the engine to the users of a language.
for sdk in sdk/*/; do
    [ ! -x "${sdk}dist.sh" ] || "${sdk}dist.sh" "$draft/$name/derny" "$folder" "$name"
done
# shellcheck disable=SC2094 # find leaves the file out
(cd "$folder" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS)
echo "made $folder:" && ls "$folder"
