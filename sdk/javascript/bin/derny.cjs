#!/usr/bin/env node
'use strict';
// Command of the npm package that contains an engine: starts it with the same arguments, and ends with its
// status.
const { spawn } = require('node:child_process');
const { carriedEngine } = require('../src/engine.cjs');

const engine = carriedEngine();
if (engine === undefined) {
  process.stderr.write('derny: this package carries no engine. Put the `derny` binary on your PATH.\n');
  process.exit(2);
}
const child = spawn(engine, process.argv.slice(2), { stdio: 'inherit' });
// The terminal signals both; the engine ends in its own time, with its results.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  process.stderr.write(`derny: ${engine} does not start: ${error.message}\n`);
  process.exit(2);
});
child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code)));
