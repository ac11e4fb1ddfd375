'use strict';
if (process.env.NODE_RUN_BENCHMARK_FN === undefined) throw new Error('the look-up of load generators must not run');
exports.PORT = Number(process.env.PORT) || 12346;
