// pytest-benchmark: the same test twice. It has no significance test. Its gate compares medians with a
// threshold (`--benchmark-compare-fail=median:PERCENT%`), which is applied here in both directions with 1 %.

import { cache, call, environment, here } from '../campaign.mjs';
import { each, inOrder, python as body } from '../copies.mjs';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const tool = 'pytest-benchmark';
export const kernel = 'mix, Python';

const folder = join(cache, 'pytest');
const python = join(folder, 'bin/python');
const test = join(here, 'kernels/python/kernel_test.py');
const THRESHOLD = 0.01;

export function install() {
  if (!existsSync(python)) {
    call('python3', ['-m', 'venv', folder]);
    call(python, ['-m', 'pip', 'install', '--quiet', 'pytest', 'pytest-benchmark']);
  }
  return call(python, ['-c', 'import pytest_benchmark; print(pytest_benchmark.__version__)']).trim();
}

export function run({ percent, seconds }) {
  const [old, fresh] = [0, percent].map((extra, i) => {
    const file = join(cache, `pytest-${i}.json`);
    rmSync(file, { force: true });
    call(python, ['-m', 'pytest', '-q', '--rootdir', cache, '-p', 'no:cacheprovider', '--benchmark-only',
      `--benchmark-max-time=${seconds / 2}`, `--benchmark-json=${file}`, test], { env: environment(extra), cwd: cache });
    return JSON.parse(readFileSync(file, 'utf8')).benchmarks[0].stats.median;
  });
  const effect = fresh / old - 1;
  const verdict = effect > THRESHOLD ? 'slower' : old / fresh - 1 > THRESHOLD ? 'faster' : 'unclear';
  return { verdict, effect, processes: 2 };
}

export const copies = (count) => () => {
  const [file, output] = [join(folder, 'copies_test.py'), join(cache, 'pytest-copies.json')];
  writeFileSync(file, each(count, (at) => `${body(`c${at}`)}\n\ndef test_c${at}(benchmark):\n    benchmark(c${at})\n\n`));
  rmSync(output, { force: true });
  call(python, ['-m', 'pytest', '-q', '--rootdir', cache, '-p', 'no:cacheprovider', '--benchmark-only', `--benchmark-json=${output}`, file], { cwd: cache });
  return inOrder(count, JSON.parse(readFileSync(output, 'utf8')).benchmarks.map(({ name, stats }) => [name, stats.median * 1e9]));
};
