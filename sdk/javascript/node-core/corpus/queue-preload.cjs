// Preloaded into Node's own runner (`node --require queue-preload.cjs file`). Lets Node's own
// common.js form its configurations, sends them to the parent process, and exits before any of them
// runs.
'use strict';

const Module = require('node:module');
const genuineLoad = Module._load;

Module._load = function(request, parent, isMain) {
  const loaded = genuineLoad.call(this, request, parent, isMain);
  if (!/(^|\/)common(\.js)?$/.test(request) || !Object.hasOwn(loaded ?? {}, 'Benchmark')) return loaded;
  const { prototype } = loaded.Benchmark;
  if (!prototype._run || prototype._run.replaced) return loaded;
  prototype._run = function() {
    // The type is `report` because a file that forks its measuring process forwards such messages.
    const message = { type: 'report', queue: this.queue.map(Object.entries), flags: this.flags, name: this.name };
    if (process.send) process.send(message, () => process.exit(0));
  };
  prototype._run.replaced = true;
  return loaded;
};
