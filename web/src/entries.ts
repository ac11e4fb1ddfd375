// The rows of a comparison: a change for every case and side, worst first.
import { atFloor, cases, data, isTime, keyOf, nameOf, verdictOf, verdictWords, type Change, type ComparedSide } from './data';
import { difference, interval, signed } from './format';
import type { CaseId } from './model';

export interface Entry {
  /** Name of the case, with the side if there are several. */
  name: string;
  id: CaseId;
  /** Index of the compared case, and of the side in it. */
  index: number; at: number;
  /** Index of the case in the document. Absent if the shown run does not have it. */
  place: number | undefined;
  own: ComparedSide;
  change: Change;
  /** Text that the filter searches, in lower case. */
  words: string;
}

const compared = data.document.comparison;
const places = new Map(cases.map((one, index) => [keyOf(one.id), index]));

/** The index of a compared case, by the key of its case. */
export const comparedAt = new Map(data.compared.map((one, index) => [keyOf(one.id), index]));

/**
 * Sides that have rows: all after the base. Controls are included only if there is nothing
 * else.
 */
const proper = compared?.sides.flatMap(({ control }, index) => (index > 0 && !control ? [index] : [])) ?? [];
export const shownSides: number[] = proper.length > 0 ? proper : compared?.sides.map((_, index) => index).slice(1) ?? [];

export const entries: Entry[] = data.compared.flatMap((one, index) => one.sides.flatMap((own, at): Entry[] => {
  if (!own.change || !shownSides.includes(own.side)) return [];
  const side = compared!.sides[own.side]!;
  const beside = shownSides.length > 1 && side.benchmark !== side.name ? ` · ${side.name}` : '';
  const name = nameOf(one.id, side.benchmark) + beside;
  return [{ name, id: one.id, index, at, place: places.get(keyOf(one.id)), own, change: own.change, words: '' }];
})).sort((a, b) => data.compared[a.index]!.order - data.compared[b.index]!.order || a.at - b.at);

const timed = entries.every(({ change }) => isTime(change));

/** Groups of changes, most urgent first, with the word for the filter. */
export const GROUPS: [string, (verdict: string) => boolean][] = [
  [timed ? 'slower' : 'worse', (verdict) => verdict === 'worse'],
  [timed ? 'faster' : 'better', (verdict) => verdict === 'better'],
  ['unclear', (verdict) => verdict === 'unclear'],
  [`within the margin`, (verdict) => verdict.endsWith('-within-margin')],
  ['same', (verdict) => verdict === 'same'],
];

for (const entry of entries) {
  const { id, name, own, change } = entry;
  const group = GROUPS.find(([, is]) => is(change.verdict))?.[0] ?? '';
  entry.words = `${id.suite}/${name} ${compared!.sides[own.side]!.name} ${own.verdict.replaceAll('-', ' ')} ${verdictWords(change)} ${group}`.toLowerCase();
}

/** Returns the decimals that the interval justifies, as in the terminal. */
const decimals = (change: Change): number => {
  const own = change.change?.interval;
  if (!own) return 1;
  const half = (own.hi - own.lo) / 2;
  return half < 0.00095 ? 2 : half < 0.0995 ? 1 : 0;
};

/** Returns the name of a quantity: `mean time`, or `time`. */
export const quantityOf = (change: Change): string => (change.statistic ? `${change.statistic} ${change.metric}` : change.metric);

/** Returns a change as text: `+9.8 %`, or a difference if one side is 0. */
export function changeOf(change: Change): string {
  if (atFloor(change)) return 'no ratio';
  if (change.change) return signed(change.change.value, decimals(change));
  return change.difference ? difference(change.difference.value, change.unit) : '–';
}

/** Returns the interval of a change as text, or the reason why there is none. */
export function reachOf(change: Change): string {
  if (atFloor(change)) return '';
  const own = change.change?.interval;
  if (own) return interval(own.lo, own.hi, (value) => signed(value, decimals(change)));
  const other = change.difference?.interval;
  if (other) return interval(other.lo, other.hi, (value) => difference(value, change.unit));
  return change.exact ? 'exact' : change.change ? 'no interval' : '';
}

/** Returns the verdict as text. */
export const wordOf = (change: Change): string => (atFloor(change) ? 'at the floor' : verdictOf(change));

/** Returns the reason for a verdict, and the number of pairs that would decide it. */
export function whyOf({ because, reason, needed, verdict }: Change): string {
  const why = because || (reason ?? (verdict === 'unclear' && !needed ? 'noise' : '')).replaceAll('-', ' ');
  const more = needed && !['multiple-comparisons', 'too-few-pairs'].includes(reason ?? '') ? `needs about ${needed} in total` : '';
  return [why, more].filter(Boolean).join('; ');
}
