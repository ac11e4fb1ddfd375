'use strict';
// Makes a script's tinybench hand its tasks to the engine.
const path = require('node:path');
const { answerTinybench } = require('./resolve.cjs');

/**
 * Replaces `Bench` and `Task` of tinybench when the script imports them.
 * @param {object} host see ../host.cjs
 * @returns {() => void} to be called if the file has run no Bench; throws an error that says so
 */
function install({ file, visits, decided }) {
  answerTinybench({ visits, decided });
  return () => { throw new Error(`${path.basename(file)} did not run a Bench of tinybench`); };
}

module.exports = { install };
