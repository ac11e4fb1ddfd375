'use strict';
const { fork } = require('node:child_process');
const path = require('node:path');
const common = require('../common.js');

const child = fork(path.join(__dirname, '_forked-child.js'), process.argv.slice(2));
child.on('message', (data) => {
  if (data.type === 'report') common.sendResult(data);
});
