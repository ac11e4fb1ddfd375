// Finds differences between this layer's answer about a file and Node's own, and classifies known
// ones by reason. Only `printReport` has side effects.

/**
 * @param {{file: string, exit: number|string|null, ran: string[], all: string[], flags: string[]}}
 * row Node's answer
 * @param {{all: string[], test: string[], flags: string[], failures: string[]}} answer Derny's answer
 * @returns {{text: string, reason?: string}[]} with a `reason` if the difference is intended
 */
export function differences(row, answer) {
  const found = [];
  const differ = (text, reason) => found.push({ text, reason });
  if (!same(row.all, answer.all)) differ(`configurations: ${summary(row.all, answer.all)}`);
  if (!sameFlags(row, answer)) differ(`flags: ${row.flags} here ${answer.flags}`, permissionReason(row, answer));
  if (row.exit !== 0) return found; // Files that fail with Node's own runner are not compared.
  const ran = row.ran.map(withoutTool);
  if (!same(ran, answer.test.map(withoutTool))) {
    const isGrouped = row.ran.some((text) => text.startsWith('group='));
    differ(`test mode: ${summary(ran, answer.test)}`, isGrouped ? 'Node runs every group with the first one\'s parameters' : undefined);
  }
  for (const failure of answer.failures) differ(failure);
  return found;
}

function permissionReason(row, { flags }) {
  const isMeant = same(row.flags, flags.slice(0, -1)) && row.flags.some((flag) => flag.endsWith('permission')) && flags.at(-1).startsWith('--allow-fs-read=');
  return isMeant ? 'Node\'s permission model must allow reading our own files' : undefined;
}

const same = (a, b) => a.length === b.length && a.every((text, index) => text === b[index]);

/**
 * Returns true if both sides have the same flags. The name of test/common's temporary directory is
 * ignored in them, because its number depends on the process.
 */
function sameFlags(row, answer) {
  const [theirs, ours] = [row.flags, answer.flags].map((flags) => flags.map((flag) => flag.replace(/\.tmp\.[\w-]+/, '.tmp')));
  return same(theirs, ours);
}

/** Removes the load generator, which Node adds to the configuration that it prints. */
const withoutTool = (text) => text.split(' ').filter((pair) => !pair.startsWith('benchmarker=')).join(' ');

function summary(theirs, ours) {
  const at = theirs.findIndex((text, index) => text !== ours[index]);
  return `Node ${theirs.length}, here ${ours.length}; first different: "${theirs[Math.max(at, 0)]}" here "${ours[Math.max(at, 0)]}"`;
}

/**
 * Prints the counts.
 * @param {{row: object, answer: object, differences: object[]}[]} compared
 * @returns {boolean} true if all differences are known
 */
export function printReport(compared) {
  const passing = compared.filter(({ row }) => row.exit === 0);
  const count = (list, holds) => list.filter(holds).length;
  const line = (text, number, of) => console.log(`${text.padEnd(72)} ${number}${of === undefined ? '' : ` of ${of}`}`);
  console.log('');
  line('benchmark files', compared.length);
  line('configurations that Node forms', compared.reduce((sum, { row }) => sum + row.all.length, 0));
  line('files with the same configurations in the same order', count(compared, ({ row, answer }) => same(row.all, answer.all)), compared.length);
  line('files with the same flags', count(compared, ({ row, answer }) => sameFlags(row, answer)), compared.length);
  line('files that pass under Node\'s own runner in test mode', passing.length, compared.length);
  line('of these, pass under Derny', count(passing, ({ answer }) => answer.failures.length === 0), passing.length);
  line('of these, with the same test configurations', count(passing, ({ row, answer }) => same(row.ran.map(withoutTool), answer.test.map(withoutTool))), passing.length);
  if (passing.some(({ answer }) => answer.repeats !== undefined)) {
    line('support five calls of main in one process', count(passing, ({ answer }) => answer.repeats === 5), passing.length);
  }
  const unexplained = compared.flatMap(({ row, differences: all }) => all.filter(({ reason }) => !reason).map(({ text }) => `${row.file}: ${text}`));
  line('differences without a known reason', unexplained.length);
  for (const { row } of compared) if (row.exit !== 0) console.log(`fails under Node's own runner: ${row.file} (${row.exit}) ${firstWords(row.output)}`);
  return unexplained.length === 0;
}

/** Returns the line of an output that contains the error. */
function firstWords(output) {
  const lines = output.split('\n');
  return (lines.find((line) => /error|bad option|could not/i.test(line)) ?? lines[0] ?? '').trim().slice(0, 160);
}
