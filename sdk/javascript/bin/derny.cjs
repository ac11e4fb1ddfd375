#!/usr/bin/env node
'use strict';
// The command of the npm package that carries an engine: starts it with the same words, and ends as it ends.
const { spawn } = require('node:child_process');
const { carriedEngine } = require('../src/engine.cjs');

const engine = carriedEngine();
if (engine === undefined) {
  process.stderr.write('derny: this package carries no engine. Put the `derny` binary on your PATH.\n');
  process.exit(2);
}
const child = spawn(engine, process.argv.slice(2), { stdio: 'inherit' });
// The terminal tells both; the engine ends in its own time, with what it has measured.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  process.stderr.write(`derny: ${engine} does not start: ${error.message}\n`);
  process.exit(2);
});
child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code)));
