// Tests the rules of ARCHITECTURE.md against cargo's metadata and the sources. The tables of allowed imports
// in ARCHITECTURE.md and of dependencies in docs/reference/dependencies.md are read here. To change a rule,
// change its table.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { COPIES, found, version } from '../scripts/version.mjs';
import { arrowsOf, circles } from './circles.mjs';
import { files, read, ROOT, sources } from './sources.mjs';

const metadata = JSON.parse(execFileSync('cargo', ['metadata', '--format-version', '1', '--locked'], {
  cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'],
}));
const own = metadata.packages.filter((p) => p.source === null);
const folderOf = (p) => path.basename(path.dirname(p.manifest_path));
const byName = new Map(own.map((p) => [p.name, p]));

/** Returns the words in backquotes in a table's cell. */
const words = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word);

/** Returns the rows of the first table below a heading, as cells. */
function table(file, heading) {
  const section = read(file).split(/^## /m).find((text) => text.startsWith(heading));
  assert.ok(section, `${file} has no section "${heading}"`);
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) => row.split('|').slice(1, -1).map((cell) => cell.trim()));
}

const rules = new Map(table('ARCHITECTURE.md', 'Who may import whom').map(([crate, ours, outside]) => [
  words(crate)[0], { ours: words(ours), outside: words(outside.replace(/(?:\(| with the )feature `\w+`/g, '')) },
]));
const reasons = table('docs/reference/dependencies.md', 'Rust').map(([name]) => words(name)[0]);

test('every crate has its row, and imports only what the row says', () => {
  assert.ok(own.length >= 9, `${own.length} crates`);
  assert.deepEqual([...rules.keys()].sort(), own.map(folderOf).sort());
  for (const crate of own) {
    const { ours, outside } = rules.get(folderOf(crate));
    for (const { name, kind } of crate.dependencies) {
      if (kind === 'dev') continue;
      const allowed = byName.has(name) ? ours.includes(folderOf(byName.get(name))) : outside.includes(name);
      assert.ok(allowed, `${crate.name} imports ${name}, which its row does not allow`);
    }
    const used = crate.dependencies.filter(({ kind }) => kind !== 'dev').map(({ name }) => name);
    for (const name of ours) assert.ok(used.some((u) => byName.has(u) && folderOf(byName.get(u)) === name), `${crate.name} no longer imports ${name}`);
    for (const name of outside) assert.ok(used.includes(name), `${crate.name} no longer uses ${name}`);
  }
});

// The engine's agreement test passes the same turns to analysis.
test('tests import what their crate may, and the test kit; those of the command line everything', () => {
  for (const crate of own.filter(({ name }) => name !== 'derny')) {
    const { ours } = rules.get(folderOf(crate));
    for (const { name } of crate.dependencies.filter((d) => d.kind === 'dev' && byName.has(d.name))) {
      const folder = folderOf(byName.get(name));
      const agrees = crate.name === 'derny-engine' && folder === 'analysis';
      const itself = folder === folderOf(crate); // with features on
      assert.ok(folder === 'testkit' || agrees || itself || ours.includes(folder), `the tests of ${crate.name} import ${name}`);
    }
  }
});

test('every dependency has its reason, and every reason its dependency', () => {
  const used = new Set(own.flatMap((p) => p.dependencies.map(({ name }) => name)).filter((name) => !byName.has(name)));
  assert.deepEqual([...reasons].sort(), [...used].sort());
});

test('the modules of a crate do not import each other in a circle', () => {
  for (const crate of readdirSync(path.join(ROOT, 'crates'))) {
    const text = circles(crate).map((ring) => `${ring.join(', ')}: ${arrowsOf(crate, ring).join('; ')}`).join('\n');
    assert.equal(text, '', `${crate} has a circle. Move what both need into a module below them`);
  }
});

test('every crate is under the shared lints', () => {
  for (const crate of own) assert.match(readFileSync(crate.manifest_path, 'utf8'), /^\[lints\]\nworkspace = true$/m, crate.name);
});

const PERMISSIVE = new Set(['MIT', 'MIT-0', 'Apache-2.0', 'Apache-2.0 WITH LLVM-exception', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'Zlib',
  'Unlicense', 'Unicode-3.0', 'CC0-1.0', 'BSL-1.0']);

/** Returns true if permissive licences alone satisfy an SPDX expression. `/` is the old spelling of OR. */
function permissive(expression) {
  const tokens = expression.replaceAll('/', ' OR ').match(/\(|\)|(?:(?!\bOR\b|\bAND\b)[^()\s]+)(?:\s+WITH\s+\S+)?|OR|AND/g) ?? [];
  let at = 0;
  const atom = () => {
    if (tokens[at] !== '(') return PERMISSIVE.has((tokens[at++] ?? '').replace(/\s+/g, ' '));
    at++;
    const inner = either();
    at++;
    return inner;
  };
  const both = () => {
    let value = atom();
    while (tokens[at] === 'AND') { at++; value = atom() && value; }
    return value;
  };
  const either = () => {
    let value = both();
    while (tokens[at] === 'OR') { at++; value = both() || value; }
    return value;
  };
  return either() && at === tokens.length;
}

test('licences can be read', () => {
  for (const yes of ['MIT', 'MIT-0', 'Apache-2.0/MIT', 'MIT OR GPL-3.0', '(MIT OR Apache-2.0) AND Unicode-3.0', 'Apache-2.0 WITH LLVM-exception OR MIT']) {
    assert.ok(permissive(yes), yes);
  }
  for (const no of ['', 'GPL-3.0', 'MIT AND GPL-3.0', '(GPL-2.0 OR LGPL-2.1) AND MIT', 'MIT OR']) assert.ok(!permissive(no), no);
});

test('the licences of all dependencies are permissive', () => {
  for (const { name, version, license } of metadata.packages) {
    assert.ok(license && permissive(license), `${name} ${version}: ${license}`);
  }
  for (const crate of own) assert.equal(crate.license, 'Apache-2.0 OR MIT', crate.name);
});

/** Asserts that `pattern` occurs, and only in files that `allowed` accepts. */
function only(pattern, allowed, what) {
  const found = sources.filter(({ text }) => pattern.test(text));
  for (const { file, crate } of found) assert.ok(allowed(file, crate), `${file} ${what}`);
  assert.ok(found.length > 0, `nothing ${what}: this test looks for the wrong words`);
}

test('a program of ours may print; of the libraries only the engine, what a harness says', () => {
  const programs = ['cli', 'testkit', 'selfbench'];
  const echo = 'crates/engine/src/launch/echo.rs';
  only(/\bstdout\(\)/, (_, crate) => programs.includes(crate), 'writes to standard output');
  only(/\bstderr\(\)/, (file, crate) => programs.includes(crate) || file === echo, 'writes to standard error');
});

test('only the engine and the harness of commands start programs and read clocks', () => {
  // The workbench asks git for commits, and builds revisions for -x NAME@REV. The command line starts itself
  // for `doctor --noise`, and its progress shows the elapsed time.
  const starts = (_, crate) => ['engine', 'testkit', 'workbench', 'command', 'cli', 'mcp'].includes(crate);
  only(/\bCommand::new\(|process::Command\b/, starts, 'starts a program');
  // environment.rs hides the store's secrets from programs other than Derny's own. The other files start
  // Derny itself, `cp`, or a command without the secrets.
  const makes = ['engine/src/launch/environment.rs', 'engine/src/launch/reaper.rs', 'command/src/calls.rs', 'command/src/copies.rs', 'cli/src/doctor/noise.rs', 'mcp/src/child.rs'];
  only(/\bCommand::new\(/, (file, crate) => crate === 'testkit' || makes.includes(file.replace('crates/', '')), 'makes a command');
  only(/\b(?:Instant|SystemTime)::now\b/, (_, crate) => ['engine', 'command', 'cli', 'testkit', 'selfbench'].includes(crate), 'reads a clock');
});

test('temporary folders are made in one place, and folders only where nobody else can have laid something first', () => {
  // Another user could create a predictable name first, as a link or as a file that they own.
  const [maker, kits] = ['crates/engine/src/launch/folder.rs', ['testkit', 'selfbench']];
  const asks = (file, crate) => [maker, 'crates/engine/src/os/unix.rs'].includes(file) || kits.includes(crate);
  only(/\btemp_dir\(\)|\bmkdtemp\b|"\/var\/tmp\b/, asks, 'asks where temporary files go: use PrivateFolder');
  const makers = new Map([
    [maker, 'what others may not enter'],
    ['crates/engine/src/os/elsewhere.rs', 'the same where there is no mkdtemp'],
    ['crates/engine/src/launch/scratch.rs', 'in a private folder'],
    ['crates/engine/src/discover/cache.rs', 'in a private folder'],
    ['crates/command/src/copies.rs', 'in a private folder'],
    ['crates/store/src/private.rs', 'the folder of a store'],
    ['crates/fleet/src/unpack.rs', 'in the folder of a store'],
    ['crates/workbench/src/project/worktree.rs', 'in the folder of a store'],
    ['crates/workbench/src/project/build.rs', 'in the folder of a store'],
    ['crates/engine/src/diagnose.rs', 'in the folder of a store'],
    ['crates/command/src/os/group.rs', 'a control group of this process'],
    ['crates/workbench/src/init/step.rs', 'files of the user, in the project'],
    ['crates/cli/src/commands/man.rs', 'a folder that the user names'],
    ['crates/cli/src/commands/site.rs', 'a folder that the user names'],
  ]);
  only(/\bcreate_dir(?:_all)?\(|\bDirBuilder\b/, (file, crate) => makers.has(file) || kits.includes(crate), 'makes a folder: use PrivateFolder, or `folder` of the store');
  for (const file of makers.keys()) assert.match(read(file), /create_dir|DirBuilder/, `${file} makes no folder any more`);
});

test('a database is opened, and restrained, in one file', () => {
  only(/\bConnection::open(?:_with_flags)?\(/, (file) => file === 'crates/store/src/sqlite/file.rs', 'opens a database');
  const text = read('crates/store/src/sqlite/file.rs').split('#[cfg(test)]')[0];
  const count = (pattern) => [...text.matchAll(pattern)].length;
  assert.equal(count(/guard::restrain\(/g), count(/\bConnection::open(?:_with_flags)?\(/g), 'a database is opened without guard::restrain');
});

test('unsafe code stands in the engine, where it talks to the system, and where the store maps its journal', () => {
  const allowed = (file) => /^crates\/(?:engine|command)\/src\/os\//.test(file) || file === 'crates/store/src/journal/frames.rs';
  only(/\bunsafe\b(?! code|-inline)/, allowed, 'has unsafe code');
});

test('a database is named in its own folder of the store, and its language spoken there', () => {
  const [folder, server] = ['crates/store/src/sqlite/', 'crates/store/src/postgres/'];
  const opens = ['crates/store/src/lib.rs', 'crates/store/src/sqlite.rs'];
  // Includes the tests, because tests of all stores must not use the language of one database.
  const whole = [...files('crates')].filter((file) => file.endsWith('.rs')).map((file) => ({ file, text: read(file) }));
  const stands = (pattern, allowed, what) => {
    const found = whole.filter(({ text }) => pattern.test(text));
    for (const { file } of found) assert.ok(file.startsWith(folder) || allowed(file), `${file} ${what}`);
    assert.ok(found.some(({ file }) => file.startsWith(folder)), `nothing ${what}: this test looks for the wrong words`);
  };
  stands(/\brusqlite\b/, (file) => file === 'crates/store/tests/sqlite.rs', 'names rusqlite');
  stands(/\b(?:SELECT|INSERT INTO|INSERT OR|UPDATE \w+ SET|DELETE FROM|PRAGMA)\b/, (file) => file.startsWith(server) || file === 'crates/store/tests/sqlite.rs', 'has SQL');
  only(/\bpostgres::/, (file, crate) => file.startsWith(server) || ['crates/store/src/lib.rs', 'crates/store/src/location.rs'].includes(file) || crate === 'testkit', 'names PostgreSQL');
  stands(/\bsqlite\b/i, (file) => opens.includes(file) || /\/tests\//.test(file), 'names SQLite');
});

test('every step of others that a workflow uses is named by the hash of a commit, with its version beside it', () => {
  // Checks workflows, documents, and files that `init`, `generate` and the SDKs write. Tags can be moved, but
  // hashes cannot.
  const places = ['.github', 'comment', 'templates', 'crates', 'docs', 'sdk', 'examples'].flatMap((folder) => [...files(folder)])
    .filter((file) => /\.(?:ya?ml|toml|md|rs)$/.test(file)).concat('action.yml', 'README.md');
  const pins = new Map();
  let seen = 0;
  for (const file of places) {
    for (const [line, action, ref] of read(file).matchAll(/\buses: *["']?([\w.-]+\/[\w./-]+)@(.*)/g)) {
      if (action.startsWith('derny/derny')) continue;
      seen += 1;
      assert.match(ref, /^[0-9a-f]{40}["']? # v?\d+(?:\.\d+)*(?:\b|$)/, `${file}: ${line}`);
      const [owner, name] = action.split('/');
      const pin = /^[0-9a-f]{40}["']? # [\w.]+/.exec(ref)[0];
      assert.equal(pins.get(`${owner}/${name}`) ?? pin, pin, `${file}: ${owner}/${name} is pinned twice`);
      pins.set(`${owner}/${name}`, pin);
    }
  }
  assert.ok(seen > 20 && pins.size >= 8, `${seen} steps of ${pins.size} actions: this test looks for the wrong words`);
});

test('logarithms and their like are not the platform\'s where results are made', () => {
  const results = ['stats', 'estimate', 'analysis', 'engine'];
  const platforms = /\.(?:ln|ln_1p|log2|log10|exp|exp2|exp_m1|powf|sin|cos|tan|tanh|cbrt|hypot)\(|\bf64::(?:ln|exp|powf)\b/;
  only(platforms, (file, crate) => !results.includes(crate), 'asks the platform for a function that differs in the last bit');
});

test('a problem is laid out by its type alone', () => {
  const place = 'crates/model/src/problem.rs';
  // A test may contain a whole message.
  const laidOut = ({ text }) => /\\n  (?:where|known|why|try) {2,}/.test(text.split('#[cfg(test)]')[0]);
  const own = sources.filter(laidOut).map(({ file }) => file).filter((file) => !/\/tests?(?:\.rs|\/)/.test(file));
  assert.deepEqual(own, [], `lay out a message by hand; use the parts of ${place}`);
  only(/write!\(f, "\\n {2}\{label/, (file) => file === place, 'writes the labels of a message');
});

test('every file of tests is a module of the one program that is linked for a crate', () => {
  const listed = [...files('crates')].filter((file) => /^crates\/\w+\/tests\/all\.rs$/.test(file));
  assert.ok(listed.length > 0);
  for (const list of listed) {
    const folder = path.dirname(list);
    const modules = [...read(list).matchAll(/^mod (\w+);$/gm)].map(([, name]) => name);
    const written = readdirSync(path.join(ROOT, folder)).filter((name) => name.endsWith('.rs') && name !== 'all.rs');
    for (const name of written) {
      const module = name.replace('.rs', '');
      assert.ok(modules.includes(module), `${folder}/${name} is not run: write \`mod ${module};\` into ${list}, and \`use crate::place\` for \`mod place\``);
    }
  }
});

test('no file is a drawer for everything', () => {
  const drawers = ['crates', 'sdk', 'scripts', 'tests'].flatMap((folder) => [...files(folder)])
    .filter((file) => /^(?:utils?|helpers?|common|misc)\./.test(path.basename(file)) && !file.includes('/test/tree/'))
    // Google Benchmark has a header with this name.
    .filter((file) => !file.endsWith('google/benchmark/utils.h'));
  assert.deepEqual(drawers, []);
});

/** Returns the numbered steps of a text. */
const numbered = (text) => [...text.matchAll(/^(\d+)\. (.*)$/gm)].map(([, number, line]) => ({ number: Number(number), line, names: words(line) }));

/** Returns the numbered steps in the head of lib.rs or main.rs. */
const steps = (text) => numbered((/^(?:\/\/!.*\n)+/.exec(text)?.[0] ?? '').replace(/^\/\/! ?/gm, ''));

/**
 * Returns the faults of the steps. `exists` returns true if the crate has a module or an item with a name.
 */
function wrongSteps(found, exists) {
  const wrong = found.length < 3 || found.length > 8 ? [`has ${found.length} numbered steps, and should have 3 to 8`] : [];
  found.forEach(({ number, line, names }, at) => {
    if (number !== at + 1) wrong.push(`step ${number} should be ${at + 1}`);
    if (names.length === 0) wrong.push(`step ${number} names no module: ${line}`);
    if (!/[.:]$/.test(line)) wrong.push(`step ${number} takes more than one line`);
    wrong.push(...names.filter((name) => !exists(name)).map((name) => `step ${number} names \`${name}\`, which is not there`));
  });
  return wrong;
}

test('the head of every crate tells its data flow in numbered steps, each naming modules that exist', () => {
  for (const crate of readdirSync(path.join(ROOT, 'crates'))) {
    const source = `crates/${crate}/src`;
    const file = ['lib.rs', 'main.rs'].map((name) => `${source}/${name}`).find((name) => existsSync(path.join(ROOT, name)));
    const text = read(file);
    const isModule = (name) => ['', '.rs'].some((ending) => existsSync(path.join(ROOT, source, `${name}${ending}`)));
    const isItem = (name) => new RegExp(`^(?:pub )?(?:fn|trait|struct|enum|const) ${name}\\b`, 'm').test(text);
    assert.deepEqual(wrongSteps(steps(text), (name) => isModule(name) || isItem(name)), [], file);
  }
});

test('INTERNALS.md of every SDK tells the way from a file to a turn in numbered steps, each naming files that exist', () => {
  for (const sdk of readdirSync(path.join(ROOT, 'sdk')).filter((name) => statSync(path.join(ROOT, 'sdk', name)).isDirectory())) {
    const section = read(`sdk/${sdk}/INTERNALS.md`).split(/^## /m).find((part) => part.startsWith('From a file to a turn\n')) ?? '';
    assert.deepEqual(wrongSteps(numbered(section), (name) => existsSync(path.join(ROOT, 'sdk', sdk, name))), [], sdk);
  }
});

test('a step without a module, out of order, or of a module that is gone is noticed', () => {
  const of = (...lines) => wrongSteps(steps(`//! A crate.\n//!\n${lines.map((line) => `//! ${line}\n`).join('')}\nmod a;\n`), (name) => name === 'a');
  assert.deepEqual(of('1. `a` reads.', '2. `a` sorts.', '3. `a` writes.'), []);
  assert.match(of('1. `a` reads.', '2. `a` writes.').join(), /has 2 numbered steps/);
  assert.match(of('1. `a` reads.', '3. `a` sorts.', '3. `a` writes.').join(), /step 3 should be 2/);
  assert.match(of('1. `a` reads.', '2. It sorts.', '3. `a` writes.').join(), /step 2 names no module/);
  assert.match(of('1. `a` reads.', '2. `gone` sorts.', '3. `a` writes.').join(), /names `gone`, which is not there/);
  assert.match(of('1. `a` reads', '   more.', '2. `a` sorts.', '3. `a` writes.').join(), /step 1 takes more than one line/);
});

test('comments in Rust fit into 110 columns', () => {
  const isProse = (line) => /^\s*\/\//.test(line) && !/[;{}]$/.test(line); // rustdoc shows code blocks unchanged
  const long = ['crates', 'sdk/rust'].flatMap((folder) => [...files(folder)]).filter((file) => file.endsWith('.rs')).flatMap((file) =>
    read(file).split('\n').map((line, at) => [line, `${file}:${at + 1}`]).filter(([line]) => isProse(line) && [...line].length > 110));
  assert.deepEqual(long.map(([, place]) => place), []);
});

test('no source file has more than 600 lines', () => {
  // Generated: the WebAssembly build of SWC, with which the JavaScript SDK strips types.
  const generated = ['sdk/javascript/vendor/amaro/wasm.js'];
  const written = ['crates', 'sdk'].flatMap((folder) => [...files(folder)])
    .filter((file) => /\.(?:rs|[cm]?[jt]s|py|go|java|kt|scala|clj|exs?|erl|hs|rb|php|c|h|cc|cpp|hpp|cs|swift|jl|lua|sh)$/.test(file));
  const long = written.filter((file) => read(file).split('\n').length - 1 > 600);
  assert.deepEqual(long.sort(), generated, 'split the file by subject; name it here if it is generated');
});

test('SDKs have no dependencies', () => {
  const sdks = readdirSync(path.join(ROOT, 'sdk')).filter((name) => statSync(path.join(ROOT, 'sdk', name)).isDirectory());
  assert.ok(sdks.length > 0);
  for (const sdk of sdks) for (const file of ['README.md', 'sdk.toml']) assert.ok(read(`sdk/${sdk}/${file}`).length > 0);
  const manifest = JSON.parse(read('sdk/javascript/package.json'));
  for (const key of Object.keys(manifest)) assert.ok(!/dependencies$/i.test(key), `sdk/javascript/package.json has ${key}`);
  assert.doesNotMatch(read('sdk/rust/Cargo.toml'), /dependencies\]/);
  const scripts = [...files('sdk/javascript')].filter((file) => /\.[cm]js$/.test(file) && /\/(?:src|node-core)\//.test(file) && !file.includes('/test/'));
  assert.ok(scripts.length > 10);
  for (const file of scripts) {
    const text = read(file);
    const wanted = [...text.matchAll(/\brequire\('([^']+)'\)|^import .*from '([^']+)'|^import '([^']+)'/gm)].map(([, a, b, c]) => a ?? b ?? c);
    for (const name of wanted) assert.match(name, /^(?:node:|\.\.?\/)/, `${file} imports ${name}`);
  }
});

test('every public function of stats is reached by a product crate', () => {
  // Searches the text. A use of a free function is its name without a preceding dot, in a file that also
  // names its module or a re-exported item. A use of a method is its name after a dot or `::`. Every reported
  // function is unused, but an unused function that shares its name with another one may be missed.
  const root = read('crates/stats/src/lib.rs');
  const again = new Set([...root.matchAll(/^pub use ([^;]+);/gm)].flatMap(([, tree]) => tree.match(/\w+/g)));
  const code = (text) => text.replace(/\/\/.*$/gm, '');
  const functions = [];
  for (const { file, text } of sources.filter(({ crate, file }) => crate === 'stats' && !file.endsWith('/lib.rs'))) {
    const uses = [...code(text).matchAll(/^use [^;]+;/gm)].join('\n');
    const module = path.basename(file, '.rs');
    for (const part of code(text).split(/^(?= {0,4}(?:pub(?:\([a-z]+\))? )?(?:const )?fn )/m).slice(1)) {
      const [, indent, open, name] = /^( *)(pub )?(?:pub\([a-z]+\) )?(?:const )?fn (\w+)/.exec(part);
      functions.push({ module, name, method: indent !== '', open: Boolean(open), body: part.slice(part.indexOf(name) + name.length), uses });
    }
  }
  assert.ok(functions.length > 50, `${functions.length} functions`);
  const names = ({ module, name, method }, text, own) => {
    if (method) return new RegExp(`(?:\\.|::)${name}\\b`).test(text);
    const here = own || (again.has(name) && /\bderny_stats\b/.test(text)) || new RegExp(`\\b${module}\\b`).test(text);
    return here && new RegExp(`(?<!\\.)\\b${name}\\b`).test(text);
  };
  const users = sources.filter(({ crate, text }) => !['stats', 'testkit'].includes(crate) && text.includes('derny_stats'));
  let waiting = functions.filter((one) => users.some(({ text }) => names(one, code(text), false)));
  const reached = new Set(waiting);
  while (waiting.length > 0) {
    const { body, uses, module } = waiting.pop();
    const next = functions.filter((one) => !reached.has(one) && new RegExp(`\\b${one.name}\\b`).test(body)
      && names(one, `${uses}\n${body}`, one.module === module));
    next.forEach((one) => reached.add(one));
    waiting.push(...next);
  }
  const attic = functions.filter((one) => one.open && !reached.has(one)).map(({ module, name }) => `${module}::${name}`);
  assert.deepEqual(attic, [], `no product crate reaches these functions of stats: ${attic.join(', ')}. Delete them with their tests and`
    + ' reference values, or move to testkit what a test needs as an oracle');
});

test('where releases are stands in Cargo.toml, and every other place is that one', () => {
  const repository = /^repository = "(https:\/\/[^"]+)"$/m.exec(read('Cargo.toml'))[1];
  const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  let seen = 0;
  for (const file of tracked.filter((name) => name && existsSync(path.join(ROOT, name)) && /\.(?:sh|ya?ml|md|rs|rb|mjs)$/.test(name))) {
    for (const [address] of read(file).matchAll(/https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+(?=\/releases\b)/g)) {
      seen += 1;
      assert.equal(address, repository, file);
    }
  }
  assert.ok(seen >= 3, `${seen} addresses: this test looks for the wrong words`);
  assert.match(read('install.sh'), new RegExp(`^DOWNLOAD=${repository}/releases/download$`, 'm'));
});

test('the version stands in Cargo.toml, and every copy is that one', () => {
  const current = version();
  assert.match(current, /^\d+\.\d+\.\d+/);
  for (const copy of COPIES) assert.deepEqual(found(copy), [current], `${copy[0]}: node scripts/version.mjs ${current}`);
  // Lock files are generated from Cargo.toml, and the change log contains earlier versions.
  const others = ['CHANGELOG.md', 'Cargo.toml'];
  const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const known = new Set([...others, ...COPIES.map(([file]) => file)]);
  const number = new RegExp(`(?<![\\w.])${current.replaceAll('.', '\\.')}(?![\\w])`);
  const told = (line) => number.test(line) && /derny|harness|version|vsn/i.test(line);
  const strangers = tracked.filter((file) => file && !/\.lock$|-lock\.json$/.test(file) && !known.has(file)
    && existsSync(path.join(ROOT, file)) && read(file).split('\n').some(told));
  assert.deepEqual(strangers, [], 'these tell the version too: read it where it stands, or add them to the version.json of the SDK');
});
