// Results by the values of a parameter.
import { chart, colour, lines, SYMBOLS, type Option } from './charts';
import { benchmarkOf, cases, data, nameOf, run, type Estimate } from './data';
import { closed, h, section, table } from './dom';
import { time } from './format';
import { figure } from './picture';

/** Number of lines drawn at once. A reader cannot follow more. */
const LINES = 10;

interface Point { x: string; estimate: Estimate; name: string }

const parameters = new Map<string, Set<string>>();
for (const one of cases) for (const [key, value] of one.id.params) parameters.set(key, (parameters.get(key) ?? new Set()).add(value));
const numeric = (key: string): boolean => [...(parameters.get(key) ?? [])].every((value) => value.trim() !== '' && Number.isFinite(Number(value)));
const keys = [...parameters].filter(([, values]) => values.size > 1).map(([key]) => key)
  .sort((a, b) => Number(numeric(b)) - Number(numeric(a)) || parameters.get(b)!.size - parameters.get(a)!.size);

/** Returns the series, which are cases that differ only in the parameter. */
function series(over: string): Map<string, Point[]> {
  const found = new Map<string, Point[]>();
  const suites = data.document.suites.length > 1;
  for (const one of cases) {
    const x = one.id.params.find(([key]) => key === over)?.[1];
    if (x === undefined) continue;
    const rest = one.id.params.filter(([key]) => key !== over && (parameters.get(key)?.size ?? 0) > 1).map(([key, value]) => `${key}=${value}`);
    for (const { variant, time: summary } of one.variants) {
      if (!summary) continue;
      const benchmark = benchmarkOf(variant) ?? one.id.benchmark;
      const name = [suites ? `${one.id.suite}/${benchmark}` : benchmark, ...rest, ...(run.variants.length > 1 && benchmark !== variant ? [variant] : [])].join(' ');
      const points = found.get(name) ?? [];
      points.push({ x, estimate: summary.typical, name: nameOf(one.id) });
      found.set(name, points);
    }
  }
  return new Map([...found].filter(([, points]) => points.length > 1));
}

/** Returns the intervals of a line's points, which the legend hides together with the line. */
function whiskers(name: string, points: Point[], stroke: string, numbers: boolean): Option {
  const known = points.filter(({ estimate }) => estimate.interval && estimate.interval.lo > 0);
  return {
    name, type: 'custom', silent: true, z: 1, itemStyle: { color: stroke }, encode: { x: 0, y: [1, 2] },
    data: known.map(({ x, estimate: { interval } }) => [numbers ? Number(x) : x, interval!.lo, interval!.hi]),
    renderItem: (_: unknown, api: { value: (index: number) => number; coord: (at: [number, number]) => [number, number] }) => {
      const [lo, hi] = [api.coord([api.value(0), api.value(1)]), api.coord([api.value(0), api.value(2)])];
      return { type: 'line', shape: { x1: lo[0], y1: lo[1], x2: hi[0], y2: hi[1] }, style: { stroke, lineWidth: 1.5 } };
    },
  };
}

/** Returns a table of the growth law of each curve, as far as it can be determined. */
function growth(over: string): HTMLElement | null {
  const curves = data.scalings.find((scaling) => scaling.over === over)?.curves.filter(({ exponent, law }) => exponent || law) ?? [];
  if (curves.length === 0) return null;
  const suites = data.document.suites.length > 1;
  const rows = curves.slice(0, 500).map(({ suite, benchmark, by, variant, law, exponent, off }) => [
    [suites ? `${suite}/${benchmark}` : benchmark, ...by.map(([key, value]) => `${key}=${value}`), ...(run.variants.length > 1 ? [variant] : [])].join(' '),
    law?.law ?? '–', law?.also.join(', ') ?? '',
    exponent ? exponent.value.toFixed(2) + (exponent.interval ? ` (${exponent.interval.lo.toFixed(2)} … ${exponent.interval.hi.toFixed(2)})` : '') : '–',
    off.join(', '),
  ]);
  const heads = ['case', 'law', 'not distinguishable from', 'exponent', 'deviates at'];
  // Columns without any value are omitted.
  const kept = heads.map((_, at) => rows.some((row) => !['', '–'].includes(row[at]!)));
  const only = <T>(row: T[]): T[] => row.filter((_, at) => kept[at]);
  return h('figure', {}, h('figcaption', {}, `Growth with ${over}`), table(`Growth with ${over}`, only(heads), rows.map(only)));
}

export function scaling(): HTMLElement | null {
  const usable = keys.filter((key) => series(key).size > 0);
  if (usable.length === 0) return null;
  let over = usable[0]!;
  const log = h('input', { type: 'checkbox', id: 'log', checked: true, onchange: () => show() });
  const filter = h('input', { type: 'search', id: 'lines', placeholder: 'filter lines', autocomplete: 'off', oninput: () => show() });
  const choose = h('select', { id: 'over', onchange: () => { over = choose.value; show(); } }, ...usable.map((key) => h('option', { value: key }, key)));
  const holder = h('div', {});
  function show(): void {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = [...series(over)].filter(([name]) => wanted.every((word) => name.toLowerCase().includes(word)));
    const drawn = all.slice(0, LINES);
    const numbers = numeric(over);
    const rows = Math.ceil(drawn.length / (innerWidth < 700 ? 2 : 4));
    const ticks = [...parameters.get(over)!].sort((a, b) => (numbers ? Number(a) - Number(b) : 0));
    const positive = !numbers || ticks.every((tick) => Number(tick) > 0);
    const option = (): Option => ({
      grid: { left: 76, right: 20, top: 24 + 27 * rows, bottom: 46 },
      legend: {},
      xAxis: { type: numbers ? (log.checked && positive ? 'log' : 'value') : 'category', data: numbers ? undefined : ticks, name: over, nameLocation: 'middle', nameGap: 28, ...(numbers ? { min: 'dataMin', max: 'dataMax' } : {}) },
      yAxis: { type: log.checked ? 'log' : 'value', axisLabel: { formatter: time } },
      dataZoom: [{ type: 'inside', zoomOnMouseWheel: 'ctrl' }],
      tooltip: {
        trigger: 'item',
        formatter: ({ seriesName, data: { point } }: { seriesName: string; data: { point: Point } }) =>
          lines(seriesName, `${over}=${point.x}: ${time(point.estimate.value)}`, point.estimate.interval && `${time(point.estimate.interval.lo)} … ${time(point.estimate.interval.hi)}`),
      },
      series: [...drawn.map(([name, points], at) => ({
        name, type: 'line', symbol: SYMBOLS[at % SYMBOLS.length], symbolSize: 8, itemStyle: { color: colour(at) }, lineStyle: { color: colour(at), type: at >= 7 ? 'dashed' : 'solid' },
        data: [...points].sort((a, b) => ticks.indexOf(a.x) - ticks.indexOf(b.x)).map((point) => ({ value: [numbers ? Number(point.x) : point.x, point.estimate.value], point })),
      })), ...drawn.map(([name, points], at) => whiskers(name, points, colour(at), numbers))],
    });
    const cell = (points: Point[], tick: string) => points.filter(({ x }) => x === tick).map(({ estimate }) => time(estimate.value)).join(', ');
    holder.replaceChildren(
      figure('', '', `Times along ${over}`, chart(`Times along ${over}: ${drawn.length} ${drawn.length === 1 ? 'line' : 'lines'}`, 340 + 27 * rows, option)),
      ...[growth(over)].filter((part) => part !== null),
      ...(all.length > drawn.length ? [h('p', { class: 'faint' }, `${drawn.length} of ${all.length} lines are drawn; filter for others`)] : []),
      closed('As a table', () => [table(`Times along ${over}`, ['case', ...ticks], all.slice(0, 500).map(([name, points]) => [name, ...ticks.map((tick) => cell(points, tick))]))]));
  }
  show();
  return section('scaling', 'Along a parameter',
    h('div', { class: 'tools' }, h('label', { for: 'over' }, 'Parameter'), choose, h('label', {}, log, ' logarithmic'), h('label', { for: 'lines' }, 'Lines'), filter), holder);
}
