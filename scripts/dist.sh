#!/usr/bin/env bash
# dist.sh [FOLDER [PROGRAM]]: what a release consists of, for x86-64 Linux: an archive with the engine, an npm package that carries it, and
# the checksums of both. The engine is linked statically, so that it runs on every distribution. PROGRAM is packed in its place if it is given.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-target/dist}
program=${2:-}
target=x86_64-unknown-linux-gnu
[ "$(uname -sm)" = "Linux x86_64" ] || { echo "make dist builds on x86-64 Linux only" >&2; exit 2; }
if [ -z "$program" ]; then
    CARGO_TARGET_DIR=target/static RUSTFLAGS="-C target-feature=+crt-static" \
        cargo build --release --locked --package derny --target $target
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

# The package of the SDK with one folder more.
mkdir "$draft/package"
tar -C sdk/javascript --exclude=./node_modules -cf - . | tar -C "$draft/package" -xf -
mkdir "$draft/package/engine"
cp "$draft/$name/derny" "$draft/package/engine/derny"
cp LICENSE-APACHE LICENSE-MIT "$draft/package"
node - "$draft/package/package.json" <<'J'
const fs = require('node:fs');
const [file] = process.argv.slice(2);
const own = JSON.parse(fs.readFileSync(file, 'utf8'));
own.files.push('engine', 'bin');
own.bin = { derny: 'bin/derny.cjs' };
own.os = ['linux'];
own.cpu = ['x64'];
fs.writeFileSync(file, `${JSON.stringify(own, null, 2)}\n`);
J
npm pack "$draft/package" --silent --pack-destination "$draft" >/dev/null
mv "$draft/derny-$version.tgz" "$folder/derny-$version-x86_64-linux.tgz"
(cd "$folder" && sha256sum "$name.tar.gz" "$name.tgz" >SHA256SUMS)
echo "made $folder/$name.tar.gz, $folder/$name.tgz and $folder/SHA256SUMS"
