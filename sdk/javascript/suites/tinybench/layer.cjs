'use strict';
// Makes the tinybench of a script hand its tasks to the engine.
const path = require('node:path');
const { answerTinybench } = require('./resolve.cjs');

/**
 * @param {object} host see ../host.cjs
 * @returns {() => void} called when the file has run nothing
 */
function install({ file, visits, decided }) {
  answerTinybench({ visits, decided });
  return () => { throw new Error(`${path.basename(file)} did not run a Bench of tinybench`); };
}

module.exports = { install };
