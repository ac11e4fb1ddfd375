// Checks that Derny lists the benchmarks that go test prints.
//
//     node names.mjs ENGINE FOLDER[:PACKAGES]...
//
// FOLDER is a module. PACKAGES are arguments of go test, separated by commas (default: ./...).
// GO_TAGS contains build tags for both programs. Prints one line per module, then each difference.
// Results are in docs/notes/013-suites-as-they-are.md.

import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

const [engine, ...modules] = process.argv.slice(2);
if (!modules.length) {
  console.error('usage: node names.mjs ENGINE FOLDER[:PACKAGES]...');
  process.exit(2);
}
const tags = process.env.GO_TAGS ? ['-tags', process.env.GO_TAGS] : [];

function call(program, args, folder) {
  const start = Date.now();
  const done = spawnSync(program, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 30 });
  if (done.error) throw done.error;
  return { ...done, seconds: (Date.now() - start) / 1e3 };
}

// Returns a name with sorted parts, because Derny moves parameters to the end and go test does
// not.
const unordered = (pkg, parts) => `${pkg} ${parts[0]}/${parts.slice(1).sort().join('/')}`.replace(/\/$/, '');

// Returns the benchmarks that go test runs, those that fail, and the time in seconds. If GOMAXPROCS
// is not 1, go test appends its value to each name.
function ofGo(folder, packages) {
  const { stdout, seconds } =
    call('go', ['test', ...tags, '-json', '-run', '^$', '-bench', '.', '-benchtime', '1x', '-timeout', '60s', ...packages], folder);
  const printed = new Set();
  const failed = new Map();
  for (const line of stdout.split('\n').filter((line) => line.startsWith('{'))) {
    const { Action, Package, Test, Output } = JSON.parse(line);
    if (Action === 'fail' || Action === 'build-fail') failed.set(Test ? unordered(Package, Test.split('/')) : Package, true);
    // Output of a benchmark may appear between its name and its result.
    if (Action === 'output' && Test?.startsWith('Benchmark') && /\d+\t\s*[\d.e+-]+ \S+\/?\S*/.test(Output)) {
      printed.add(unordered(Package, Test.split('/')));
    }
  }
  return { printed, failed, seconds };
}

function ofDerny(folder, packages) {
  const words = tags.length ? ['--build-args', tags.join(' ')] : [];
  const { stdout, stderr, seconds } = call(engine, ['list', '-f', 'json', '--refresh', '--timeout', '60s', ...words, ...packages], folder);
  const listed = new Map();
  const twice = [];
  for (const { id, module, skip } of stdout ? JSON.parse(stdout) : []) {
    const name = unordered(module, [...id.benchmark.split('/'), ...id.params.map(([name, value]) => `${name}=${value}`)]);
    if (listed.has(name)) twice.push(name);
    listed.set(name, skip);
  }
  return { listed, twice, said: stderr.trim(), seconds };
}

let different = 0;
for (const word of modules) {
  const [path, list] = word.split(':');
  const folder = realpathSync(resolve(path));
  const packages = list ? list.split(',') : ['./...'];
  const go = ofGo(folder, packages);
  const derny = ofDerny(folder, packages);
  const skipped = [...derny.listed].filter(([, skip]) => skip).length;
  const missing = [...go.printed].filter((name) => !derny.listed.has(name));
  const more = [...derny.listed.keys()].filter((name) => !go.printed.has(name) && !derny.listed.get(name));
  different += missing.length + more.length + derny.twice.length;
  console.log(`${path} | go test ${go.printed.size} in ${go.seconds.toFixed(1)} s | derny ${derny.listed.size - skipped}, ` +
    `${skipped} skipped, in ${derny.seconds.toFixed(1)} s | only go ${missing.length} | only derny ${more.length}`);
  missing.forEach((name) => console.log(`  only go test: ${name}`));
  more.forEach((name) => console.log(`  only derny: ${name}${go.failed.has(name) ? ' (it fails under go test)' : ''}`));
  derny.twice.forEach((name) => console.log(`  twice: ${name}`));
  [...go.failed.keys()].forEach((name) => console.log(`  failed under go test: ${name}`));
  if (derny.said) console.log(derny.said.replace(/^/gm, '  derny: '));
}
process.exit(different ? 1 : 0);
