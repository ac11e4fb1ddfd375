// divan: the medians of its table. It compares nothing, so it has no verdicts.

import { cache, call } from '../campaign.mjs';
import { RUST, each, inOrder } from '../copies.mjs';
import { cargo } from './cargo.mjs';

export const tool = 'divan';
export const kernel = 'mix, Rust';

const VERSION = '0.1.21';
const UNITS = { ps: 1e-3, ns: 1, µs: 1e3, ms: 1e6 };

export function install() {
  return VERSION;
}

export function copies(count) {
  const calls = each(count, (at) => `#[divan::bench]\nfn c${at}() -> u32 { steps(divan::black_box(2463534242)) }`);
  const program = cargo('copies-divan', `divan = { version = "=${VERSION}", default-features = false }`, `${RUST}${calls}\nfn main() { divan::main(); }\n`);
  return () => {
    const text = call(program, ['--bench', '--color', 'never'], { cwd: cache });
    // Columns: name, fastest, │ slowest, │ median, …
    const found = [...text.matchAll(/(c\d+) +[\d.]+ \S+ +│ +[\d.]+ \S+ +│ +([\d.]+) (\S+)/g)];
    return inOrder(count, found.map(([, name, value, unit]) => [name, value * UNITS[unit]]));
  };
}
