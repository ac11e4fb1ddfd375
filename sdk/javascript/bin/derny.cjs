#!/usr/bin/env node
'use strict';
// The command of the npm package. Starts the installed engine with the same arguments and exits with
// its status.
const { spawn } = require('node:child_process');
const { carriedEngine, enginePackage } = require('../src/engine.cjs');

const engine = process.env.DERNY_BIN || carriedEngine();
if (engine === undefined) {
  const { optionalDependencies = {} } = require('../package.json');
  const [why, remedy] = enginePackage in optionalDependencies
    ? [`${enginePackage} is not installed`, 'install it, without --omit=optional']
    : [`there is no package ${enginePackage}`, 'set DERNY_BIN to the path of an engine'];
  process.stderr.write(`derny: the engine is missing: ${why}. Try: ${remedy}.\n`);
  process.exit(2);
}
const child = spawn(engine, process.argv.slice(2), { stdio: 'inherit' });
// Forwards signals, and keeps this process alive until the engine has ended, so that the engine can
// still print its results.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  process.stderr.write(`derny: cannot start ${engine}: ${error.message}\n`);
  process.exit(2);
});
child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code)));
