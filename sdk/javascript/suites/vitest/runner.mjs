// The module that Vitest loads as its runner in the process that it forks for a file.
import benchmarks from './benchmarks.cjs';
import conversations from './conversation.cjs';
import listings from './listing.cjs';
import tests from './tests.cjs';

const { runners, provider, remark, lists } = JSON.parse(process.env.DERNY_VITEST);
const theirs = await import(runners);
const conversation = lists ? new listings.Listing() : new conversations.Conversation(remark);

export default provider
  ? tests.testRunner(theirs, conversation, provider)
  : benchmarks.benchmarkRunner(theirs.NodeBenchmarkRunner, conversation);
