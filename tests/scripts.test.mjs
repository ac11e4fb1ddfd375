// Tests scripts/setup.sh and scripts/demo.sh with a new language, whose requirements and lessons are in its
// own folder.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TOOLS = ['bash', 'cat', 'dirname', 'sed', 'sort', 'head', 'awk', 'id'];

/** A checkout with the two scripts, one language, and the named programs. */
class Checkout {
  constructor(t, toolchain, programs) {
    this.root = mkdtempSync(path.join(tmpdir(), 'derny-scripts-'));
    t.after(() => rmSync(this.root, { recursive: true }));
    for (const folder of ['scripts', 'sdk/toy', 'bin', 'target/release', 'examples/01-hello']) {
      mkdirSync(this.at(folder), { recursive: true });
    }
    for (const script of ['scripts/setup.sh', 'scripts/demo.sh']) {
      copyFileSync(path.join(ROOT, script), this.at(script));
    }
    for (const tool of TOOLS) symlinkSync(this.found(tool), this.at(`bin/${tool}`));
    writeFileSync(this.at('Cargo.toml'), 'rust-version = "1.0"\n');
    writeFileSync(this.at('examples/01-hello/hello.toy'), '');
    writeFileSync(this.at('sdk/toy/toolchain.sh'), toolchain);
    for (const [name, text] of Object.entries(programs)) {
      writeFileSync(this.at(name), `#!${this.at('bin/bash')}\n${text}\n`);
      chmodSync(this.at(name), 0o755);
    }
  }

  at(name) {
    return path.join(this.root, name);
  }

  found(tool) {
    return spawnSync('bash', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).stdout.trim();
  }

  run(script, ...args) {
    const how = { cwd: this.root, env: { PATH: this.at('bin') }, encoding: 'utf8' };
    const { status, stdout, stderr } = spawnSync(this.at('bin/bash'), [`scripts/${script}`, ...args], how);
    return { status, text: stdout + stderr };
  }
}

const ENGINE = {
  'bin/cc': '',
  'bin/cargo': 'echo cargo 1.99.0',
  'target/release/derny': 'echo "derny: $*"; [ "${*: -1}" != broken ]',
};
const TOY = `has_toy() { command -v toy >/dev/null; }
need "Toy 3 or later" has_toy 3 toy "type: get toy"
lessons Toy toy 7 examples/*/*.toy
`;

test('what a new language needs is looked for, and told', (t) => {
  const there = new Checkout(t, TOY, { ...ENGINE, 'bin/toy': '' }).run('setup.sh');
  assert.equal(there.status, 0, there.text);
  assert.match(there.text, /^found {4}Toy 3 or later$/m);
  const absent = new Checkout(t, TOY, ENGINE).run('setup.sh');
  assert.equal(absent.status, 3, absent.text);
  assert.match(absent.text, /^MISSING {2}Toy 3 or later: type: get toy$/m);
  assert.match(absent.text, /^found {4}a C compiler/m);
  const other = new Checkout(t, TOY, ENGINE).run('setup.sh', '--sdks', 'doll,ball');
  assert.equal(other.status, 0, other.text);
  assert.doesNotMatch(other.text, /Toy/);
  // Languages do not matter if the engine's own tools are missing.
  const nothing = new Checkout(t, TOY, {}).run('setup.sh');
  assert.equal(nothing.status, 1, nothing.text);
  assert.match(nothing.text, /^MISSING {2}Rust 1\.0 or later/m);
});

test('what only tests use is looked for with --tests alone', (t) => {
  const toolchain = 'has_doll() { false; }\ntests_need "Doll" has_doll 1 doll "type: get doll"\n';
  assert.doesNotMatch(new Checkout(t, toolchain, ENGINE).run('setup.sh').text, /Doll/);
  assert.match(new Checkout(t, toolchain, ENGINE).run('setup.sh', '--tests').text, /^MISSING {2}Doll: type: get doll$/m);
  assert.match(new Checkout(t, toolchain, ENGINE).run('setup.sh', '--tests').text, /Chromium/);
  // If a language is named, only the tools of its tests are checked.
  const alone = new Checkout(t, toolchain, ENGINE).run('setup.sh', '--tests', '--sdks', 'toy').text;
  assert.match(alone, /^MISSING {2}Doll/m);
  assert.doesNotMatch(alone, /Chromium|PostgreSQL|Slurm|shellcheck/);
});

test('the tour shows two languages whose tools are there, in its order, and names the others', (t) => {
  const three = ['Toy', 'Doll', 'Ball'].map((name) => `lessons ${name} bash 7 examples/*/*.toy\n`).join('');
  const told = new Checkout(t, `lessons Kite kite 7 kite\ntour 5\n${three}`, ENGINE).run('demo.sh');
  assert.equal(told.status, 0, told.text);
  assert.deepEqual([...told.text.matchAll(/^== the lessons .* in (\w+)$/gm)].map(([, name]) => name), ['Toy', 'Doll']);
  assert.match(told.text, /^make demo-all shows the other languages too: Ball, Kite$/m);
  assert.doesNotMatch(told.text, /^derny: .* engine$/m);
});

test('the whole tour has the lessons of a new language, if its tools are there', (t) => {
  const more = `${TOY}lessons Plaything "toy plaything" 7 examples/*/*.toy\n`;
  const there = new Checkout(t, more, { ...ENGINE, 'bin/toy': '' }).run('demo.sh', '--all');
  assert.equal(there.status, 0, there.text);
  assert.match(there.text, /^== the lessons of examples\/, in Toy$/m);
  assert.match(there.text, /^derny: run --quick --total 7s examples\/01-hello\/hello\.toy$/m);
  assert.match(there.text, /^SKIPPED: the lessons in Plaything, because plaything is missing/m);
  assert.doesNotMatch(there.text, /in Plaything$/m);
  assert.match(there.text, /^derny: run --quick --total 20s engine$/m);
  const broken = new Checkout(t, 'lessons Toy bash 7 broken\n', ENGINE).run('demo.sh');
  assert.equal(broken.status, 1, broken.text);
  assert.equal(new Checkout(t, TOY, {}).run('demo.sh').status, 1);
});
