'use strict';
// Converts TypeScript to JavaScript by replacing types with spaces, so that lines and columns do
// not change. Equivalent to Node since 22.18, with the same library (vendor/amaro). Installs no
// loader.
const fs = require('node:fs');
const path = require('node:path');

/** The command to use if removing types is not enough. */
const REMEDY = 'Use tsx: `derny run -- npx tsx FILE`';

let amaro;

/**
 * Returns the text of a module without its types.
 * @param {string} source
 * @param {string} file for error messages
 * @throws {SyntaxError} for syntax that cannot be removed (enum, namespace, parameter property) or
 * is invalid
 */
function strip(source, file) {
  amaro ??= require('../vendor/amaro/wasm.js');
  try {
    return amaro.transformSync(source, { mode: 'strip-only', filename: file, sourceMap: false }).code;
  } catch (error) {
    if (typeof error?.message !== 'string') throw error;
    const place = error.startLine ? `${file}:${error.startLine}` : file;
    const remedy = error.code === 'UnsupportedSyntax' ? `: this syntax cannot be removed like a type. ${REMEDY}` : '';
    throw new SyntaxError(`${place}: ${error.message}${remedy}`);
  }
}

/**
 * Returns true if the types of a file are removed here. As in Node, this excludes `.tsx` files and
 * everything in `node_modules`.
 */
function isTypeScript(file) {
  return /\.[cm]?ts$/.test(file) && !file.split(path.sep).includes('node_modules');
}

/**
 * Returns the module system of a file: by its extension, or else by the nearest package.json, or
 * else by its source.
 */
function formatOf(file, stripped) {
  if (file.endsWith('.mts')) return 'module';
  if (file.endsWith('.cts')) return 'commonjs';
  const { type } = nearestPackage(path.dirname(file));
  if (type === 'module' || type === 'commonjs') return type;
  return /^\s*(?:import\b\s*[\w*{'"$]|export\b\s*[\w*{])|\bimport\.meta\b/m.test(stripped) ? 'module' : 'commonjs';
}

function nearestPackage(folder) {
  for (let at = folder; ; at = path.dirname(at)) {
    try {
      return JSON.parse(fs.readFileSync(path.join(at, 'package.json'), 'utf8'));
    } catch (error) {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') return {};
    }
    if (at === path.dirname(at)) return {};
  }
}

module.exports = { REMEDY, formatOf, isTypeScript, strip };
