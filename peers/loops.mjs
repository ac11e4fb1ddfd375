// Compares the machine code between the two readings of the clock: that of criterion.rs's `iter`, and that of
// the loop that replaces it. Uses `objdump`.

import { call } from './campaign.mjs';

/**
 * Returns, for each function whose name has this ending, the operations of its longest loop, without
 * registers and addresses.
 */
function loops(program, ending) {
  const text = call('objdump', ['--disassemble', '--demangle', '--no-show-raw-insn', program]);
  return text.split('\n\n').flatMap((block) => {
    const [head, ...lines] = block.trimStart().split('\n');
    if (!ending.test(/<(.*)>:$/.exec(head)?.[1] ?? '')) return [];
    const code = lines.map((line) => /^\s*([0-9a-f]+):\s+(\S+)\s*(\S*)/.exec(line)).filter(Boolean)
      .map(([, at, operation, operand]) => ({ at: parseInt(at, 16), operation, target: parseInt(operand, 16) }));
    const found = code.filter(({ operation, target, at }) => operation.startsWith('j') && target <= at)
      .map(({ target, at }) => code.filter((one) => one.at >= target && one.at <= at && !one.operation.startsWith('nop')).map(({ operation }) => operation).join(' '));
    return found.length ? [found.reduce((longest, one) => one.length > longest.length ? one : longest)] : [];
  });
}

/**
 * Counts the loops of `iter` in a program with criterion.rs, and those that the other program has with the
 * same operations in the same order.
 */
export function sameLoops(theirs, ours) {
  const left = loops(ours, /moved_calls(<.*>)?$/);
  const all = loops(theirs, /Bencher<.*>::iter(<.*>)?$/);
  const same = all.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return { all: all.length, same: same.length };
}
