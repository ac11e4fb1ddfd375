// Tests the layer through the pipes, on a small tree with every form of benchmark file in Node's own tree.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { converse, failureOf, openLine, parseCases } from '../corpus/pipe.mjs';
import { configurationText } from '../corpus/tree.mjs';
import { generators } from '../../test/generators.cjs';

const ROOT = fileURLToPath(new URL('./tree', import.meta.url));

const say = (name, commands, how) => converse(ROOT, `shapes/${name}.js`, commands, how);

async function listed(name, command = 'list', how) {
  const { replies } = await say(name, [command], how);
  assert.equal(failureOf(replies), undefined);
  assert.equal(replies.at(-1), 'end');
  return parseCases(replies);
}

const configurations = async (...request) => (await listed(...request)).map(({ params }) => configurationText(params));

/** Returns a `measure` command for one turn. */
const turn = ({ iterations = 1, batches = 1, within = 5e9 } = {}) => `measure iterations=${iterations} batches=${batches} within=${within}`;

/** Opens `shapes/NAME.js` with the parameters and sends the remaining commands. */
function opened(name, params, commands, how) {
  const fields = Object.entries(params).map(([key, value]) => ` p.${key}=${encodeURIComponent(value)}`).join('');
  return say(name, [`open benchmark=shapes/${name}.js${fields}`, ...commands], how);
}

/** Returns the numbers of each `times` or `ops` line, one list per line. */
const numbers = (replies, verb) => replies.filter((line) => line.startsWith(`${verb} `)).map((line) => line.split(' ').slice(1).map(Number));

test('keys are in reverse order, and the first declared key varies slowest', async () => {
  const found = await configurations('parameters');
  assert.equal(found.length, 8);
  assert.deepEqual(found.slice(0, 3), [
    'dur=5 size=16 strict=true n=1000 method=for',
    'dur=5 size=16 strict=false n=1000 method=for',
    'dur=5 size=16 strict=true n=2000 method=for',
  ]);
  assert.equal(found[7], 'dur=5 size=16 strict=false n=2000 method=of');
});

test('given values replace declared ones and get their types; unknown keys are passed on', async () => {
  const cases = await listed('parameters', 'list p.n=1e2,7 p.strict=true,yes p.method=while p.benchmarker=wrk');
  assert.deepEqual(cases.map(({ params }) => configurationText(params)), [
    'dur=5 size=16 strict=true n=100 method=while',
    'dur=5 size=16 strict=false n=100 method=while',
    'dur=5 size=16 strict=true n=7 method=while',
    'dur=5 size=16 strict=false n=7 method=while',
  ]);
  assert.deepEqual(cases[0].env, ['DERNY_NODE_CORE_EXTRA=[["benchmarker","wrk"]]']);
});

test('test mode uses first values, numbers of at most 1, durations of 0.05, and the values in options.test', async () => {
  assert.deepEqual(await configurations('parameters', 'list mode=test'), ['dur=0.05 size=1 strict=true n=1 method=for']);
  assert.deepEqual(await configurations('test-options', 'list mode=test'), [
    'len=2 part=0.5 duration=0.05 n=1 kind=second',
    'len=3 part=0.5 duration=0.05 n=1 kind=second',
  ]);
  assert.deepEqual((await listed('parameters', 'list mode=test'))[0].env, ['NODEJS_BENCHMARK_ZERO_ALLOWED=1']);
});

test('groups have their own parameters, also in test mode; NODE_RUN_BENCHMARK_GROUPS selects groups', async () => {
  assert.deepEqual(await configurations('groups'), [
    'group=few duration=5 len=1 n=10',
    'group=few duration=5 len=5 n=10',
    'group=many duration=7 len=100 n=600',
  ]);
  assert.deepEqual(await configurations('groups', 'list mode=test'), [
    'group=few duration=0.05 len=1 n=1',
    'group=many duration=0.05 len=1 n=1',
  ]);
  const only = { env: ['NODE_RUN_BENCHMARK_GROUPS=many'] };
  assert.deepEqual(await configurations('groups', 'list', only), ['group=many duration=7 len=100 n=600']);
  const { replies } = await say('groups', ['list'], { env: ['NODE_RUN_BENCHMARK_GROUPS=lots'] });
  assert.match(failureOf(replies), /no group "lots".*few, many/);
  const { replies: measured } = await opened('groups', { group: 'many', n: 3 }, [turn()]);
  assert.deepEqual(numbers(measured, 'ops'), [[3]]);
});

test('the combination filter receives a copy and must return a boolean', async () => {
  assert.deepEqual(await configurations('filter'), ['n=1 a=x', 'n=1 a=y', 'n=2 a=y']);
  assert.match(failureOf((await say('filter-not-boolean', ['list'])).replies), /TypeError.*true or false/);
  assert.match(failureOf((await say('mixed-types', ['list'])).replies), /TypeError.*mixed types/);
  assert.match(failureOf((await opened('filter', { n: 2, a: 'x' }, [turn()])).replies), /combinationFilter rejects this combination/);
});

test('a filter that rejects everything leaves no cases and no error', async () => {
  assert.deepEqual(await configurations('none-by-default'), []);
  assert.deepEqual(await configurations('none-by-default', 'list mode=test'), ['n=1']);
});

test('flags are listed with the case, NODE_BENCHMARK_FLAGS first, and the file sees no others', async () => {
  const [described] = await listed('flags', 'list', { env: ['NODE_BENCHMARK_FLAGS=--stack-size=900 --no-opt'] });
  assert.deepEqual(described.args, ['--stack-size=900', '--no-opt', '--expose-gc', '--no-warnings']);
  const [plain] = await listed('flags');
  const { replies } = await say('flags', [openLine(plain), turn()], { args: plain.args });
  assert.equal(failureOf(replies), undefined);
  assert.deepEqual(numbers(replies, 'ops'), [[1]]);
});

test('a file under the permission model can still be measured', { skip: process.versions.node.startsWith('18.') }, async () => {
  const [described] = await listed('permission');
  const { replies, output } = await say('permission', [openLine(described), turn()], { args: described.args });
  assert.equal(failureOf(replies), undefined, output);
  assert.deepEqual(numbers(replies, 'ops'), [[1]], output);
});

test('flags that name the temporary directory are valid in the measuring process', async () => {
  const [described] = await listed('flags-in-tmpdir');
  const { replies } = await say('flags-in-tmpdir', [openLine(described), turn()], described);
  assert.equal(failureOf(replies), undefined);
  assert.deepEqual(numbers(replies, 'ops'), [[1]]);
});

test('temporary directories of killed processes are removed, but not those of running ones', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'derny-layer-'));
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  for (const pid of [gone, process.pid]) fs.mkdirSync(path.join(folder, `.tmp.derny${pid}`));
  fs.writeFileSync(path.join(folder, `.tmp.derny${gone}`, 'left'), '');
  await opened('scaled', { n: 5, step: 1 }, [turn()], { env: [`NODE_TEST_DIR=${folder}`] });
  assert.deepEqual(fs.readdirSync(folder), [`.tmp.derny${process.pid}`]);
  fs.rmSync(folder, { recursive: true });
});

test('a benchmark may handle rejections itself', async () => {
  const { replies } = await opened('rejections', { n: 1 }, [turn({ batches: 2 })]);
  assert.equal(failureOf(replies), undefined);
  assert.deepEqual(numbers(replies, 'ops'), [[1, 1]]);
});

/**
 * Runs `act`. Returns what the calls of `setup` in setup.js wrote to the log, and the files left beside it.
 */
async function settingUp(act) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'derny-setup-'));
  const log = path.join(folder, 'log');
  try {
    const result = await act([`SETUP_LOG=${log}`, `NODE_TEST_DIR=${folder}`], folder);
    const calls = fs.existsSync(log) ? fs.readFileSync(log, 'utf8').trim().split('\n') : [];
    return { result, calls, left: fs.readdirSync(folder).filter((name) => name !== 'log') };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

test('setup is called with all configurations for a global set-up, but not for a listing', async () => {
  const listing = await settingUp((env) => listed('setup', 'list', { env }));
  assert.deepEqual(listing.calls, []);
  assert.deepEqual(listing.result.map(({ fields }) => fields.get('prepared')), ['1', '1']);
  const preparing = await settingUp((env) => listed('setup', 'list p.kind=a,b,c prepare=1', { env }));
  assert.deepEqual([preparing.calls, preparing.left], [['setup 3'], []]);
  assert.equal(preparing.result.length, 3);
  assert.equal((await listed('scaled'))[0].fields.get('prepared'), undefined);
});

test('a measuring process uses the result of the global set-up and does not remove it', async () => {
  const measuring = await settingUp(async (env, folder) => {
    const theirs = path.join(folder, `.tmp.derny${process.pid}`);
    fs.mkdirSync(theirs);
    fs.writeFileSync(path.join(theirs, 'queue'), 'a,b');
    return opened('setup', { kind: 'b', n: 1 }, [turn({ batches: 2 })], { env: [...env, `DERNY_PREPARER=${process.pid}`] });
  });
  assert.deepEqual(numbers(measuring.result.replies, 'ops'), [[1, 1]]);
  assert.deepEqual([measuring.calls, measuring.left], [[], [`.tmp.derny${process.pid}`]]);
});

test('without a global set-up, setup is called with the opened configuration', async () => {
  const alone = await settingUp((env) => opened('setup', { kind: 'b', n: 1 }, [turn({ batches: 2 })], { env }));
  assert.deepEqual(numbers(alone.result.replies, 'ops'), [[1, 1]]);
  assert.deepEqual([alone.calls, alone.left], [['setup 1'], []]);
});

test('a run calls setup once for all processes of a file', async () => {
  const run = await settingUp((env, folder) => {
    const [cwd, flags] = [path.join(folder, 'checkout'), ['--set', 'processes=2', '--set', 'rounds=2', '--set', 'warmup=0', '-f', 'json']];
    fs.cpSync(ROOT, cwd, { recursive: true });
    const variables = Object.fromEntries(env.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
    return spawnSync(process.env.DERNY_BIN ?? 'derny', ['run', 'benchmark/shapes/setup.js', ...flags], { cwd, encoding: 'utf8', env: { ...process.env, ...variables } });
  });
  assert.equal(run.result.status, 0, run.result.stderr);
  const [suite] = JSON.parse(run.result.stdout).suites;
  assert.equal(suite.cases.length, 2);
  assert.deepEqual([run.calls, run.left], [['setup 2'], ['checkout']]);
});

test('arguments, environment, require.main and data of the checkout are as in a Node worker', async () => {
  const how = { env: ['DERNY_NODE_CORE_EXTRA=[["benchmarker","wrk"]]'] };
  const { replies, output } = await opened('surroundings', { n: 1, text: 'p=q r' }, [turn()], how);
  assert.equal(failureOf(replies), undefined);
  assert.match(output, /^n=1\|text=p=q r\|benchmarker=wrk$/m);
});

test('a text parameter is a slice of its argument, as in a Node worker', async () => {
  const text = 'thirteen characters or more';
  const { replies, output } = await opened('text', { n: 1, text }, [turn()]);
  assert.equal(failureOf(replies), undefined, output);
  assert.match(output, /^slice of text=thirteen characters or more$/m);
});

test('iterations above 1 set n; 1 keeps the configured n; operations may be fractional', async () => {
  const [described] = await listed('scaled');
  assert.equal(described.fields.get('scale'), 'n');
  const { replies } = await opened('scaled', { step: 0.25, n: 5 }, [turn(), turn({ iterations: 64, batches: 3 }), turn()]);
  assert.deepEqual(numbers(replies, 'ops'), [[1.25], [16, 16, 16], [1.25]]);
});

test('the overhead is that of start() and end(), without calling main', async () => {
  // main throws if it is called while its last call is still busy. The overhead is measured between two
  // calls.
  const { replies } = await opened('waits', { n: 3 }, [turn(), 'overhead iterations=70 batches=2', turn()]);
  assert.equal(failureOf(replies), undefined);
  assert.deepEqual(numbers(replies, 'ops'), [[3], [70, 70], [3]]);
  const [first, empty] = numbers(replies, 'times');
  assert.ok(first[0] > 10e6 && empty.every((time) => time < 10e6), `${first} ${empty}`);
});

test('without a numeric n, only the configured case runs, and a turn ends after the batch that exceeds its time', async () => {
  const [described] = await listed('unscaled');
  assert.equal(described.fields.get('scale'), undefined);
  assert.equal(described.fields.get('max_iterations'), '1');
  const { replies } = await opened('unscaled', { len: 5 }, [turn({ iterations: 8 }), turn({ batches: 4096, within: 2000000 }), turn({ batches: 2 })]);
  assert.match(failureOf(replies), /no numeric parameter n/);
  const [bounded, exact] = numbers(replies, 'times');
  assert.ok(bounded.length < 4096, `${bounded.length} batches`);
  assert.ok(bounded.slice(0, -1).reduce((sum, time) => sum + time, 0) < 2e6);
  assert.equal(exact.length, 2);
  assert.deepEqual(numbers(replies, 'ops')[1], [0.375, 0.375]);
});

test('asynchronous bodies: code after end() has finished before the next batch begins', async () => {
  const { replies } = await opened('waits', { n: 3 }, [turn({ batches: 3 }), turn({ batches: 2 })]);
  assert.equal(failureOf(replies), undefined);
  for (const time of numbers(replies, 'times').flat()) assert.ok(time > 18e6, `${time} ns`);
  const { replies: cleaned } = await opened('cleans-up', { n: 3 }, [turn({ batches: 3 }), 'check']);
  assert.equal(failureOf(cleaned), undefined);
  assert.deepEqual(numbers(cleaned, 'ops'), [[3, 3, 3]]);
  assert.ok(cleaned.includes('checked'));
});

test('the result of a body that exits after end() is sent first', async () => {
  const { replies, code } = await opened('exits-after-end', { n: 7 }, [turn({ batches: 5 })]);
  assert.deepEqual(numbers(replies, 'ops'), [[7]]);
  assert.match(replies.at(-1), /^end /);
  assert.equal(code, 0);
  const checked = await opened('exits-after-end', { n: 7 }, ['check']);
  assert.equal(checked.replies.at(-1), 'checked');
});

test('end() from an exit listener counts', async () => {
  const { replies, code } = await opened('ends-at-exit', { n: 9 }, [turn()]);
  assert.deepEqual(numbers(replies, 'ops'), [[9]]);
  assert.equal(code, 0);
});

test('a body without end() is an error if it exits or leaves the event loop empty', async () => {
  const left = await opened('exits-before-end', { n: 7 }, [turn()]);
  assert.match(failureOf(left.replies), /exits-before-end\.js: the process ended with code 4 before bench\.end\(\)/);
  assert.equal(left.code, 4);
  const idle = await opened('never-ends', { n: 1 }, ['check']);
  assert.match(failureOf(idle.replies), /nothing left to do before bench\.end\(\)/);
});

for (const [how, expected] of [
  ['end first', /without start/], ['start twice', /start\(\) was called more than once/], ['end twice', /end\(\) was called more than once/],
  ['no count', /needs the number/], ['text', /needs the number/], ['zero', /operations, not 0/],
]) {
  test(`misuse: ${how}`, async () => {
    assert.match(failureOf((await opened('misuse', { how, n: 1 }, ['check'])).replies) ?? 'no error', expected);
  });
}

test('zero operations are allowed if the environment variable is set', async () => {
  const how = { env: ['NODEJS_BENCHMARK_ZERO_ALLOWED=1'] };
  const { replies } = await opened('scaled', { n: 0, step: 0.25 }, [turn()], how);
  assert.deepEqual(numbers(replies, 'ops'), [[0]]);
});

test('an exception of a body is the reply, and the session continues', async () => {
  for (const [how, expected] of [['at once', /RangeError: thrown at once/], ['later', /RangeError: thrown later/], ['rejects', /RangeError: rejected/]]) {
    const { replies, code } = await opened('throws', { how, n: 1 }, [turn(), 'close']);
    assert.match(failureOf(replies) ?? 'no error', expected);
    assert.equal(replies.at(-1), 'closed');
    assert.equal(code, 0);
  }
});

test('http() uses the requested load generator and counts requests as operations', async () => {
  const [first] = await listed('http', 'list p.benchmarker=test-double-http');
  assert.equal(first.fields.get('unit'), 'request');
  assert.match(first.fields.get('metrics'), /^latency_p50:ms\/request:level:less,/);
  const tools = generators();
  const env = [`PATH=${tools.folder}:${path.dirname(process.execPath)}`];
  const params = { duration: 0.2, c: 2, type: 'bytes' };
  // Like Node, use the first generator that is installed.
  const { replies } = await opened('http', params, [turn(), turn(), 'check'], { env });
  assert.deepEqual(numbers(replies, 'times'), [[5e8], [5e8]]);
  assert.deepEqual(numbers(replies, 'ops'), [[2000], [2000]]);
  assert.match(replies.find((line) => line.startsWith('end ')), / 1\.25 2\.5 9 12 7$/);
  assert.equal(replies.at(-1), 'checked');
  const [name, ...args] = tools.calls()[0];
  assert.equal(name, 'wrk');
  assert.deepEqual([args[args.indexOf('-d') + 1], args[args.indexOf('-c') + 1]], ['1', '2']);
  // The undeclared key of Node's command line selects the checkout's test double, which runs with the `node`
  // on the PATH.
  const double = { env: [...env, 'DERNY_NODE_CORE_EXTRA=[["benchmarker","test-double-http"]]'] };
  const answered = (await opened('http', params, [turn()], double)).replies;
  assert.deepEqual([numbers(answered, 'times'), numbers(answered, 'ops')], [[[2e8]], [[8]]]);
  assert.equal(tools.calls().length, 3);
});

test('the load generator is a parameter of the case, as Node prints it', async () => {
  const tools = generators();
  const env = [`PATH=${tools.folder}:${path.dirname(process.execPath)}`];
  const names = async (command) => (await listed('http', command, { env })).map(({ params }) => configurationText(params));
  // run.js prints the same in its CSV: "duration=5 c=2 type='bytes' benchmarker='wrk'".
  assert.deepEqual(await names('list p.c=2'), ['duration=5 c=2 type=bytes benchmarker=wrk']);
  assert.deepEqual(await names('list p.c=2 p.benchmarker=autocannon,wrk'), ['autocannon', 'wrk'].map((name) => `duration=5 c=2 type=bytes benchmarker=${name}`));
  const [first] = await listed('http', 'list p.c=2 p.duration=1 p.benchmarker=autocannon', { env });
  assert.deepEqual(first.env, []);
  const { replies } = await say('http', [openLine(first), turn(), 'close'], { env });
  assert.deepEqual([failureOf(replies), tools.calls().map(([name]) => name)], [undefined, ['autocannon']]);
  assert.deepEqual(await names('list p.c=2 p.benchmarker=nobody'), ['duration=5 c=2 type=bytes benchmarker=nobody']);
});

test('a load generator that the file names is used in its cases', async () => {
  const env = [`PATH=${generators().folder}:${path.dirname(process.execPath)}`];
  const [own] = await listed('http-own', 'list', { env });
  assert.equal(configurationText(own.params), 'c=1 benchmarker=autocannon');
  assert.equal(failureOf((await say('http-own', [openLine(own), turn()], { env })).replies), undefined);
  // Any other generator would be recorded under the wrong name.
  const { replies } = await say('http-own', ['open benchmark=shapes/http-own.js p.c=1 p.benchmarker=wrk', turn()], { env });
  assert.match(failureOf(replies), /uses the load generator "autocannon", but the case is one of "wrk": add -p benchmarker=autocannon/);
});

test('overhead is refused for a load generator, and the case stays open', async () => {
  const [first] = await listed('http', 'list p.benchmarker=test-double-http');
  const { replies } = await say('http', [openLine(first), 'overhead iterations=10 batches=2', 'close'], { env: first.env });
  assert.match(failureOf(replies), /not available for a load generator/);
  assert.equal(replies.at(-1), 'closed');
});

test('http() says which load generator is missing', async () => {
  const how = { env: ['DERNY_NODE_CORE_EXTRA=[["benchmarker","autocannon"]]', 'PATH=/nowhere'] };
  const { replies } = await opened('http', { duration: 5, c: 2, type: 'bytes' }, [turn()], how);
  assert.match(failureOf(replies), /shapes\/http\.js duration=5 c=2 type=bytes: bench\.http\(\): the load generator "autocannon" needs `autocannon`/);
});

test('a file that exits while it is loaded has no cases; a file that throws is an error', async () => {
  assert.deepEqual(await configurations('exits-at-load'), []);
  assert.match(failureOf((await say('fails-at-load', ['list'])).replies), /not in this build/);
});

test('a benchmark that is created later is waited for', async () => {
  assert.deepEqual(await configurations('created-later'), ['n=2']);
});

test('a file that forks its own measuring process is listed and measured through sendResult()', async () => {
  const cases = await listed('forked');
  assert.deepEqual(cases.map(({ benchmark, params }) => `${benchmark} ${configurationText(params)}`), [
    'shapes/_forked-child.js n=5 kind=send',
    'shapes/_forked-child.js n=50 kind=send',
  ]);
  assert.equal(cases[0].fields.get('again'), undefined);
  const { replies } = await say('forked', [openLine(cases[1]), turn(), turn()]);
  assert.deepEqual(numbers(replies, 'times'), [[5e8]]);
  assert.deepEqual(numbers(replies, 'ops'), [[50]]);
  assert.match(failureOf(replies), /measures only once/);
});

test('processes that a body forks do not load the hook', async () => {
  const { replies } = await opened('forks-in-main', { n: 1 }, [turn()]);
  assert.equal(failureOf(replies), undefined);
  assert.deepEqual(numbers(replies, 'ops'), [[1]]);
});
