// Installs npm packages in a separate folder.

import { call } from '../campaign.mjs';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs these versions of packages, unless they exist. */
export function npm(folder, packages) {
  if (Object.keys(packages).every((name) => existsSync(join(folder, 'node_modules', name, 'package.json')))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  call('npm', ['install', '--silent', '--no-audit', '--no-fund', ...Object.entries(packages).map(([name, version]) => `${name}@${version}`)], { cwd: folder });
}
