// All cases: a table that can be sorted by column and filtered by words.
import { atFloor, benchmarkOf, cases, data, keyOf, nameOf, stateOf, verdictOf, verdictWords, type ComparedSide, type Row } from './data';
import { AT_ONCE, breakable, h, s, section } from './dom';
import { interval, percent, rate, signed, time } from './format';

type Result = Row['variants'][number];
interface Line { index: number; name: string; one: Row; result: Result | null; element?: HTMLElement; words: string; warnings: string[]; side: ComparedSide | null }

interface Column { head: string; kind?: string; about: string; value: (line: Line) => number | string | null; cell: (line: Line) => Node | string }

const comparison = data.document.comparison;
const compared = new Map(data.compared.map((one) => [keyOf(one.id), one]));
const several = data.document.run.variants.length > 1;

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
    s('line', { x1: at(ends.lo), x2: at(ends.hi), y1: 7, y2: 7, class: 'reach' }),
    s('circle', { cx: at(own.value), cy: 7, r: 3.5, class: 'point' }));
}

/**
 * Returns the change of a side. There is none if one of the values is that of an empty body,
 * because the ratio would be meaningless.
 */
const ratio = (side: ComparedSide | null) => (side?.change && !atFloor(side.change) ? side.change.change : null);

/** The name for first calls, if another program would report those. Such cases have two times. */
const asRun = cases.find((one) => one.as_run)?.as_run ?? null;
const first = ({ result }: Line) => result?.time?.as_run ?? null;
const isSteady = asRun !== null && cases.every((one) => one.as_run);

const columns: Column[] = [
  {
    head: 'case', about: 'by name', value: ({ name }) => name,
    cell: ({ name, index }) => h('a', { href: `#case-${index}` }, ...breakable(name)),
  },
  ...(several ? [{ head: 'variant', about: 'by variant', value: ({ result }: Line) => result?.variant ?? '', cell: ({ result }: Line) => result?.variant ?? '' }] : []),
  ...(asRun ? [
    { head: asRun, about: 'by first calls', value: (line: Line) => first(line)?.value ?? null, cell: (line: Line) => (first(line) ? time(first(line)!.value) : '') },
    {
      head: 'from … to', about: 'by first calls', value: (line: Line) => first(line)?.value ?? null,
      cell: (line: Line) => (first(line)?.interval ? interval(first(line)!.interval!.lo, first(line)!.interval!.hi, time) : ''),
    },
  ] : []),
  { head: isSteady ? 'steady/op' : 'time/op', about: 'by typical time', value: (line) => typical(line)?.value ?? null, cell: (line) => (line.result?.time?.unwarmed ? 'one call' : typical(line) ? (line.result!.time!.at_floor ? '≤ ' : '') + time(typical(line)!.value) : stateOf(line.one)) },
  {
    head: `${+(data.document.run.settings.confidence * 100).toFixed(2)} % interval`, kind: 'range', about: 'by relative width', value: half,
    cell: (line) => {
      const own = typical(line);
      if (!own || line.result!.time!.unwarmed) return '';
      const { range, at_floor: atFloor } = line.result!.time!;
      if (atFloor) return 'at the floor';
      if (own.interval) return interval(own.interval.lo, own.interval.hi, time);
      return range ? `${interval(range.lo, range.hi, time)}, range of ${line.result!.processes}` : 'none';
    },
  },
  { head: '±', about: 'by relative width', value: half, cell: (line) => (half(line) === null ? '' : percent(half(line)!)) },
  { head: isSteady ? 'op/s, steady' : 'op/s', about: 'by rate', value: (line) => line.result?.time?.ops_per_second ?? null, cell: (line) => (line.result?.time?.ops_per_second ? (line.result.time.at_floor ? '≥ ' : '') + rate(line.result.time.ops_per_second) : '') },
  { head: 'mean', about: 'by mean time', value: (line) => line.result?.time?.mean.value ?? null, cell: (line) => (line.result?.time ? time(line.result.time.mean.value) : '') },
  ...(comparison ? [{
    head: 'change', about: 'by change', value: ({ side }: Line) => ratio(side)?.value ?? null,
    cell: ({ side }: Line) => {
      const change = ratio(side);
      const verdict = side?.change?.verdict ?? '';
      if (side && atFloor(side.change)) return h('span', { class: 'verdict unclear' }, 'at the floor');
      return change ? h('span', { class: `verdict ${verdict}` }, `${signed(change.value)} ${verdictOf(side!.change!)}`) : '';
    },
  }] : []),
  { head: 'among all', about: 'by typical time', value: (line) => typical(line)?.value ?? null, cell: bar },
  { head: 'processes', about: 'by number of processes', value: (line) => line.result?.processes ?? null, cell: (line) => String(line.result?.processes ?? '') },
  {
    head: 'warnings', about: 'by number of warnings', value: ({ warnings }) => warnings.length,
    cell: ({ warnings }) => h('span', {}, ...warnings.flatMap((code, at) => [at > 0 && ' ', h('a', { href: `#${code}` }, code)])),
  },
];

function lines(): Line[] {
  const warnings = new Map<number, string[]>();
  for (const { code, case: index } of [...data.document.warnings.filter(({ marks }) => marks), ...data.document.failures]) {
    if (index === null) continue;
    const own = warnings.get(index) ?? [];
    if (!own.includes(code)) own.push(code);
    warnings.set(index, own);
  }
  return cases.flatMap((one, index) => {
    const results: (Result | null)[] = one.variants.length > 0 ? one.variants : [null];
    return results.map((result) => {
      const name = nameOf(one.id, result && benchmarkOf(result.variant));
      const own = warnings.get(index) ?? [];
      const side = compared.get(keyOf(one.id))?.sides.find((side) => sideOf(side.side, result)) ?? null;
      const line: Line = { index, name, one, result, words: `${one.id.suite}/${name} ${result?.variant ?? ''} ${own.join(' ')} ${stateOf(one)} ${side?.verdict.replaceAll('-', ' ') ?? ''} ${side?.change ? verdictWords(side.change) : ''}`.toLowerCase(), warnings: own, side };
      return line;
    });
  });
}

/**
 * Number of rows shown at first. It keeps the rest of the page near, and lets a large report open
 * quickly.
 */
const FIRST = 100;

function row(line: Line): HTMLElement {
  line.element ??= h('tr', {}, ...columns.map((column, at) => (at === 0 ? h('th', { scope: 'row' }, column.cell(line)) : h('td', { class: column.kind }, column.cell(line)))));
  return line.element;
}

let current = -1;

/** Marks the case whose details are shown. */
export function mark(index = current): void {
  current = index;
  for (const link of document.querySelectorAll('#overview [aria-current]')) link.removeAttribute('aria-current');
  document.querySelector(`#overview a[href="#case-${index}"]`)?.setAttribute('aria-current', 'true');
}

/**
 * Returns true if a side of the comparison is this result: a variant of this run, or this run
 * compared with another.
 */
function sideOf(side: number, result: Result | null): boolean {
  const own = comparison!.sides[side]!;
  return own.run === data.document.run.id && own.variant === (result?.variant ?? '');
}

export function overview(): HTMLElement {
  const all = lines();
  let ordered = all;
  let room = FIRST;
  let rest = () => 0;
  const body = h('tbody');
  const count = h('p', { class: 'faint', role: 'status' });
  const more = h('button', { type: 'button', onclick: () => { room = rest() > 3 * AT_ONCE ? room + AT_ONCE : Infinity; show(); } });
  const filter = h('input', { type: 'search', id: 'filter', placeholder: 'words of names, codes, verdicts', autocomplete: 'off', oninput: () => show() });
  function show(): void {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const left = ordered.filter(({ words }) => wanted.every((word) => words.includes(word)));
    body.replaceChildren(...left.slice(0, room).map(row));
    count.textContent = left.length === all.length ? `${cases.length} cases` : `${left.length} of ${all.length} rows`;
    more.hidden = left.length <= room;
    rest = () => left.length - room;
    more.textContent = rest() > 3 * AT_ONCE ? `show ${AT_ONCE} more of ${left.length} rows` : `show all ${left.length} rows`;
    mark();
  }
  addEventListener('beforeprint', () => { room = Infinity; show(); });
  let order = 'none';
  let sorted = -1;
  const heads = columns.map((column, at) => {
    const head = h('th', { scope: 'col', 'aria-sort': 'none' }, h('button', { type: 'button', title: `sort ${column.about}`, onclick: () => sort(at) }, column.head));
    return head;
  });
  function sort(at: number): void {
    order = sorted === at && order === 'ascending' ? 'descending' : sorted === at && order === 'descending' ? 'none' : 'ascending';
    sorted = at;
    heads.forEach((head, index) => head.setAttribute('aria-sort', index === at ? order : 'none'));
    const way = order === 'descending' ? -1 : 1;
    const value = columns[at]!.value;
    ordered = order === 'none' ? all : [...all].sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
      return way * (typeof x === 'string' ? x.localeCompare(String(y), 'en', { numeric: true }) : x - Number(y));
    });
    show();
  }
  show();
  return section('overview', 'Overview',
    h('div', { class: 'tools' }, h('label', { for: 'filter' }, 'Filter'), filter, count),
    h('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'All cases' },
      h('table', { class: 'sortable' }, h('caption', { class: 'unseen' }, 'All cases; click a column header to sort'), h('thead', {}, h('tr', {}, ...heads)), body)),
    more);
}
