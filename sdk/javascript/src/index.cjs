'use strict';
const { blackHole } = require('./loop.cjs');
const { bench, group } = require('./registry.cjs');

module.exports = { bench, blackHole, group };
