'use strict';
// Location of the engine: DERNY_BIN, else the one in this package, else the PATH.
const fs = require('node:fs');
const path = require('node:path');

/** The engine in this package; undefined if it contains the SDK only. */
function carriedEngine() {
  const file = path.join(__dirname, '..', 'engine', 'derny');
  return fs.existsSync(file) ? file : undefined;
}

/** The program to start as the engine. */
const engineProgram = () => process.env.DERNY_BIN || carriedEngine() || 'derny';

module.exports = { carriedEngine, engineProgram };
