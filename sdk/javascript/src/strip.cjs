'use strict';
// TypeScript to JavaScript by blanking types out: every line and column keeps its place. Like Node since
// 22.18, with the same library (vendor/amaro). Independent of loaders.
const fs = require('node:fs');
const path = require('node:path');

/** Command to use if types cannot be blanked out. */
const REMEDY = 'tsx can: `derny run -- npx tsx FILE`';

let amaro;

/**
 * The text of a module without its types.
 * @param {string} source
 * @param {string} file for errors
 * @throws {SyntaxError} what cannot be erased (enum, namespace, parameter property), and what is no TypeScript
 */
function strip(source, file) {
  amaro ??= require('../vendor/amaro/wasm.js');
  try {
    return amaro.transformSync(source, { mode: 'strip-only', filename: file, sourceMap: false }).code;
  } catch (error) {
    if (typeof error?.message !== 'string') throw error;
    const place = error.startLine ? `${file}:${error.startLine}` : file;
    const remedy = error.code === 'UnsupportedSyntax' ? `: it is more than types. ${REMEDY}` : '';
    throw new SyntaxError(`${place}: ${error.message}${remedy}`);
  }
}

/**
 * Returns true if a file is TypeScript whose types are stripped here rather than by another loader.
 */
function isTypeScript(file) {
  return /\.[cm]?ts$/.test(file) && !file.split(path.sep).includes('node_modules');
}

/** Module system of a file: by its extension, by the nearest package.json, else by its source. */
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
