// Replaces benchmark/_http-benchmarkers.js for Node's own common.js: provides the port, and the
// load generators that Node supports, in its order of preference. Searches for them only when a
// benchmark calls http().
'use strict';

const path = require('node:path');
const { place } = require('./replacement.cjs');
const { autocannon, choose, h2load, load, nameOf, testDouble, wrk } = require('../src/load.cjs');

// Computed on each access, because a process gets its own port just before its file is loaded.
Object.defineProperty(exports, 'PORT', { enumerable: true, get: () => Number(process.env.PORT) || 12346 });

const DEFAULTS = { path: '/', connections: 100, duration: 5 };

function known() {
  const script = path.join(path.dirname(place.common), '_test-double-benchmarker.js');
  const doubles = ['http', 'https', 'http2'].map((type) => testDouble(script, type));
  return [wrk, autocannon, ...doubles, h2load];
}

/** Returns the default load generator, or undefined if none is installed. */
exports.usual = () => nameOf(known());

/**
 * Sends the load that a benchmark asks for.
 * @param {object} options those of bench.http()
 * @param {string} [wanted] name of the generator
 */
exports.run = async function run(options, wanted) {
  const generator = choose(known(), wanted);
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return load(generator, { port: exports.PORT, ...DEFAULTS, ...given });
};
