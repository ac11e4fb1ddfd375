'use strict';
require('../common.js');
throw new Error('not in this build');
