// Compares Derny's detector of changes in histories with others.
//
//   node peers/history.mjs --series FOLDER [--half-width 0.009]
//   node peers/history.mjs --asv RESULTS --machines A,B [--lag 2]
//
// A folder of series has a JSON file for each: `values`, `annotations` by annotator, and the indices that other
// detectors found, by name, as `detectors`. The second form reads the results of asv on two machines and counts the
// changes of one that the other shows too. It runs asv's own step detection if Python can import `asv`.

import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { agreement, alarms, mean, median, score, shown } from './history-score.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    series: { type: 'string' },
    'half-width': { type: 'string', default: '0.009' },
    asv: { type: 'string' },
    machines: { type: 'string', default: '' },
    lag: { type: 'string', default: '2' },
  },
});

const json = (file) => JSON.parse(readFileSync(file, 'utf8').replace(/-?\b(?:NaN|Infinity)\b/g, 'null'));
const row = (cells) => console.log(`| ${cells.join(' | ')} |`);

/** Returns the changes that Derny finds in each series. */
function derny(series, ...words) {
  const lines = run('cargo', ['run', '-q', '--release', '-p', 'derny-stats', '--example', 'levels', ...words], series);
  return lines.map((line) => line.split(' ').filter(Boolean).map((word) => Number(word.split(':')[0])));
}

/** Returns the steps of asv's own detection, or undefined without asv. */
function asvSteps(series) {
  const program = 'import sys\nfrom asv.step_detect import detect_steps\n'
    + 'for line in sys.stdin:\n print(*(s[0] for s in detect_steps([float(x) for x in line.split()])[1:]))';
  const lines = run('python3', ['-c', program], series, true);
  return lines?.map((line) => line.split(' ').filter(Boolean).map(Number));
}

function run(command, args, series, mayFail = false) {
  const input = series.map((values) => `${values.join(' ')}\n`).join('');
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: ROOT, input, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0 && mayFail) return undefined;
  if (status !== 0) throw new Error(`${command}: ${error ?? stderr}`);
  return stdout.split('\n').slice(0, series.length);
}

/** Returns the indices whose value differs from the median of `back` earlier ones by more than `share`. */
function threshold(values, share, back) {
  return values.flatMap((value, i) => {
    const before = values.slice(Math.max(0, i - back), i);
    return before.length > 0 && Math.abs(value / median(before) - 1) > share ? [i] : [];
  });
}

function annotated(folder, halfWidth) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json')).sort();
  const all = names.map((name) => json(path.join(folder, name)));
  const values = all.map((one) => one.values);
  const [own, sensitive] = [derny(values), derny(values, 'sensitive')];
  all.forEach((one, i) => { one.detectors = { Derny: own[i], 'Derny --sensitive': sensitive[i], ...one.detectors }; });
  row(['detector', 'precision', 'recall', 'F1', 'alarms', 'unmarked', 'shown', 'of these unmarked']);
  row(['---', ...Array(7).fill('--:')]);
  const isInAll = (name) => all.every((one) => one.detectors[name]);
  for (const name of Object.keys(all[0].detectors).filter(isInAll)) {
    const marks = ({ annotations }) => Object.values(annotations);
    const scores = all.map((one) => score(marks(one), one.detectors[name], one.values.length));
    const found = all.flatMap((one) => alarms(one.values, marks(one), one.detectors[name]));
    const unmarked = found.filter(({ marked }) => !marked);
    const chance = ({ marked, size }) => shown(marked ? size : 0, halfWidth);
    const sum = (list) => list.reduce((total, one) => total + chance(one), 0);
    const share = found.length > 0 ? `${(100 * sum(unmarked) / sum(found)).toFixed(1)} %` : '';
    row([name, ...['precision', 'recall', 'f1'].map((key) => mean(scores.map((one) => one[key])).toFixed(2)),
      found.length, unmarked.length, sum(found).toFixed(1), share]);
  }
}

/** Returns the series of each benchmark of a machine, in the order of commits, from the environment with most results. */
function results(folder) {
  const series = new Map();
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'machine.json')) {
    const file = json(path.join(folder, name));
    for (const [benchmark, columns] of Object.entries(file.results)) {
      if (!/\.time_[^.]*$/.test(benchmark)) continue;
      const { result, params, version } = Object.fromEntries(file.result_columns.map((key, i) => [key, columns[i]]));
      const combinations = (params ?? []).reduce((heads, tail) => heads.flatMap((head) => tail.map((one) => [...head, one])), [[]]);
      combinations.forEach((combination, i) => {
        if (!(result?.[i] > 0)) return;
        const key = `${benchmark}(${combination.join(', ')}) ${version}`;
        const environments = series.get(key) ?? series.set(key, new Map()).get(key);
        const points = environments.get(file.env_name) ?? environments.set(file.env_name, []).get(file.env_name);
        points.push({ commit: file.commit_hash, date: file.date, value: result[i] });
      });
    }
  }
  const longest = (environments) => [...environments.values()].sort((a, b) => b.length - a.length)[0];
  return new Map([...series].map(([key, environments]) => [key, longest(environments).sort((a, b) => a.date - b.date)]));
}

function twoMachines(folder, machines, lag) {
  const all = machines.map((machine) => results(path.join(folder, machine)));
  const keys = [...all[0].keys()].filter((key) => all.every((of) => of.get(key)?.length >= 30));
  const dates = new Map(all.flatMap((of) => keys.flatMap((key) => of.get(key).map(({ commit, date }) => [commit, date]))));
  const places = new Map([...dates].sort((a, b) => a[1] - b[1]).map(([commit], i) => [commit, i]));
  const series = all.flatMap((of) => keys.map((key) => of.get(key)));
  const values = series.map((points) => points.map(({ value }) => value));
  console.log(`${keys.length} benchmarks, ${places.size} commits\n`);
  const detectors = [
    ['Derny', derny(values)],
    ['asv', asvSteps(values)],
    ['5 % from the median of 5', values.map((one) => threshold(one, 0.05, 5))],
    ['10 % from the median of 5', values.map((one) => threshold(one, 0.1, 5))],
    ['5 % from the value before', values.map((one) => threshold(one, 0.05, 1))],
  ];
  row(['detector', ...machines.flatMap((machine) => [machine, 'shown by the other', 'share', 'by chance'])]);
  row(['---', ...machines.flatMap(() => ['--:', '--:', '--:', '--:'])]);
  for (const [name, found] of detectors.filter(([, found]) => found)) {
    const changes = found.map((indices, at) => located(indices, series[at], places));
    row([name, ...machines.flatMap((_, machine) => agreements(changes, series, places, machine, lag))]);
  }
}

function agreements(changes, series, places, machine, lag) {
  const half = series.length / 2;
  const totals = [0, 150].map((shift) => {
    const each = Array.from({ length: half }, (_, i) => {
      const [own, other] = machine === 0 ? [i, i + half] : [i + half, i];
      const range = [places.get(series[other][0].commit), places.get(series[other].at(-1).commit)];
      const moved = changes[other].map(({ from, to, size }) => ({ from: from + shift, to: to + shift, size }));
      return agreement(changes[own], moved, range, lag);
    });
    return each.reduce((sum, one) => ({ count: sum.count + one.count, agree: sum.agree + one.agree }));
  });
  const percent = ({ count, agree }) => `${(100 * agree / count).toFixed(1)} %`;
  return [totals[0].count, totals[0].agree, ...totals.map(percent)];
}

/** Returns the changes between the places of their commits, with the difference of the levels around them. */
function located(indices, points, places) {
  const edges = [0, ...indices, points.length];
  const level = (from, to) => median(points.slice(from, to).map(({ value }) => Math.log(value)));
  return indices.map((index, i) => ({
    from: places.get(points[index - 1].commit),
    to: places.get(points[index].commit),
    size: level(index, edges[i + 2]) - level(edges[i], index),
  }));
}

if (options.series) annotated(options.series, Number(options['half-width']));
else if (options.asv) twoMachines(path.resolve(options.asv), options.machines.split(','), Number(options.lag));
else console.error('node peers/history.mjs --series FOLDER, or --asv RESULTS --machines A,B');
