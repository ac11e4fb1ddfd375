// The comparison: differences between the sides, the forest plot, and tables of all quantities.
import { atFloor, data, wholeCompared, type Comparison, type Observed } from './data';
import { closed, h, long, section } from './dom';
import { changeOf, entries, GROUPS, quantityOf, reachOf, whyOf, wordOf, type Entry } from './entries';
import { forest } from './forest';
import { interval, percent, quantity, signed, time } from './format';
import { linkTo } from './link';
import { field, type Choice } from './words';

/** Describes how the sides were measured: together or in different runs. */
export const together = ({ pairing, against, sides }: Pick<Comparison, 'pairing' | 'against' | 'sides'>): string =>
  !against ? pairing : against.again ? `${sides[0]!.name} measured again, in pairs` : `unpaired, against stored run ${against.run}`;

export function comparison(): HTMLElement | null {
  const compared = data.document.comparison;
  if (!compared) return null;
  const base = compared.sides[0]!.name;
  const label = ({ name, place }: Entry) => (place === undefined ? name : linkTo(place, name));
  const listed = (entry: Entry) => wholeCompared(entry.index).sides[entry.at]!.changes.map((change, at) => [
    at === 0 ? label(entry) : '', quantityOf(change), quantity(change.base, change.unit), quantity(change.new, change.unit), changeOf(change), atFloor(change) ? '' : reachOf(change),
    h('span', { class: `verdict ${change.verdict}` }, wordOf(change)), whyOf(change),
  ]);
  const observed = (entry: Entry) => {
    const [old, now] = wholeCompared(entry.index).sides[entry.at]!.observed ?? [];
    if (!old || !now) return [];
    const count = (value: number) => String(value || '–');
    const paused = ({ pauses, paused_ns }: Observed) => (pauses ? `${pauses} (${time(paused_ns)})` : '–');
    return [old, now].map((one, at) => [at === 0 ? label(entry) : '', at === 0 ? base : compared.sides[entry.own.side]!.name, time(one.wall_ns), count(one.collections), paused(one), count(one.left_out), time(one.age_ns)]);
  };
  const means = compared.geometric_means.map(({ side: index, change, cases: count }) =>
    `geometric mean of ${count} cases${compared.geometric_means.length > 1 ? `, ${compared.sides[index]!.name}` : ''}: ${signed(change.value)}${change.interval ? ` (${interval(change.interval.lo, change.interval.hi, signed)})` : ''}`);
  const counts = GROUPS.map(([word, is]): Choice => [word, entries.filter(({ change }) => is(change.verdict)).length]).filter(([, count]) => count > 0);
  return section('comparison', 'Comparison',
    h('p', { class: 'faint' }, [together(compared), `margin ${percent(compared.margin)}`, ...means].join(' · ')),
    ...compared.context.map(({ what, base: old, new: now }) => h('p', { class: 'doubt' }, `Apart from the compared variants, ${what} differs: ${old || 'none'} → ${now || 'none'}`)),
    h('div', { class: 'tools' }, ...field(counts.length > 1 ? counts : [])),
    entries.length > 0 && forest(data.headline ?? ''),
    closed('All quantities', () => [
      long('Changes', ['case', 'quantity', base, 'new', 'change', `${+(compared.confidence * 100).toFixed(2)} % interval`, 'verdict', 'why'], entries.length, (at) => listed(entries[at]!))]),
    compared.pairing === 'paired' && closed('Components of mean times', () => [
      long('Components of mean times', ['case', 'side', 'observed', 'collections', 'pauses', 'turns excluded', 'oldest process'], entries.length, (at) => observed(entries[at]!))]),
    ...compared.unknown.map((text) => h('p', { class: 'faint' }, text)));
}
