'use strict';
// Two readings of the clock and the time between them, for loops other than those of ../src/loop.cjs.
const { clock } = require('../src/clock.cjs');

const readings = new clock.readings.constructor(2);
const words = clock.words.constructor === clock.readings.constructor ? readings : new clock.words.constructor(readings.buffer);
/** Returns the ns between `readings[0]` and `readings[1]`. */
const elapsed = new Function('words', `'use strict'; return function elapsed() { return ${clock.elapsed(0, 1)}; }`)(words);

module.exports = { elapsed, now: clock.now, readings };
