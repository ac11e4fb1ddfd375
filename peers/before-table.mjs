// Turns the rows of before.mjs into Markdown tables: seconds of both engines, their ratio, and the verdicts.

import { median, scatter, worth } from './statistics.mjs';

const text = (value, digits) => Number.isFinite(value) ? value.toFixed(digits) : '–';
const percent = (value) => `${text(100 * value, 2)} %`;
const row = (cells) => `| ${cells.join(' | ')} |`;
const head = (titles) => [row(titles), row(titles.map((_, at) => at ? '---:' : '---'))];
const both = (of) => ['before', 'after'].map(of);

/** Groups rows by a key, in order of first appearance. */
function group(rows, by) {
  const groups = new Map();
  for (const one of rows) groups.set(by(one), [...groups.get(by(one)) ?? [], one]);
  return [...groups];
}

/**
 * Returns the line of one or several questions: seconds, the ratio of seconds in the same trial, processes,
 * verdicts and intervals.
 */
function line(title, rows, asked) {
  const own = (engine) => rows.filter((one) => one.engine === engine);
  const pairs = group(rows, ({ part, name, percent, trial }) => `${part} ${name} ${percent} ${trial}`).map(([, pair]) => pair).filter((pair) => pair.length === 2);
  const logs = pairs.map((pair) => {
    const [before, after] = both((engine) => pair.find((one) => one.engine === engine).seconds);
    return Math.log(after / before);
  });
  const ratio = Math.exp(logs.reduce((sum, value) => sum + value, 0) / logs.length);
  const cases = (engine) => own(engine).flatMap(({ cases, percent }) => cases.map((one) => ({ truth: percent / 100, ...one })));
  const verdicts = (engine) => {
    const worths = cases(engine).map(({ verdict, truth }) => worth(verdict, truth));
    return ['right', 'wrong', 'none'].map((word) => worths.filter((one) => one === word).length).join(' / ');
  };
  const held = (engine) => {
    // In interpreted or late-compiled languages, a body does more than its steps. Its true change is precise
    // enough for a verdict, but not to a thousandth. Pauses do not change typical time.
    const known = ['languages', 'pauses'].includes(rows[0].part) ? [] : cases(engine).filter(({ interval }) => interval);
    if (!known.length) return '–';
    return `${known.filter(({ interval: [lo, hi], truth }) => lo <= truth && truth <= hi).length} of ${known.length}`;
  };
  const processes = (engine) => text(median(own(engine).map(({ cases }) => cases.reduce((sum, one) => sum + one.processes, 0))), 0);
  return row([title, `${pairs.length} of ${asked}`, ...both((engine) => text(median(own(engine).map(({ seconds }) => seconds)), 1)), text(ratio, 2),
    ...both(processes), ...both(verdicts), ...both(held)]);
}

function verdictTable(rows, asked) {
  const lines = head(['question', 'pairs', 's before', 's after', 'after / before', 'processes before', 'after', 'right / wrong / none before', 'after', 'intervals that hold the truth, before', 'after']);
  const count = (questions) => questions.reduce((sum, { repeat }) => sum + repeat, 0);
  const add = (title, test) => {
    const questions = asked.filter(test);
    const own = rows.filter(test);
    if (own.length) lines.push(line(title, own, count(questions)));
    return questions.length;
  };
  for (const [part, questions] of group(asked, (one) => one.part)) {
    // Kernels are grouped by kind, all other questions by difference.
    const title = ({ name, percent }) => part === 'kernels' ? name : `${part} ${name} ${percent ? `+${percent} %` : '0 %'}`;
    for (const [name] of group(questions, title)) add(name, (one) => one.part === part && title(one) === name);
    if (part === 'kernels') add('**kernels, all**', (one) => one.part === part);
    if (part === 'languages') for (const difference of [0, 2, 5]) add(`**languages, all, ${difference} %**`, (one) => one.part === part && one.percent === difference);
  }
  return lines;
}

function copiesTable(rows) {
  const lines = head(['copies', 's before', 's after', 'after / before', 'scatter before', 'after', 'largest deviation before', 'after', 'processes before', 'after']);
  for (const [name, own] of group(rows, (one) => one.name)) {
    const of = (test) => both((engine) => median(own.filter((one) => one.engine === engine).map(test)));
    const seconds = of((one) => one.seconds);
    lines.push(row([name, ...seconds.map((value) => text(value, 1)), text(seconds[1] / seconds[0], 2), ...of(({ times }) => scatter(times).deviation).map(percent),
      ...of(({ times }) => scatter(times).largest).map(percent), ...of(({ processes }) => processes).map((value) => text(value, 0))]));
  }
  return lines;
}

/**
 * Returns the tables.
 * @param {object[]} rows rows of the log
 * @param {{part: string, name: string, percent: number, repeat: number}[]} asked all questions
 */
export function tables(rows, asked) {
  const isCopies = ({ part }) => part === 'copies';
  const judged = asked.filter((one) => !isCopies(one));
  const known = rows.filter((one) => asked.some(({ part, name, percent }) => part === one.part && name === one.name && percent === one.percent));
  const all = [];
  if (judged.length) all.push(verdictTable(known.filter((one) => !isCopies(one)), judged).join('\n'));
  if (known.some(isCopies)) all.push(copiesTable(known.filter(isCopies)).join('\n'));
  const missing = group(asked, ({ part }) => part).flatMap(([part, questions]) => {
    const wanted = 2 * questions.reduce((sum, { repeat }) => sum + repeat, 0);
    const there = known.filter((one) => one.part === part).length;
    return there < wanted ? [`${part}: ${there} of ${wanted} runs; a later call goes on`] : [];
  });
  return [...all, ...missing].join('\n\n');
}
