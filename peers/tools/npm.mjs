// Packages of npm, in a folder of their own.

import { call } from '../campaign.mjs';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs packages of these versions, where they are not there yet. */
export function npm(folder, packages) {
  if (Object.keys(packages).every((name) => existsSync(join(folder, 'node_modules', name, 'package.json')))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  call('npm', ['install', '--silent', '--no-audit', '--no-fund', ...Object.entries(packages).map(([name, version]) => `${name}@${version}`)], { cwd: folder });
}
