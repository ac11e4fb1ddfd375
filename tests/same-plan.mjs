// Prints several results of one plan (Derny documents) case by case: `node tests/same-plan.mjs
// FILE.json...`. Exits with 1 if two of them contradict each other: one verdict is better and another worse,
// or two intervals do not overlap.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const nameOf = ({ id }) => [id.benchmark, ...id.params.map(([name, value]) => `${name}=${value}`)].join(' ');
const files = process.argv.slice(2);
const results = files.map((file) => {
  const { comparison } = JSON.parse(readFileSync(file, 'utf8'));
  const of = comparison.cases.map((one) => {
    const [side] = one.sides;
    const change = side.changes[0];
    return [nameOf(one.case), { verdict: side.verdict, estimate: change?.change, pairs: change?.replicates }];
  });
  return new Map(of);
});

const percent = (share) => (100 * share).toFixed(1);
const bounds = ({ estimate }) => estimate?.interval;
const cell = (one) => {
  if (one === undefined) return 'not there';
  const interval = bounds(one);
  const range = interval ? ` [${percent(interval.lo)}, ${percent(interval.hi)}]` : '';
  return `${one.verdict} ${one.estimate ? percent(one.estimate.value) : '-'}${range} of ${one.pairs}`;
};

const opposite = new Set(['better worse', 'worse better']);
const apart = (one, other) => {
  const [a, b] = [bounds(one), bounds(other)];
  return Boolean(a && b) && (a.lo > b.hi || b.lo > a.hi);
};

let contradictions = 0;
let disjoint = 0;
let same = 0;
const cases = new Set(results.flatMap((result) => [...result.keys()]));
console.log(['case', ...files.map((file) => basename(file, '.json'))].join(' | '));
for (const name of cases) {
  const all = results.map((result) => result.get(name));
  const there = all.filter((one) => one !== undefined);
  const pairs = there.flatMap((one, at) => there.slice(at + 1).map((other) => [one, other]));
  const isAgainst = pairs.some(([one, other]) => opposite.has(`${one.verdict} ${other.verdict}`));
  const isApart = pairs.some(([one, other]) => apart(one, other));
  contradictions += Number(isAgainst);
  disjoint += Number(isApart);
  same += Number(there.length === files.length && new Set(there.map((one) => one.verdict)).size === 1);
  console.log([name, ...all.map(cell)].join(' | ') + (isAgainst ? '  <- against each other' : isApart ? '  <- apart' : ''));
}
console.log(`${cases.size} cases: ${same} with the same verdict everywhere, ${contradictions} with opposite ones, ${disjoint} with intervals apart`);
process.exit(contradictions + disjoint > 0 || cases.size === 0 ? 1 : 0);
