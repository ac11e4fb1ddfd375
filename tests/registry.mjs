#!/usr/bin/env node
// registry.mjs FOLDER FILE: serves the files of a release on the loopback address, at the same paths as the
// public servers: files below /releases/download/vVERSION/, and packages by npm's registry protocol. Writes
// its address to FILE.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

const [folder, place] = process.argv.slice(2);
const names = readdirSync(folder);
const file = (name) => readFileSync(path.join(folder, name));
const manifests = new Map(names.filter((name) => name.endsWith('.tgz')).map((name) => {
  const text = execFileSync('tar', ['-xzOf', path.join(folder, name), 'package/package.json'], { encoding: 'utf8' });
  const manifest = JSON.parse(text);
  return [manifest.name, { name, manifest }];
}));

/** Returns npm's description of a package, which has only one version. */
function versions(name, address) {
  const { name: tarball, manifest } = manifests.get(name);
  const integrity = `sha512-${createHash('sha512').update(file(tarball)).digest('base64')}`;
  const dist = { tarball: `${address}/tarballs/${tarball}`, integrity };
  return { name, 'dist-tags': { latest: manifest.version }, versions: { [manifest.version]: { ...manifest, dist } } };
}

const server = createServer((request, response) => {
  const address = `http://127.0.0.1:${server.address().port}`;
  const wanted = decodeURIComponent(request.url.slice(1));
  const [, name] = /^(?:tarballs|releases\/download\/v[\d.]+)\/([^/]+)$/.exec(wanted) ?? [];
  if (manifests.has(wanted)) return response.end(JSON.stringify(versions(wanted, address)));
  if (names.includes(name)) return response.end(file(name));
  response.statusCode = 404;
  return response.end('{}');
});
server.listen(0, '127.0.0.1', () => writeFileSync(place, `http://127.0.0.1:${server.address().port}`));
