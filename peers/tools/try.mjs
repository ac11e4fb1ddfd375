// `derny try` on the same commands as hyperfine.

import { cache, call } from '../campaign.mjs';
import { build, line } from './command.mjs';
import * as derny from './derny.mjs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const tool = 'Derny';
export const kernel = 'mix, command';
export const seconds = 30;

const result = join(cache, 'try.json');
const common = ['--no-config', '--store', join(cache, 'try-store'), '-qq'];

export function install() {
  build();
  return derny.install([]);
}

const compared = (words, commands) => {
  const names = commands.flatMap((_, at) => ['-n', `c${at}`]);
  call(derny.program, [...common, 'try', '-N', '--export-json', result, ...words, ...names, ...commands], { cwd: cache, stdio: ['ignore', 'pipe', 'pipe'] });
};

export function run({ percent, seconds: bound, seed }) {
  const start = performance.now();
  compared(['--seed', String(seed), '--budget', `${bound}s`], [line(0), line(percent)]);
  const command_s = (performance.now() - start) / 1e3;
  return { ...derny.conclusion(JSON.parse(call(derny.program, [...common, 'compare', '--format', 'json'], { cwd: cache })).comparison), command_s };
}

export const copies = (count) => () => {
  compared([], Array.from({ length: count }, () => line(0)));
  return JSON.parse(readFileSync(result, 'utf8')).results.map(({ mean }) => mean * 1e9);
};
