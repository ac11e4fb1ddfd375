// This layer's view of a benchmark file, through pipes: its cases, and each test case once in a
// separate process.

import { configurationText } from './tree.mjs';
import { converse, failureOf, openLine, parseCases } from './pipe.mjs';

const REPEATS = 5;
const ONE_TURN = 'measure iterations=1 batches=1 within=4000000';

/**
 * @param {string} root the checkout
 * @param {string} file relative to benchmark/
 * @param {{isMeasured: boolean}} how if false, the file is only listed
 * @returns {Promise<{all: string[], test: string[], flags: string[], failures: string[], repeats:
 * number}>} configurations without and with test mode; failures; the number of calls of main (up to
 * REPEATS) that one process supports
 */
export async function askLayer(root, file, { isMeasured }) {
  const failures = [];
  const listed = await converse(root, file, ['list']);
  const tested = await converse(root, file, ['list mode=test']);
  for (const [what, answer] of [['list', listed], ['list mode=test', tested]]) {
    const failure = failureOf(answer.replies);
    if (failure || answer.signal || answer.replies.at(-1) !== 'end') failures.push(`${what}: ${failure ?? ending(answer)}`);
  }
  const cases = parseCases(tested.replies);
  let repeats = 0;
  for (const described of isMeasured ? cases : []) {
    failures.push(...await tryOnce(root, file, described));
    repeats = await countRepeats(root, file, described);
  }
  const all = parseCases(listed.replies);
  return { all: all.map(text), test: cases.map(text), flags: all[0]?.args ?? [], failures, repeats };
}

const text = ({ params }) => configurationText(params);
const ending = ({ code, signal, output }) => `no answer, ended with ${signal ?? code}: ${output}`;

async function tryOnce(root, file, described) {
  const how = { args: described.args, env: described.env };
  const failures = [];
  for (const [verb, expected] of [['check', /^checked/], [ONE_TURN, /^times \d/]]) {
    const answer = await converse(root, file, [openLine(described), verb, 'close'], how);
    if (answer.replies.some((line) => expected.test(line)) && !failureOf(answer.replies) && !answer.signal) continue;
    failures.push(`${verb} ${text(described)}: ${failureOf(answer.replies) ?? ending(answer)}`);
  }
  return failures;
}

async function countRepeats(root, file, described) {
  const turns = new Array(REPEATS).fill(ONE_TURN);
  const answer = await converse(root, file, [openLine(described), ...turns, 'close'], { args: described.args, env: described.env });
  return answer.replies.filter((line) => line.startsWith('times ')).length;
}
