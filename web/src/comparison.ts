// The comparison: a forest plot of all changes, and its table.
import { chart, dark, faint, ground, ink, lines, redraw, type Option } from './charts';
import { atFloor, cases, data, isTime, keyOf, nameOf, verdictOf, verdictWords, wholeCompared, type Change, type Comparison, type ComparedSide, type Observed } from './data';
import { closed, h, long, section } from './dom';
import { interval, percent, quantity, signed, time } from './format';

const words = (code: string): string => code.replaceAll('-', ' ');
const paint = (verdict: string): string => {
  if (verdict.startsWith('better')) return dark() ? '#2ec4a0' : '#00795a';
  if (verdict.startsWith('worse')) return dark() ? '#f08c3c' : '#c24e00';
  return verdict === 'unclear' ? (dark() ? '#e6c13c' : '#8a6100') : faint();
};
const SYMBOL: Record<string, string> = { better: 'triangle', worse: 'diamond', same: 'circle', unclear: 'circle' };
/** If one side is 0, there is no ratio, so the difference is shown. */
const difference = (value: number, unit: string): string => `${value < 0 ? '−' : '+'}${quantity(Math.abs(value), unit)}`;
const named = (change: Change): string => (change.statistic ? `${change.statistic} ${change.metric}` : change.metric);
/**
 * Shortens a name to a maximum length. The beginning is cut, because neighbouring names share it.
 */
const end = (name: string, room: number): string => (name.length <= room ? name : `…${name.slice(name.length - room + 1)}`);
/** Returns the reason for a verdict, and the number of pairs that would decide it. */
const why = ({ because, reason, needed, verdict }: Change): string =>
  [because || words(reason ?? (verdict === 'unclear' && !needed ? 'noise' : '')), needed && !['multiple-comparisons', 'too-few-pairs'].includes(reason ?? '') ? `needs about ${needed} in all` : ''].filter(Boolean).join('; ');
const decimals = (change: Change): number => {
  const own = change.change?.interval;
  const half = own ? (own.hi - own.lo) / 2 : 1;
  return half < 0.00095 ? 2 : 1;
};

/** Returns how the sides were measured: together or in different runs. */
const together = ({ pairing, against, sides }: Pick<Comparison, 'pairing' | 'against' | 'sides'>): string =>
  !against ? pairing : against.again ? `${sides[0]!.name} measured again, in pairs` : `unpaired, against stored run ${against.run}`;

/** Up to this number of changes, no filter is shown. */
const FEW = 8;
/** Worst changes come first: sorted by verdict, then by size. */
const ORDER = ['worse', 'worse-within-margin', 'unclear', 'same', 'better-within-margin', 'better'];
const harm = ({ change }: { change: Change }): number => {
  const size = Math.min(Math.abs(Math.log1p(Math.max(change.change!.value, -0.999999))), 99);
  return 100 * (ORDER.length - ORDER.indexOf(change.verdict)) + (change.verdict.startsWith('better') ? -size : size);
};

export function comparison(): HTMLElement | null {
  const compared = data.document.comparison;
  if (!compared) return null;
  const side = (one: ComparedSide) => compared.sides[one.side]!;
  const several = compared.sides.length > 2;
  const rows = data.compared.flatMap((one, index) => one.sides.map((own, at) => ({
    name: nameOf(one.id, side(own).benchmark) + (several && side(own).benchmark !== side(own).name ? ` · ${side(own).name}` : ''), own, change: own.change, id: one.id, index, at,
  }))).filter((row): row is typeof row & { change: Change } => Boolean(row.change));
  const all = rows.filter(({ change }) => change.change && !atFloor(change)).sort((a, b) => harm(b) - harm(a));
  let drawn = all;
  // The axis covers nearly all points. Intervals may extend beyond it, because one from two
  // processes can be wider than all others together.
  const points = all.map(({ change }) => change.change!.value).filter(Number.isFinite).sort((a, b) => a - b);
  const at = (share: number) => points[Math.round(share * (points.length - 1))] ?? 0;
  const reach = Math.max(at(0.98) - at(0.02), 4 * compared.margin) / 2;
  // A point far from all others is an arrow at the edge, so that it does not compress the rest.
  const least = points[0]! >= at(0.02) - 2 * reach ? points[0]! : at(0.02);
  const most = points.at(-1)! <= at(0.98) + 2 * reach ? points.at(-1)! : at(0.98);
  // Uses reduce, because a call with spread arguments accepts only some ten thousand, and a
  // comparison may have more cases.
  const lowest = all.reduce((low, { change }) => Math.min(low, change.change!.interval?.lo ?? 0), least);
  const highest = all.reduce((high, { change }) => Math.max(high, change.change!.interval?.hi ?? 0), most);
  const lo = Math.min(-1.5 * compared.margin, Math.max(least - reach, lowest));
  const hi = Math.max(1.5 * compared.margin, Math.min(most + reach, highest));
  const room = 0.06 * (hi - lo);
  const shown = 40;
  const beyond = ({ change }: Change) => change!.value > hi + room || change!.value < lo - room;
  const symbol = (change: Change) => (beyond(change) ? { symbol: 'arrow', symbolRotate: change.change!.value < 0 ? 90 : -90 } : { symbol: SYMBOL[change.verdict.split('-')[0]!] });
  const option = (): Option => {
    const narrow = innerWidth < 700;
    // The rows of the current option. A chart uses them until it has received the next option.
    const shownRows = drawn;
    return {
      grid: { left: narrow ? 164 : 270, right: shownRows.length > shown ? 44 : 20, top: 10, bottom: 46 },
      xAxis: { type: 'value', min: lo - room, max: hi + room, name: `change against ${compared.sides[0]!.name}`, nameLocation: 'middle', nameGap: 28, axisLabel: { formatter: (value: number) => signed(value, hi - lo < 0.05 ? 1 : 0), showMinLabel: false, showMaxLabel: false } },
      yAxis: { type: 'category', inverse: true, data: shownRows.map((_, index) => String(index)), axisLabel: { formatter: (index: string) => end(shownRows[Number(index)]!.name, narrow ? 24 : 40), interval: 0, color: ink() }, splitLine: { show: false } },
      dataZoom: shownRows.length > shown ? [{ type: 'slider', yAxisIndex: 0, width: 16, right: 6, startValue: 0, endValue: shown - 1, showDetail: false, brushSelect: false }, { type: 'inside', yAxisIndex: 0, startValue: 0, endValue: shown - 1, zoomOnMouseWheel: false, moveOnMouseWheel: 'shift' }] : [],
      tooltip: {
        trigger: 'item',
        formatter: ({ dataIndex }: { dataIndex: number }) => {
          const { name, change } = shownRows[dataIndex]!;
          const found = change.change!;
          return lines(name, `${named(change)}: ${signed(found.value, decimals(change))}${found.interval ? ` (${interval(found.interval.lo, found.interval.hi, (v) => signed(v, decimals(change)))})` : change.exact ? '' : ' (no interval)'}`,
            `${quantity(change.base, change.unit)} → ${quantity(change.new, change.unit)}`, verdictOf(change), why(change));
        },
      },
      series: [
        {
          type: 'custom', silent: true, data: shownRows.map((_, index) => index), encode: { x: -1, y: 0 },
          renderItem: (params: { dataIndex: number; coordSys: { x: number; width: number } }, api: { coord: (at: [number, number]) => [number, number] }) => {
            const { change } = shownRows[params.dataIndex]!;
            const within = change.change!.interval;
            if (!within) return null;
            const left = params.coordSys.x;
            const keep = (x: number) => Math.min(left + params.coordSys.width, Math.max(left, Number.isFinite(x) ? x : left + params.coordSys.width));
            const y = api.coord([0, params.dataIndex])[1];
            return { type: 'line', shape: { x1: keep(api.coord([Math.max(within.lo, -1), params.dataIndex])[0]), y1: y, x2: keep(api.coord([within.hi, params.dataIndex])[0]), y2: y }, style: { stroke: paint(change.verdict), lineWidth: 3 } };
          },
        },
        {
          type: 'scatter', symbolSize: 10,
          data: shownRows.map(({ change }, index) => ({ value: [Math.min(hi + room, Math.max(lo - room, change.change!.value)), index], ...symbol(change), itemStyle: change.verdict === 'unclear' ? { color: ground(), borderColor: paint(change.verdict), borderWidth: 2 } : { color: paint(change.verdict) } })),
          markLine: { symbol: 'none', silent: true, data: [{ xAxis: 0 }], label: { show: false }, lineStyle: { color: faint(), type: 'solid' } },
          markArea: { silent: true, itemStyle: { color: faint(), opacity: 0.12 }, data: [[{ xAxis: -compared.margin }, { xAxis: compared.margin }]] },
        },
      ],
    };
  };
  const place = new Map(cases.map((one, index) => [keyOf(one.id), index]));
  const link = (row: (typeof rows)[number]) => (place.has(keyOf(row.id)) ? h('a', { href: `#case-${place.get(keyOf(row.id))}` }, row.name) : row.name);
  const listed = (row: (typeof rows)[number]) => wholeCompared(row.index).sides[row.at]!.changes.map((change, at) => [
    at === 0 ? link(row) : '', named(change), quantity(change.base, change.unit), quantity(change.new, change.unit), atFloor(change) ? 'no ratio' : change.change ? signed(change.change.value, decimals(change)) : change.difference ? difference(change.difference.value, change.unit) : '–',
    atFloor(change) ? '' : change.change?.interval ? interval(change.change.interval.lo, change.change.interval.hi, (value) => signed(value, decimals(change))) : change.exact ? 'exact' : change.change ? 'none' : '',
    h('span', { class: `verdict ${change.verdict}` }, atFloor(change) ? 'at the floor' : verdictOf(change)), why(change),
  ]);
  const observed = (row: (typeof rows)[number]) => {
    const [base, now] = wholeCompared(row.index).sides[row.at]!.observed ?? [];
    if (!base || !now) return [];
    const count = (value: number) => String(value || '–');
    const paused = ({ pauses, paused_ns }: Observed) => (pauses ? `${pauses} (${time(paused_ns)})` : '–');
    return [base, now].map((one, at) => [at === 0 ? link(row) : '', at === 0 ? compared.sides[0]!.name : side(row.own).name, time(one.wall_ns), count(one.collections), paused(one), count(one.left_out), time(one.age_ns)]);
  };
  const means = compared.geometric_means.map(({ side: index, change, cases: count }) => h('p', {}, `Geometric mean of ${count} cases, ${compared.sides[index]!.name}: ${signed(change.value)}`, change.interval ? ` (${interval(change.interval.lo, change.interval.hi, signed)})` : ''));
  const summary = data.headline ?? '';
  const [good, bad] = all.every(({ change }) => isTime(change)) ? ['faster', 'slower'] : ['better', 'worse'];
  const count = h('span', { class: 'faint', role: 'status' });
  const filter = h('input', { type: 'search', id: 'filter-changes', placeholder: 'words of names, verdicts', oninput: () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    drawn = all.filter(({ name, change }) => wanted.every((word) => `${name} ${verdictWords(change)}`.toLowerCase().includes(word)));
    count.textContent = drawn.length === all.length ? '' : `${drawn.length} of ${all.length} changes`;
    redraw();
  } });
  return section('comparison', 'Comparison',
    h('p', { class: 'headline' }, summary),
    h('p', {}, `${compared.sides.map(({ name }) => name).join(' → ')} · ${together(compared)} · margin ${percent(compared.margin)}`), ...means,
    ...compared.context.map(({ what, base, new: now }) => h('p', { class: 'doubt' }, `Apart from the compared variants, ${what} differs: ${base || 'none'} → ${now || 'none'}`)),
    all.length > FEW && h('div', { class: 'tools' }, h('label', { for: 'filter-changes' }, 'Filter'), filter, count),
    all.length > 0 && h('figure', {}, h('figcaption', {}, 'Changes with their intervals, worst first ', h('span', { class: 'faint' }, `(band: the margin; ▲ ${good}, ◆ ${bad}, ● same, ○ unclear${all.some((row) => beyond(row.change)) ? '; an arrow lies beyond the edge' : ''})`)),
      chart(`Changes of ${all.length} comparisons: ${summary}`, 60 + 24 * Math.min(all.length, shown) + 20, option)),
    closed('As a table, with all quantities', () => [
      long('Changes', ['case', 'quantity', compared.sides[0]!.name, 'new', 'change', `${+(compared.confidence * 100).toFixed(2)} % interval`, 'verdict', 'why'], rows.length, (at) => listed(rows[at]!))]),
    compared.pairing === 'paired' && closed('Components of mean times', () => [
      long('Components of mean times', ['case', 'side', 'observed', 'collections', 'pauses', 'turns left out', 'oldest process'], rows.length, (at) => observed(rows[at]!))]),
    ...compared.unknown.map((text) => h('p', { class: 'faint' }, text)));
}
