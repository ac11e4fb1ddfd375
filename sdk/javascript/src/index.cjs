'use strict';
const { bench, group } = require('./registry.cjs');

module.exports = { bench, group };
