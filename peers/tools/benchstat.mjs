// benchstat on `go test -count=10` of the old version, then of the new one.

import { cache, call, environment, here } from '../campaign.mjs';
import { goFile, inOrder } from '../copies.mjs';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const tool = 'benchstat';
export const kernel = 'mix, Go';

const folder = join(cache, 'go');
const program = join(folder, 'benchstat');
const test = join(folder, 'kernels.test');

const VERSION = 'v0.0.0-20260908200009-22c9c6c9d4da';

export function install() {
  if (!existsSync(program)) {
    call('go', ['install', `golang.org/x/perf/cmd/benchstat@${VERSION}`], { env: { ...process.env, GOBIN: folder } });
  }
  call('go', ['test', '-c', '-o', test, '.'], { cwd: join(here, 'kernels/go') });
  return VERSION;
}

export function run({ percent, seconds }) {
  // Go predicts the iterations after some shorter tries, and takes about 1.4 times the requested time.
  const time = `${Math.round(seconds * 1e3 / 20 / 1.4)}ms`;
  const files = [0, percent].map((extra, i) => {
    const file = join(folder, `${i}.txt`);
    writeFileSync(file, call(test, ['-test.run=^$', '-test.bench=Mix', '-test.count=10', `-test.benchtime=${time}`],
      { env: environment(extra) }));
    return file;
  });
  const table = call(program, ['-format', 'csv', ...files]).split('\n').find((line) => line.startsWith('Mix'));
  // Columns: name, old, its range, new, its range, change or ~, p.
  const [, old, , fresh, , change] = table.split(',');
  const verdict = change === '~' ? 'unclear' : change.startsWith('-') ? 'faster' : 'slower';
  return { verdict, effect: Number(fresh) / Number(old) - 1 };
}

/** Runs each copy once and reads the lines of `go test -bench`. */
export function copies(count) {
  const place = join(cache, 'go-copies');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'go.mod'), 'module copies\n\ngo 1.21\n');
  writeFileSync(join(place, 'copies_test.go'), goFile(count));
  call('go', ['test', '-c', '-o', 'copies.test', '.'], { cwd: place });
  return () => inOrder(count, [...call('./copies.test', ['-test.run=^$', '-test.bench=.', '-test.cpu=1'], { cwd: place })
    .matchAll(/^Benchmark(C\d+)\s+\d+\s+([\d.]+) ns\/op/gm)].map(([, name, ns]) => [name, ns]));
}
