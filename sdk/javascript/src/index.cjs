'use strict';
const { blackHole } = require('./loop.cjs');
const { attach } = require('./attach.cjs');
const { bench, group } = require('./registry.cjs');

module.exports = { attach, bench, blackHole, group };
