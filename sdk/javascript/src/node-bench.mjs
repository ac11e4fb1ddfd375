import nodeBench from './node-bench.cjs';

export const { after, afterEach, before, beforeEach, bench, createRunner, describe, only, run, runFile, skip, suite } = nodeBench;
export default nodeBench;
