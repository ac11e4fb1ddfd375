'use strict';
// Where the engine is: named in DERNY_BIN, else carried by this package, else on the PATH.
const fs = require('node:fs');
const path = require('node:path');

/** The engine that this package carries; undefined where it is the SDK alone. */
function carriedEngine() {
  const file = path.join(__dirname, '..', 'engine', 'derny');
  return fs.existsSync(file) ? file : undefined;
}

/** The program to start as the engine. */
const engineProgram = () => process.env.DERNY_BIN || carriedEngine() || 'derny';

module.exports = { carriedEngine, engineProgram };
