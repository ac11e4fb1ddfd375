// All cases: a table with a row for each, which users can sort by column and filter by words.
// Without a comparison, every variant has a row.
import { change, current, follow } from './address';
import { benchmarkOf, cases, data, keyOf, nameOf, stateOf, type Row } from './data';
import { AT_ONCE, breakable, h, s, section } from './dom';
import { changeOf, comparedAt, entries, reachOf, shownSides, wordOf, type Entry } from './entries';
import { interval, percent, quantity, rate, time } from './format';
import { linkTo } from './link';
import { mark } from './mark';
import { field, filtering } from './words';

type Result = Row['variants'][number];
/** A row of the table. `order` is its initial place, with the worst first. */
interface Line { index: number; name: string; one: Row; result: Result | null; element?: HTMLElement; words: string; warnings: string[]; sides: Map<number, Entry>; order: number }

/** A column. Columns of the kind `more` do not fit a phone. */
interface Column { key: string; head: string; kind?: string; about: string; value: (line: Line) => number | string | null; cell: (line: Line) => Node | string }

const comparison = data.document.comparison;
const several = !comparison && data.document.run.variants.length > 1;

const typical = (line: Line) => line.result?.time?.typical ?? null;
const half = (line: Line) => {
  const own = typical(line);
  return own?.interval ? (own.interval.hi - own.interval.lo) / 2 / own.value : null;
};

const positive = cases.flatMap((one) => one.variants.map((result) => result.time?.typical.value ?? 0)).filter((value) => value > 0);
const range = positive.reduce(([lo, hi], value) => [Math.min(lo, value), Math.max(hi, value)] as const, [Infinity, -Infinity] as const);
const place = (value: number): number => {
  const [lo, hi] = range;
  return hi > lo ? (100 * Math.log(Math.max(value, lo / 2) / lo)) / Math.log(hi / lo) : 50;
};

/** Returns a bar that shows the time of a case among all others, on a logarithmic scale. */
function bar(line: Line): Node | string {
  const own = typical(line);
  if (!own || own.value <= 0) return '';
  const ends = own.interval ?? { lo: own.value, hi: own.value };
  const at = (value: number) => Math.min(112, Math.max(8, 10 + place(value)));
  return s('svg', { width: 120, height: 14, viewBox: '0 0 120 14', 'aria-hidden': 'true', class: 'bar' },
    s('line', { x1: 8, x2: 112, y1: 7, y2: 7, class: 'rail' }),
    s('line', { x1: at(ends.lo), x2: at(ends.hi), y1: 7, y2: 7, class: 'span' }),
    s('circle', { cx: at(own.value), cy: 7, r: 3.5, class: 'point' }));
}

/** Name of the time that a case's own program would report. Cases with such a program have two times. */
const asRun = cases.find((one) => one.as_run)?.as_run ?? null;
const first = ({ result }: Line) => result?.time?.as_run ?? null;
const isSteady = asRun !== null && cases.every((one) => one.as_run);
const confidence = `${+((comparison ?? data.document.run.settings).confidence * 100).toFixed(2)} % interval`;

const nameColumn: Column = { key: 'case', head: 'case', about: 'by name', value: ({ name }) => name, cell: ({ name, index }) => linkTo(index, ...breakable(name)) };
const lastColumns: Column[] = [
  {
    key: 'processes', head: 'processes', kind: 'more', about: 'by number of processes', value: ({ result, one }) => (result ?? one.variants[0])?.processes ?? null,
    cell: ({ result, one }) => (result ? String(result.processes) : [...new Set(one.variants.map(({ processes }) => processes))].join(', ')),
  },
  {
    key: 'warnings', head: 'warnings', kind: 'more', about: 'by number of warnings', value: ({ warnings }) => warnings.length,
    cell: ({ warnings }) => h('span', {}, ...warnings.flatMap((code, at) => [at > 0 && ' ', h('a', { href: `#${code}` }, code)])),
  },
];

/** The columns of a run: the times of each variant. */
const runColumns = (): Column[] => [
  nameColumn,
  ...(several ? [{ key: 'variant', head: 'variant', about: 'by variant', value: ({ result }: Line) => result?.variant ?? '', cell: ({ result }: Line) => result?.variant ?? '' }] : []),
  ...(asRun ? [
    { key: 'first', head: asRun, about: 'by first calls', value: (line: Line) => first(line)?.value ?? null, cell: (line: Line) => (first(line) ? time(first(line)!.value) : '') },
    {
      key: 'reach', head: 'from … to', kind: 'more', about: 'by first calls', value: (line: Line) => first(line)?.value ?? null,
      cell: (line: Line) => (first(line)?.interval ? interval(first(line)!.interval!.lo, first(line)!.interval!.hi, time) : ''),
    },
  ] : []),
  { key: 'time', head: isSteady ? 'steady/op' : 'time/op', about: 'by typical time', value: (line) => typical(line)?.value ?? null, cell: (line) => (line.result?.time?.unwarmed ? 'one call' : typical(line) ? (line.result!.time!.at_floor ? '≤ ' : '') + time(typical(line)!.value) : stateOf(line.one)) },
  {
    key: 'width', head: confidence, kind: 'more range', about: 'by relative width', value: half,
    cell: (line) => {
      const own = typical(line);
      if (!own || line.result!.time!.unwarmed) return '';
      const { range, at_floor: atFloor } = line.result!.time!;
      if (atFloor) return 'at the floor';
      if (own.interval) return interval(own.interval.lo, own.interval.hi, time);
      return range ? `${interval(range.lo, range.hi, time)}, range of ${line.result!.processes}` : 'none';
    },
  },
  { key: 'half', head: '±', about: 'by relative width', value: half, cell: (line) => (half(line) === null ? '' : percent(half(line)!)) },
  { key: 'rate', head: isSteady ? 'op/s, steady' : 'op/s', kind: 'more', about: 'by rate', value: (line) => line.result?.time?.ops_per_second ?? null, cell: (line) => (line.result?.time?.ops_per_second ? (line.result.time.at_floor ? '≥ ' : '') + rate(line.result.time.ops_per_second) : '') },
  { key: 'mean', head: 'mean', kind: 'more', about: 'by mean time', value: (line) => line.result?.time?.mean.value ?? null, cell: (line) => (line.result?.time ? time(line.result.time.mean.value) : '') },
  { key: 'among', head: 'among all', kind: 'more', about: 'by typical time', value: (line) => typical(line)?.value ?? null, cell: bar },
  ...lastColumns,
];

/** Returns the time of a side in the comparison, or in the run if there is no change. */
function sideTime({ one, sides }: Line, side: number): { value: number; text: string } | null {
  const entry = sides.get(side || shownSides.find((own) => sides.has(own)) || 0);
  if (entry) {
    const { at_floor, unit } = { at_floor: entry.own.change?.reason === 'at-floor', unit: entry.change.unit };
    const value = side === 0 ? entry.change.base : entry.change.new;
    return { value, text: (at_floor ? '≤ ' : '') + quantity(value, unit) };
  }
  const of = comparison!.sides[side]!;
  const own = of.run === data.document.run.id ? one.variants.find(({ variant }) => variant === of.variant)?.time : null;
  return own ? { value: own.typical.value, text: time(own.typical.value) } : null;
}

const SEVERITY = ['worse', 'worse-within-margin', 'unclear', 'same', 'better-within-margin', 'better'];

/** The columns of a comparison: both sides of each case, and the change. */
const comparedColumns = (): Column[] => {
  const name = (side: number) => comparison!.sides[side]!.name;
  const sideColumn = (side: number): Column => ({
    key: `side${side}`, head: name(side), kind: 'more', about: `by the time of ${name(side)}`, value: (line) => sideTime(line, side)?.value ?? null,
    cell: (line) => sideTime(line, side)?.text ?? (side === 0 && line.sides.size === 0 ? stateOf(line.one) : '–'),
  });
  const change = (side: number): Column[] => {
    const at = side === shownSides[0] ? '' : String(side);
    const own = (line: Line) => line.sides.get(side)?.change;
    const seen = (line: Line, text: (change: NonNullable<ReturnType<typeof own>>) => string) => {
      const found = own(line);
      return found ? h('span', { class: `verdict ${found.verdict}` }, text(found)) : '';
    };
    return [
      { key: `change${at}`, head: 'change', about: 'by change', value: (line) => (own(line)?.reason === 'at-floor' ? null : own(line)?.change?.value ?? null), cell: (line) => seen(line, (found) => (found.reason === 'at-floor' ? '' : changeOf(found))) },
      ...(shownSides.length === 1 ? [{ key: 'reach', head: confidence, kind: 'more', about: 'by the width of the interval', value: (line: Line) => { const found = own(line)?.change?.interval; return found ? found.hi - found.lo : null; }, cell: (line: Line) => (own(line) ? reachOf(own(line)!) : '') }] : []),
      { key: `verdict${at}`, head: 'verdict', about: 'by verdict', value: (line) => (own(line) ? SEVERITY.indexOf(own(line)!.verdict) : null), cell: (line) => seen(line, wordOf) },
    ];
  };
  return [nameColumn, sideColumn(0), ...shownSides.flatMap((side) => [sideColumn(side), ...change(side)]), ...lastColumns];
};

function lines(): Line[] {
  const warnings = new Map<number, string[]>();
  for (const { code, case: index } of [...data.document.warnings.filter(({ marks }) => marks), ...data.document.failures]) {
    if (index === null) continue;
    const own = warnings.get(index) ?? [];
    if (!own.includes(code)) own.push(code);
    warnings.set(index, own);
  }
  const byCase = new Map<number, Entry[]>();
  for (const entry of entries) byCase.set(entry.index, [...byCase.get(entry.index) ?? [], entry]);
  const all = cases.flatMap((one, index) => {
    const results: (Result | null)[] = comparison || one.variants.length === 0 ? [comparison ? null : one.variants[0] ?? null] : one.variants;
    const at = comparedAt.get(keyOf(one.id));
    const sides = new Map((at === undefined ? [] : byCase.get(at) ?? []).map((entry) => [entry.own.side, entry]));
    return results.map((result): Line => {
      const name = comparison && sides.size > 0 ? [...new Set([...sides.values()].map((entry) => nameOf(one.id, comparison.sides[entry.own.side]!.benchmark)))].join(' / ') : nameOf(one.id, result && benchmarkOf(result.variant));
      const own = warnings.get(index) ?? [];
      const words = `${one.id.suite}/${name} ${result?.variant ?? ''} ${own.join(' ')} ${stateOf(one)} ${[...sides.values()].map((entry) => entry.words).join(' ')}`.toLowerCase();
      return { index, name, one, result, words, warnings: own, sides, order: at === undefined ? Infinity : data.compared[at]!.order };
    });
  });
  return comparison ? all.sort((a, b) => (a.order === b.order ? a.index - b.index : a.order - b.order)) : all;
}

/**
 * Number of rows shown at first. It keeps the rest of the page within reach, and lets a large report
 * open quickly.
 */
const FIRST = 30;

/** Returns the case to show first: the worst, or else the first that was measured. */
export const firstCase = (): number => entries.find(({ place }) => place !== undefined)?.place ?? cases.findIndex(({ variants }) => variants.length > 0);

export function overview(): HTMLElement {
  const all = lines();
  // Two columns are omitted if they are empty.
  const columns = (comparison ? comparedColumns() : runColumns()).filter(({ key, value }) => !['half', 'warnings'].includes(key) || all.some((line) => value(line)));
  let room = FIRST;
  let rest = 0;
  const row = (line: Line): HTMLElement => line.element ??= h('tr', {}, ...columns.map((column, at) => (at === 0 ? h('th', { scope: 'row' }, column.cell(line)) : h('td', { class: column.kind }, column.cell(line)))));
  const body = h('tbody');
  const count = h('p', { class: 'faint', role: 'status' });
  const more = h('button', { type: 'button', onclick: () => { room = rest > 3 * AT_ONCE ? room + AT_ONCE : Infinity; show(); } });
  const heads = columns.map((column) => h('th', { scope: 'col', class: column.kind, 'aria-sort': 'none' }, h('button', { type: 'button', title: `sort ${column.about}`, onclick: () => turn(column.key) }, column.head)));

  /** Returns the lines in the order that the address names. */
  function ordered(): Line[] {
    const down = current().sort.startsWith('-');
    const column = columns.find(({ key }) => key === current().sort.replace(/^-/, ''));
    heads.forEach((head, at) => head.setAttribute('aria-sort', columns[at] !== column ? 'none' : down ? 'descending' : 'ascending'));
    if (!column) return all;
    const way = down ? -1 : 1;
    return all.map((line) => [column.value(line), line] as const).sort(([x], [y]) => {
      if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
      return way * (typeof x === 'string' ? x.localeCompare(String(y), 'en', { numeric: true }) : x - Number(y));
    }).map(([, line]) => line);
  }
  function show(): void {
    const fits = filtering();
    const left = ordered().filter(({ words }) => fits(words));
    body.replaceChildren(...left.slice(0, room).map(row));
    const unit = several ? 'rows' : all.length === 1 ? 'case' : 'cases';
    count.textContent = left.length === all.length ? `${all.length} ${unit}` : `${left.length} of ${all.length} ${unit}`;
    rest = left.length - room;
    more.hidden = rest <= 0;
    more.textContent = rest > 3 * AT_ONCE ? `show ${AT_ONCE} more of ${left.length} ${unit}` : `show all ${left.length} ${unit}`;
    mark();
  }
  /** Sorts by a column: upwards, then downwards, then not at all. */
  function turn(key: string): void {
    const next: Record<string, string> = { [key]: `-${key}`, [`-${key}`]: '' };
    change({ sort: next[current().sort] ?? key });
  }
  addEventListener('beforeprint', () => { room = Infinity; show(); });
  let drawn = '';
  const wanted = () => `${current().filter}\n${current().sort}`;
  follow(() => { if (wanted() !== drawn) { drawn = wanted(); show(); } });
  drawn = wanted();
  show();
  return section('overview', comparison ? 'Cases' : 'Overview',
    h('div', { class: 'tools' }, ...(comparison ? [] : field([])), count),
    h('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'All cases' },
      h('table', { class: comparison ? 'sortable compared' : 'sortable' }, h('caption', { class: 'unseen' }, 'All cases; click a column header to sort'), h('thead', {}, h('tr', {}, ...heads)), body)),
    more);
}
