#!/usr/bin/env bash
# dist.sh ENGINE FOLDER NAME: the npm package of this SDK with the engine inside and the command `derny`, as FOLDER/NAME.tgz.
set -euo pipefail
engine=$(realpath "$1") folder=$(realpath "$2") name=$3
cd "$(dirname "$0")"
draft=$(mktemp -d)
trap 'rm -rf "$draft"' EXIT
mkdir -p "$draft/package/engine"
tar --exclude=./node_modules -cf - . | tar -C "$draft/package" -xf -
cp "$engine" "$draft/package/engine/derny"
cp ../../LICENSE-APACHE ../../LICENSE-MIT "$draft/package"
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
mv "$draft"/derny-*.tgz "$folder/$name.tgz"
