// Process forked by a file that is being listed: sends its cases over Node's channel as a `report`, which the
// file forwards with sendResult(), and ends before any main is called.
'use strict';

const { registered, signs } = require('./benchmark.cjs');
const { casesOf } = require('./cases.cjs');
const { replaceCommon } = require('./replacement.cjs');

/** Request passed from the listing process to those that its file forks. */
const LIST = 'DERNY_NODE_CORE_LIST';

/** @param {{given: Map<string, string[]>, test: boolean}} request @returns {string} the value of the variable */
function printRequest({ given, test }) {
  return JSON.stringify({ given: [...given], test });
}

function begin() {
  const { given, test } = JSON.parse(process.env[LIST]);
  const request = { given: new Map(given), test };
  replaceCommon();
  signs.once('benchmark', () => process.nextTick(() => {
    const cases = registered.flatMap((benchmark) => casesOf(benchmark, request));
    if (process.send) process.send({ type: 'report', cases }, () => process.exit(0));
    else process.exit(0);
  }));
}

module.exports = { LIST, begin, printRequest };
