#!/usr/bin/env node
'use strict';
// Command of the npm package: starts the engine that was installed with it with the same arguments, and ends with
// its status.
const { spawn } = require('node:child_process');
const { carriedEngine, enginePackage } = require('../src/engine.cjs');

const engine = process.env.DERNY_BIN || carriedEngine();
if (engine === undefined) {
  const { optionalDependencies = {} } = require('../package.json');
  const [why, remedy] = enginePackage in optionalDependencies
    ? [`${enginePackage} is not installed`, 'install it, without --omit=optional']
    : [`there is no ${enginePackage}`, 'name an engine in DERNY_BIN'];
  process.stderr.write(`derny: the engine is missing: ${why}. Try: ${remedy}.\n`);
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
