// The lines of a chart: the histories of one figure of a case, one for each machine, with the places of their points on
// the axes of dates and of commits.
import { isDate } from '../format';
import type { Change, Conditions, History, Point, Release } from './data';
import { hostOf, isReal } from './words';

export interface Break { point: number; text: string; whole: string }
/** A line. `at` is its place among the colours. `levels` has the first point of each part and its running medians. */
export interface Line { history: History; name: string; at: number; points: Point[]; dates: number[]; ranks: number[]; breaks: Break[]; levels: { from: number; values: number[] }[]; changes: Change[] }
export interface Chart { lines: Line[]; releases: { name: string; date: number; rank: number }[]; ids: Point[] }

/**
 * Returns dates that never decrease. Clocks of committers differ, and the order of commits counts. Impossible dates, and
 * those outside a longest increasing sequence, take the date before them.
 */
export function inOrder(dates: number[]): number[] {
  const tails: number[] = [];
  const before = new Int32Array(dates.length).fill(-1);
  dates.forEach((date, at) => {
    if (!isDate(date)) return;
    let low = 0;
    for (let high = tails.length; low < high;) {
      const middle = (low + high) >> 1;
      if (dates[tails[middle]!]! <= date) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? tails[low - 1]! : -1;
    tails[low] = at;
  });
  const kept = new Set<number>();
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]!) kept.add(at);
  let last = dates[Math.min(...kept)] ?? 0;
  return dates.map((date, at) => (last = kept.has(at) ? date : last));
}

const CONDITIONS: [keyof Conditions, string][] = [['cpu', 'unknown processor'], ['runtime', 'unknown runtime'], ['tool', 'unknown tool']];

/** Returns the conditions that differ, in short and in full. */
function difference(from: Conditions | undefined, to: Conditions | undefined): [string, string] {
  const pairs = CONDITIONS.filter(([key]) => from?.[key] !== to?.[key]).map(([key, none]) => [from?.[key] || none, to?.[key] || none] as const);
  // The language that both runtimes share is not news.
  const brief = pairs.map(([a, b]) => (a.split(' ')[0] === b.split(' ')[0] ? [a.split(' ').slice(1).join(' ') || a, b.split(' ').slice(1).join(' ') || b] as const : [a, b] as const));
  return [brief.map(([a, b]) => (a.length + b.length < 26 ? `${a} → ${b}` : `→ ${b}`)).join(', '), pairs.map(([a, b]) => `${a} → ${b}`).join(', ')];
}

export const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

/** Number of points before and after each that its level is the median of. Short parts have fewer. */
const AROUND = 10;

/** Returns the levels: running medians, which follow drift and keep steps. They do not reach across breaks and real changes. */
function levelsOf({ points, changes }: History, breaks: Break[]): Line['levels'] {
  const starts = [...new Set([0, ...breaks.map(({ point }) => point), ...changes.filter(isReal).flatMap(({ point }) => (point === null ? [] : [point]))])].sort((a, b) => a - b);
  return starts.flatMap((from, at): Line['levels'] => {
    const part = points.slice(from, starts[at + 1] ?? points.length).map(({ value }) => value);
    const around = Math.min(AROUND, Math.max(1, Math.round(part.length / 8)));
    return part.length === 0 ? [] : [{ from, values: part.map((_, index) => median(part.slice(Math.max(0, index - around), index + around + 1))) }];
  });
}

function nameLines(histories: History[]): string[] {
  const plain = histories.map(({ row }) => [hostOf(row), row.apart].filter(Boolean).join(', '));
  const cpu = ({ conditions, points }: History) => conditions[points.at(-1)?.conditions ?? 0]?.cpu ?? '';
  const withCpu = plain.map((name, at) => (plain.indexOf(name) !== plain.lastIndexOf(name) && cpu(histories[at]!) ? `${name} (${cpu(histories[at]!)})` : name));
  return withCpu.map((name, at) => {
    const same = withCpu.slice(0, at).filter((other) => other === name).length;
    return withCpu.indexOf(name) !== withCpu.lastIndexOf(name) ? `${name} #${same + 1}` : name;
  });
}

/** Returns the lines of histories, in the order given. */
export function chartOf(histories: History[], releases: Release[]): Chart {
  const names = nameLines(histories);
  const drafts = histories.map((history) => ({ history, points: history.points, dates: inOrder(history.points.map(({ at }) => at)) }));
  const idOf = (point: Point) => point.commit?.hash ?? `${point.at} ${point.measured}`;
  const places = new Map<string, { key: number; date: number; point: Point }>();
  for (const { points, dates } of drafts) {
    let last = -1;
    points.forEach((point, at) => {
      const position = point.commit?.position ?? null;
      if (position !== null) last = position;
      const id = idOf(point);
      if (!places.has(id)) places.set(id, { key: position ?? last + 0.5, date: dates[at]!, point });
    });
  }
  const sorted = [...places].sort(([, a], [, b]) => a.key - b.key || a.date - b.date);
  const rankOf = new Map(sorted.map(([id], rank) => [id, rank]));
  const lines = drafts.map(({ history, points, dates }, at): Line => {
    const breaks = points.flatMap((point, index): Break[] => {
      if (index === 0 || points[index - 1]!.conditions === point.conditions) return [];
      const [text, whole] = difference(history.conditions[points[index - 1]!.conditions], history.conditions[point.conditions]);
      return [{ point: index, text, whole }];
    });
    return { history, name: names[at]!, at, points, dates, ranks: points.map((point) => rankOf.get(idOf(point))!), breaks, levels: levelsOf(history, breaks), changes: history.changes };
  });
  const rankAfter = (position: number) => {
    const at = sorted.findIndex(([, { key }]) => key >= position);
    return at < 0 ? sorted.length : at;
  };
  const named = new Map(releases.map(({ name, at, position }) => [name, { name, date: at, rank: rankAfter(position) }]));
  // Releases of imported files are known only from their points.
  for (const [, { point, date }] of sorted) for (const name of point.commit?.tags ?? []) if (!named.has(name)) named.set(name, { name, date, rank: rankOf.get(idOf(point))! });
  return { lines, releases: [...named.values()], ids: sorted.map(([, { point }]) => point) };
}
