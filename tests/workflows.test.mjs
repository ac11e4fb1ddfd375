// Tests the workflows of .github/: their shape, the existence of everything that they name, the SDKs that a
// change concerns, and the agreement of deny.toml with Cargo.lock.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { changed, concerned, SDKS } from '../scripts/changed.mjs';
import { read, ROOT } from './sources.mjs';
import { parse } from './yaml.mjs';

const workflows = readdirSync(path.join(ROOT, '.github/workflows')).map((name) => {
  const file = `.github/workflows/${name}`;
  return { file, text: read(file), value: parse(read(file)) };
});
const steps = workflows.flatMap(({ file, value }) => Object.entries(value.jobs)
  .flatMap(([job, { steps: all }]) => all.map((step) => ({ where: `${file}: ${job}`, ...step }))));
const ci = workflows.find(({ file }) => file.endsWith('/ci.yml')).value;

test('the reader of YAML reads what workflows need, and refuses the rest', () => {
  const text = '# head\na: "x: y" # why\nlist: [main, 3]\nb:\n  - c: 1\n    d:\n      - e\n  - f: |\n      one\n\n        two\n\nend: true\n';
  assert.deepEqual(parse(text), {
    a: 'x: y', list: ['main', 3], b: [{ c: 1, d: ['e'] }, { f: 'one\n\n  two\n' }], end: true,
  });
  for (const wrong of ['a: b: c', 'a:\n\tb: 1', 'a: 1\na: 2', 'a: {b: 1}', 'a: &x 1', 'a: [1', 'a: 1\n   b: 2', 'a: no', 'words', '- a\nb: 1']) {
    assert.throws(() => parse(wrong), wrong);
  }
});

test('another reader of YAML makes the same of the workflows', (t) => {
  const script = 'import sys, json, yaml; print(json.dumps(yaml.load(sys.stdin, yaml.BaseLoader)))';
  if (spawnSync('python3', ['-c', 'import yaml']).status !== 0) return t.skip('no PyYAML');
  const plain = (value) => {
    if (Array.isArray(value)) return value.map(plain);
    if (value === null) return '';
    if (typeof value !== 'object') return String(value);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
  };
  for (const { file, text, value } of workflows) {
    const theirs = JSON.parse(execFileSync('python3', ['-c', script], { input: text, encoding: 'utf8' }));
    assert.deepEqual(plain(value), theirs, file);
  }
});

test('every workflow has a trigger, permissions, and jobs that end', () => {
  assert.ok(workflows.length >= 2);
  for (const { file, value } of workflows) {
    for (const key of ['name', 'on', 'permissions', 'jobs']) assert.ok(value[key], `${file} has no ${key}`);
    for (const [name, job] of Object.entries(value.jobs)) {
      const where = `${file}: ${name}`;
      assert.match(job['runs-on'], /^(?:ubuntu|macos)-\d/, where);
      assert.ok(job['timeout-minutes'] > 0, `${where} has no timeout-minutes`);
      for (const other of [job.needs ?? []].flat()) assert.ok(value.jobs[other], `${where} needs ${other}, which there is not`);
      for (const step of job.steps) {
        assert.equal(Number('uses' in step) + Number('run' in step), 1, `${where}: a step has one of uses and run: ${JSON.stringify(step)}`);
      }
    }
    // Untrusted text, such as the name of a branch, may reach a script only through the environment.
    for (const [, used] of read(file).matchAll(/\$\{\{ *(github\.(?:head_ref|event\.[\w.]+))/g)) {
      assert.ok(['github.event.pull_request.number', 'github.event.pull_request.base.sha'].includes(used), `${file} uses ${used}`);
    }
    for (const { where, run } of steps) assert.doesNotMatch(run ?? '', /\$\{\{/, `${where}: pass it by env`);
  }
});

test('the checks of a pull request may only read, and a newer push cancels them', () => {
  assert.deepEqual(ci.permissions, { contents: 'read' });
  assert.ok('pull_request' in ci.on && !('pull_request_target' in ci.on));
  assert.ok(ci.concurrency.group && ci.concurrency['cancel-in-progress']);
  for (const [name, job] of Object.entries(ci.jobs)) {
    assert.equal(job.permissions, undefined, `${name} has permissions of its own`);
    for (const step of job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))) {
      assert.equal(step.with['persist-credentials'], false, `${name} keeps the token in its checkout`);
    }
  }
  // One check depends on all others except macOS.
  const others = Object.keys(ci.jobs).filter((name) => !['passed', 'macos'].includes(name));
  assert.deepEqual([...ci.jobs.passed.needs].sort(), others.sort());
});

test('a release is tried on both processors before anything is published', () => {
  const release = workflows.find(({ file }) => file.endsWith('/release.yml')).value;
  assert.deepEqual(release.permissions, { contents: 'read' });
  const needed = (name) => [release.jobs[name].needs ?? []].flat().flatMap((one) => [one, ...needed(one)]);
  const tries = Object.keys(release.jobs).filter((name) => release.jobs[name].steps.some(({ run }) => run?.includes('tests/release.sh')));
  assert.deepEqual(tries.map((name) => /-arm$/.test(release.jobs[name]['runs-on'])).sort(), [false, true]);
  for (const [name, { permissions }] of Object.entries(release.jobs)) {
    const publishes = name === 'github' || needed(name).includes('github');
    if (publishes) assert.ok(tries.every((one) => needed(name).includes(one)), `${name} publishes what was not tried`);
    else assert.equal(permissions, undefined, `${name} may write`);
  }
});

test('every target, script and package that a workflow names exists', () => {
  const targets = new Set([...read('Makefile').matchAll(/^([\w-]+):/gm)].map(([, name]) => name));
  const packages = new Set(readdirSync(path.join(ROOT, 'crates')).map((crate) => /^name = "(.*)"/m.exec(read(`crates/${crate}/Cargo.toml`))[1]));
  let seen = 0;
  const exists = (what, where, name) => { seen++; assert.ok(what, `${where} names ${name}, which there is not`); };
  for (const { where, run } of steps.filter((step) => step.run)) {
    for (const [, name] of run.matchAll(/\bmake ([\w-]+)/g)) exists(targets.has(name), where, `make ${name}`);
    for (const [, name] of run.matchAll(/--package ([\w-]+)/g)) exists(packages.has(name), where, name);
    for (const [name] of run.matchAll(/(?<![\w./-])(?:scripts|sdk|tests|ci)\/[\w./$-]+/g)) {
      for (const sdk of SDKS) exists(existsSync(path.join(ROOT, name.replace('$SDK', sdk))), where, name.replace('$SDK', sdk));
    }
    if (!/\bcargo install\b/.test(run)) continue;
    assert.match(run, /^cargo install --locked(?: [\w-]+@\d+\.\d+\.\d+)+$/, `${where}: pin what is installed`);
  }
  assert.ok(seen > 10, `${seen} names: this test looks for the wrong words`);
});

test('a change concerns the SDKs whose folder it touches, and all where it touches what they share', () => {
  const sdks = ['one', 'two', 'twofold'];
  const rows = [
    [[], []],
    [['README.md', 'docs/guide/first.md', 'web/src/page.ts'], []],
    [['sdk/two/src/a'], ['two']],
    [['sdk/twofold/x', 'CHANGELOG.md', 'sdk/one/README.md'], ['one', 'twofold']],
    [['sdk/gone/x'], []],
    [['protocol/vectors/lines.tsv'], sdks],
    [['protocol/PROTOCOL.md'], []],
    [['crates/engine/src/lib.rs'], sdks],
    [['crates/engine/tests/launching.rs'], []],
    [['crates/selfbench/src/main.rs'], []],
    [['Cargo.lock'], sdks],
    [['scripts/setup.sh', 'sdk/one/x'], sdks],
    [['.github/workflows/ci.yml'], sdks],
  ];
  for (const [files, wanted] of rows) assert.deepEqual(concerned(files, sdks), wanted, files.join());
  assert.deepEqual(SDKS, readdirSync(path.join(ROOT, 'sdk')).sort());
});

test('what has changed is held against the merge base, and a moved file counts twice', (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'derny-changed-'));
  t.after(() => rmSync(root, { recursive: true }));
  const git = (...words) => execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@localhost', ...words], { cwd: root, encoding: 'utf8' }).trim();
  const commit = (file) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), 'the same words in each');
    git('add', '.');
    git('commit', '-qm', file);
  };
  git('init', '-q', '-b', 'main');
  commit('sdk/one/a');
  git('checkout', '-qb', 'change');
  mkdirSync(path.join(root, 'sdk/two'));
  git('mv', 'sdk/one/a', 'sdk/two/a');
  git('commit', '-qm', 'move');
  commit('ä b');
  git('checkout', '-q', 'main');
  commit('sdk/three/later');
  const later = git('rev-parse', 'HEAD');
  git('checkout', '-q', 'change');
  assert.deepEqual(changed(later, root).sort(), ['sdk/one/a', 'sdk/two/a', 'ä b']);
  assert.throws(() => changed('nosuch', root));
});

test('the script prints a matrix, and fails without a commit to hold against', () => {
  const run = (...words) => spawnSync('node', ['scripts/changed.mjs', ...words], { cwd: ROOT, encoding: 'utf8' });
  assert.deepEqual(JSON.parse(run().stdout), SDKS);
  assert.deepEqual(JSON.parse(run('HEAD').stdout), []);
  assert.equal(run('nosuch').status, 1);
});

test('deny.toml names the licences and the second versions that are in Cargo.lock', () => {
  const words = ['metadata', '--format-version', '1', '--locked', '--all-features'];
  const { packages } = JSON.parse(execFileSync('cargo', words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 }));
  const deny = read('deny.toml');
  const allowed = [.../^allow = \[(.*)\]$/m.exec(deny)[1].matchAll(/"([^"]+)"/g)].map(([, name]) => name);
  for (const { name, license } of packages.filter(({ source }) => source !== null)) {
    const met = license.replaceAll('/', ' OR ').replace(/[()]/g, '').split(' AND ')
      .every((part) => part.split(' OR ').some((one) => allowed.includes(one.trim())));
    assert.ok(met, `${name}: ${license}: add it to licenses.allow of deny.toml`);
  }
  const spoken = packages.map(({ license }) => license).join(' ');
  for (const name of allowed) assert.ok(spoken.includes(name), `no crate has the licence ${name}: take it out of deny.toml`);

  // Versions are compatible if their numbers are equal up to the first one other than 0.
  const major = (version) => /^(?:0\.)*\d+/.exec(version)[0];
  const versions = new Map();
  for (const { name, version } of packages) versions.set(name, [...versions.get(name) ?? [], version]);
  const order = (a, b) => a.localeCompare(b, 'en', { numeric: true });
  const second = [...versions].flatMap(([name, all]) => all.sort(order).slice(0, -1).map((version) => `${name}@${major(version)}`));
  const skipped = [...deny.matchAll(/crate = "([^"]+)", reason = "[^"]+"/g)].map(([, name]) => name);
  assert.deepEqual(skipped, second.sort(), 'bans.skip of deny.toml has each with its reason');
});
