// A process that a file forked while being listed. It sends its cases over Node's channel as a
// `report`, which the file forwards with sendResult(), and exits before main is called.
'use strict';

const { registered, signs } = require('./benchmark.cjs');
const { casesOf } = require('./cases.cjs');
const { replaceCommon } = require('./replacement.cjs');

/** Variable that passes the request from the listing process to processes that its file forks. */
const LIST = 'DERNY_NODE_CORE_LIST';

/**
 * @param {{given: Map<string, string[]>, test: boolean}} request
 * @returns {string} the value of the variable
 */
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
