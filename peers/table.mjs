// Turns the logs of campaigns into Markdown tables with the targets. Counts and computes quantiles, but
// judges nothing else.

import { PERCENTS, readLog } from './campaign.mjs';
import { scatter, worth } from './statistics.mjs';
import { pathToFileURL } from 'node:url';

/** Formats a count, because a share would hide a small total. */
const count = (rows, test) => rows.length ? `${rows.filter(test).length} of ${rows.length}` : '–';

function quantile(values, p) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  if (!sorted.length) return NaN;
  const at = p * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

const text = (value, digits = 2) => Number.isFinite(value) ? value.toFixed(digits) : '–';
const percents = (value) => Number.isFinite(value) ? `${(value * 100).toFixed(2)} %` : '–';
const row = (cells) => `| ${cells.join(' | ')} |`;
const head = (titles) => [row(titles), row(titles.map(() => '---'))];

const slower = ({ verdict }) => verdict.startsWith('slower');
const claims = ({ verdict }) => slower({ verdict }) || verdict.startsWith('faster');

/** Groups rows by a key, in order of first appearance. */
function group(rows, by) {
  const groups = new Map();
  for (const item of rows) {
    const name = by(item);
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return groups;
}

/** Returns the table of Derny's trials, with a line per kernel and true difference. */
export function trials(rows) {
  const lines = head(['kernel', 'true', 'trials', 'slower', 'faster', 'same', 'unclear', 'found ≤ 1 s', 'found ≤ 3 s',
    'seconds to the verdict (median, p90)', 'command', 'error (median)', 'interval', 'covers', 'load']);
  const cells = [...group(rows, ({ kernel }) => kernel).values()].flatMap((own) => PERCENTS
    .map((percent) => own.filter((item) => item.percent === percent)).filter((cell) => cell.length));
  for (const cell of cells) {
    const { kernel, percent } = cell[0];
    const truth = percent / 100;
    const times = cell.map(({ verdict_s }) => verdict_s);
    const within = (limit) => percent ? count(cell, (item) => slower(item) && item.verdict_s <= limit) : '';
    lines.push(row([kernel, `${percent} %`, cell.length,
      ...['slower', 'faster', 'same', 'unclear'].map((word) => cell.filter(({ verdict }) => verdict.startsWith(word)).length),
      within(1), within(3), `${text(quantile(times, 0.5))}, ${text(quantile(times, 0.9))}`,
      text(quantile(cell.map(({ command_s }) => command_s), 0.5)),
      percents(quantile(cell.map(({ effect }) => Math.abs(effect - truth)), 0.5)),
      percents(quantile(cell.map(({ interval }) => interval[1] - interval[0]), 0.5)),
      count(cell, ({ interval: [lo, hi] }) => lo <= truth && truth <= hi),
      text(quantile(cell.map(({ load }) => load), 0.5), 1)]));
  }
  return [...lines, '', ...targets(rows)].join('\n');
}

/** Returns the table of the targets and the results. */
function targets(rows) {
  const lines = head(['target', ...new Set(rows.map(({ kernel }) => kernel))]);
  const line = (title, percent, test) => lines.push(row([title, ...[...group(rows, ({ kernel }) => kernel).values()]
    .map((cell) => count(cell.filter((item) => item.percent === percent), test))]));
  line('no difference: "same" or "unclear" in ≥ .95', 0, (item) => !claims(item));
  line('no difference: no interval beyond the margin, which fails a gate, in ≥ .95', 0, ({ interval: [lo] }) => lo <= 0.01);
  line('+1 % found within 1 s in ≥ .90', 1, (item) => slower(item) && item.verdict_s <= 1);
  line('+2 % found within 3 s in ≥ .95', 2, (item) => slower(item) && item.verdict_s <= 3);
  return lines;
}

/** Returns the table of all tools: identical functions, and pairs with a known difference. */
export function peers(rows) {
  const found = [...new Set(rows.map(({ percent }) => percent).filter((percent) => percent !== null))].sort((a, b) => a - b);
  const lines = head(['language', 'tool', 'kernel', 'copies', 'seconds', 'scatter', 'largest deviation', 'a pair: seconds', ...found.map((percent) => `${percent} %: right / wrong / none`)]);
  for (const [, cell] of group(rows, ({ tool, kernel }) => `${tool} ${kernel}`)) {
    const [{ tool, kernel }] = cell;
    const copies = cell.filter(({ times }) => times);
    const pairs = cell.filter(({ times }) => !times);
    const of = (test) => quantile(copies.map(test), 0.5);
    const spread = copies.length ? [copies[0].times.length, text(of(({ command_s }) => command_s), 1), percents(of(({ times }) => scatter(times).deviation)),
      percents(of(({ times }) => scatter(times).largest))] : ['–', '–', '–', '–'];
    const verdicts = found.map((percent) => {
      const worths = pairs.filter((item) => item.percent === percent).map(({ verdict }) => worth(verdict, percent / 100));
      return worths.length ? ['right', 'wrong', 'none'].map((word) => worths.filter((one) => one === word).length).join(' / ') : '–';
    });
    lines.push(row([kernel.split(', ')[1], tool, kernel.split(', ')[0], ...spread, text(quantile(pairs.map(({ command_s, wall_s }) => command_s ?? wall_s), 0.5), 1), ...verdicts]));
  }
  return lines.join('\n');
}

/** Returns the table of the eight kernels: a line for each, and one for all. */
export function eight(rows) {
  const lines = head(['kernel', 'trials', 'interval holds the truth', 'wrong direction', 'decided', 'seconds to the verdict (median, most)',
    'error (median)', 'interval']);
  const wrong = ({ verdict, truth }) => claims({ verdict }) && slower({ verdict }) !== truth > 0;
  const line = (name, cell) => {
    const times = cell.map(({ verdict_s }) => verdict_s);
    lines.push(row([name, cell.length, count(cell, ({ truth, interval: [lo, hi] }) => lo <= truth && truth <= hi), count(cell, wrong),
      count(cell, ({ verdict }) => verdict !== 'unclear'), `${text(quantile(times, 0.5))}, ${text(quantile(times, 1))}`,
      percents(quantile(cell.map(({ effect, truth }) => Math.abs(effect - truth)), 0.5)),
      percents(quantile(cell.map(({ interval }) => interval[1] - interval[0]), 0.5))]));
  };
  for (const [kernel, cell] of group(rows, ({ kernel }) => kernel)) line(kernel.replace('eight/', ''), cell);
  line('all', rows);
  return lines.join('\n');
}

/** Prints the logs: the table of all tools, and Derny's trials if there are any. */
export function print(...files) {
  const rows = files.flatMap(readLog);
  const own = rows.filter(({ tool, verdict_s }) => tool === 'Derny' && verdict_s !== undefined);
  if (own.length) console.log(`${trials(own)}\n`);
  if (rows.length) console.log(peers(rows));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) print(...process.argv.slice(2));
