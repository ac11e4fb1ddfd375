// `node --require hook.cjs FILE` makes an unmodified Node core benchmark file measurable. Does
// nothing unless the engine started this process, or a file forked it while being listed. Worker
// threads load this hook too.
'use strict';

const { env } = process;

if (env.DERNY_COMMANDS && env.DERNY_REPLIES) require('./host.cjs').begin(__filename);
else if (env.DERNY_NODE_CORE_LIST && require('node:worker_threads').isMainThread) require('./relay.cjs').begin();
