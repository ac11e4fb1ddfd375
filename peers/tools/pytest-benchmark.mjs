// pytest-benchmark: the same test twice. It has no test of a difference: its gate compares medians with a threshold
// (`--benchmark-compare-fail=median:PERCENT%`), which is asked here both ways at 1 %.

import { cache, call, environment, here } from '../campaign.mjs';
import { existsSync, readFileSync, rmSync } from 'node:fs';
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
