'use strict';
// Makes the tinybench of a script hand its tasks to the engine.
const path = require('node:path');
const { answerTinybench } = require('./resolve.cjs');

/** @param {object} host see ../host.cjs */
function install({ file, visits, decided }) {
  answerTinybench({ visits, decided });
  const { load } = visits;
  visits.load = async () => {
    await load();
    if (visits.runs === 0) throw new Error(`${path.basename(file)} did not run a Bench of tinybench`);
  };
}

module.exports = { install };
