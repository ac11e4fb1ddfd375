import nodeBench from './node-bench.cjs';

export const { after, afterEach, before, beforeEach, bench, createRunner, describe, run, runFile, suite } = nodeBench;
export default nodeBench;
