// The fastest cases: a bar for each case of a group, and the ratio to the fastest.
import { data } from './data';
import { h, section } from './dom';
import { interval, time } from './format';
import { linkTo } from './link';
import type { RankedCase, Ranking } from './model';

/** Number of groups shown at first. */
const FIRST = 4;

const times = (value: number): string => (value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0));

/**
 * Returns the claim about the first case, in the words of the engine's table. It is certainly the fastest
 * only if every other case is slower.
 */
function leads({ places: [, ...others] }: Ranking): string {
  if (others.every(({ slower }) => slower)) return 'fastest';
  return others.every(({ times: { interval } }) => interval) ? 'not certainly fastest' : 'fastest so far';
}

/** Formats how much slower a case is than the fastest: `1.20× slower (1.16 … 1.24)`. */
function beside({ times: { value, interval: ends }, slower }: RankedCase): string {
  const ratio = `${times(value)}×`;
  if (!ends) return ratio;
  const reach = `(${interval(ends.lo, ends.hi, times)})`;
  return slower ? `${ratio} slower ${reach}` : `${ratio} ${reach}, not certain`;
}

function group(ranking: Ranking, several: boolean): HTMLElement {
  const longest = ranking.places.reduce((most, { typical }) => Math.max(most, typical), 0);
  const common = [several ? ranking.suite : '', ...ranking.common.map(([key, value]) => (key ? `${key}=${value}` : value))].filter(Boolean).join(' ');
  const rows = ranking.places.map((place, at) => h('tr', {},
    h('th', { scope: 'row' }, linkTo(place.case, place.name)),
    h('td', {}, time(place.typical)),
    h('td', { class: 'bars' }, h('span', { class: 'length', style: `width: ${Math.max(0.5, (100 * place.typical) / longest)}%` })),
    h('td', { class: 'told' }, at === 0 ? leads(ranking) : beside(place))));
  return h('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': `Fastest first: ${common || 'all cases'}` },
    h('table', { class: 'ranking' }, h('caption', {}, common || 'all cases'),
      h('thead', { class: 'unseen' }, h('tr', {}, ...['case', 'time', 'bar', 'against the fastest'].map((text) => h('th', { scope: 'col' }, text)))),
      h('tbody', {}, ...rows)));
}

export function ranking(): HTMLElement | null {
  const all = data.document.rankings ?? [];
  if (all.length === 0) return null;
  const several = data.document.suites.filter(({ cases }) => cases > 0).length > 1;
  const rest = all.slice(FIRST);
  const more = h('button', { type: 'button', hidden: rest.length === 0, onclick: () => { more.replaceWith(...rest.map((one) => group(one, several))); } }, `show ${rest.length} more groups`);
  return section('ranking', 'Fastest first', ...all.slice(0, FIRST).map((one) => group(one, several)), more);
}
