'use strict';
require('../common.js');
process.exit(0);
