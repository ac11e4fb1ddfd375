// Builds programs in Rust from generated text, each as a separate package in the cache.

import { cache, call } from '../campaign.mjs';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Builds a program with these dependencies. Returns its path. */
export function cargo(name, dependencies, text) {
  const folder = join(cache, name);
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'Cargo.toml'), `[package]\nname = "${name}"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[dependencies]\n${dependencies}\n`);
  writeFileSync(join(folder, 'src/main.rs'), text);
  call('cargo', ['build', '--release', '--quiet'], { cwd: folder, env: { ...process.env, CARGO_TARGET_DIR: join(cache, 'target') } });
  return join(cache, 'target/release', name);
}
