#!/usr/bin/env bash
# Checks the syntax of all sources in one process. `node --check` would need one process per
# file.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
command -v node >/dev/null || { echo "SKIPPED: lint of JavaScript, because node is missing"; exit 0; }
mapfile -t files < <(find . -name node_modules -prune -o \( -name '*.cjs' -o -name '*.mjs' \) -print)
node --experimental-vm-modules --no-warnings --input-type=module - "${files[@]}" <<'JS'
import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { Script, SourceTextModule } from 'node:vm';

const files = process.argv.slice(2);
if (files.length === 0) throw new Error('no source files found');
for (const file of files) {
  const text = readFileSync(file, 'utf8').replace(/^#!.*/, '');
  try {
    if (file.endsWith('.mjs')) new SourceTextModule(text, { identifier: file });
    else new Script(Module.wrap(text), { filename: file });
  } catch (error) {
    console.error(`sdk/javascript/${file.replace('./', '')}: ${error.message}`);
    process.exitCode = 1;
  }
}
JS
