// The module that Vitest loads as its runner in the process that it forks for a file.
import { fileURLToPath } from 'node:url';
import benchmarks from './benchmarks.cjs';
import conversations from './conversation.cjs';
import tests from './tests.cjs';

const { runners, hasTests, remark } = JSON.parse(process.env.DERNY_VITEST);
const theirs = await import(runners);
const conversation = new conversations.Conversation(remark);

export default hasTests
  ? tests.testRunner(theirs, conversation, fileURLToPath(new URL('provider.mjs', import.meta.url)))
  : benchmarks.benchmarkRunner(theirs.NodeBenchmarkRunner, conversation);
