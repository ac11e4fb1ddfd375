'use strict';
const { bench } = require('derny');
const { mix, steps } = require('./kernel.cjs');

bench('mix', () => mix(steps, 2463534242));
