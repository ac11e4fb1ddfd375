// The forest plot: a row for every change, with its interval and its numbers. The rows form a table, so
// that they can be read aloud, searched and followed. The axis stays in view.
import { current, follow } from './address';
import { FONT, dark, faint, ground, grid, ink, redrawn } from './charts';
import { data, verdictWords } from './data';
import { breakable, h, s } from './dom';
import { changeOf, entries, GROUPS, quantityOf, reachOf, wordOf, type Entry } from './entries';
import { signed } from './format';
import { linkTo } from './link';
import { mark } from './mark';
import { saving } from './picture';
import { filtering } from './words';

const compared = data.document.comparison;
const margin = compared?.margin ?? 0;
/** Number of rows that are created at once. Others follow when the plot is scrolled or printed. */
const SCREEN = 60;
/** Maximum number of rows in a picture. */
const PICTURED = 120;

const paint = (verdict: string): string => {
  if (verdict.startsWith('better')) return dark() ? '#2ec4a0' : '#00795a';
  if (verdict.startsWith('worse')) return dark() ? '#f5a05c' : '#b34700';
  return verdict === 'unclear' ? (dark() ? '#e6c13c' : '#7d5800') : faint();
};

/** The axis: its ends and its ticks, which are changes as shares. */
interface Axis { lo: number; hi: number; ticks: number[] }

/**
 * Returns the axis. It covers nearly all points. A point far from all others is drawn as an arrow at
 * the edge, so that it does not compress the rest. Intervals may extend beyond it, because one from
 * two processes can be wider than all others together.
 */
function axisOf(): Axis {
  const plotted = entries.flatMap(({ change: { change } }) => (change && Number.isFinite(change.value) ? [change] : []));
  const points = plotted.map(({ value }) => value).sort((a, b) => a - b);
  const at = (share: number) => points[Math.round(share * (points.length - 1))] ?? 0;
  const reach = Math.max(at(0.98) - at(0.02), 4 * margin) / 2;
  const least = (points[0] ?? 0) >= at(0.02) - 2 * reach ? points[0] ?? 0 : at(0.02);
  const most = (points.at(-1) ?? 0) <= at(0.98) + 2 * reach ? points.at(-1) ?? 0 : at(0.98);
  const lowest = plotted.reduce((low, { interval }) => Math.min(low, interval?.lo ?? 0), least);
  const highest = plotted.reduce((high, { interval }) => Math.max(high, interval?.hi ?? 0), most);
  const lo = Math.min(-1.5 * margin, Math.max(least - reach, lowest), 0);
  const hi = Math.max(1.5 * margin, Math.min(most + reach, highest), 0);
  const room = 0.05 * (hi - lo) || 0.01;
  const [from, to] = [lo - room, hi + room];
  const rough = (to - from) / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough)!;
  const first = Math.ceil(from / step);
  const ticks = Array.from({ length: Math.floor(to / step) - first + 1 }, (_, index) => (first + index) * step);
  return { lo: from, hi: to, ticks };
}

const axis = axisOf();
const share = (value: number): number => Math.min(1, Math.max(0, (value - axis.lo) / (axis.hi - axis.lo)));
const percent = (value: number): string => `${(100 * share(value)).toFixed(2)}%`;
const tickText = (value: number): string => (value === 0 ? '0' : signed(value, axis.hi - axis.lo < 0.05 ? 1 : 0));

/** Shapes of the points, around the origin. The verdict can be read without colours. */
const SHAPE: Record<string, string> = { worse: 'M0,-6 6,0 0,6 -6,0z', better: 'M0,-6 6,5 -6,5z', left: 'M-7,0 5,-6 5,6z', right: 'M7,0 -5,-6 -5,6z' };

/** Returns the mark of a change. `at` places a value along the axis. */
function marks({ change }: Entry, at: (value: number) => string, y: string): SVGElement[] {
  const found = change.change;
  if (!found || !Number.isFinite(found.value)) return [];
  const colour = paint(change.verdict);
  const beyond = found.value > axis.hi ? 'right' : found.value < axis.lo ? 'left' : '';
  const kind = change.verdict.split('-')[0]!;
  const path = SHAPE[beyond || kind];
  const point = path ? s('path', { d: path, fill: colour }) : s('circle', { r: 4.5, fill: kind === 'unclear' ? ground() : colour, stroke: colour, 'stroke-width': 2 });
  return [
    ...(found.interval ? [s('line', { x1: at(Math.max(found.interval.lo, -1)), x2: at(Number.isFinite(found.interval.hi) ? found.interval.hi : axis.hi), y1: y, y2: y, stroke: colour, 'stroke-width': 3 })] : []),
    s('svg', { x: at(found.value), y, overflow: 'visible', class: 'mark' }, point),
  ];
}

/** Returns the band of the margin, the line of no change, and thin lines at the ticks. */
const backdrop = (at: (value: number) => string, top: string, bottom: string, band: (lo: number, hi: number) => Record<string, string | number>): SVGElement[] => [
  s('rect', { ...band(-margin, margin), fill: faint(), opacity: 0.14 }),
  ...axis.ticks.map((tick) => s('line', { x1: at(tick), x2: at(tick), y1: top, y2: bottom, stroke: tick === 0 ? faint() : grid() })),
];

const plot = (entry: Entry): SVGElement => s('svg', { width: '100%', height: '100%', 'aria-hidden': 'true' },
  ...backdrop(percent, '0', '100%', (lo, hi) => ({ x: percent(lo), y: 0, height: '100%', width: `${(100 * (share(hi) - share(lo))).toFixed(2)}%` })), ...marks(entry, percent, '50%'));

/** The prefix that all names share, up to a slash. Rows omit it to save space. */
const common = ((): string => {
  const [first, ...others] = entries.map(({ name }) => name);
  if (!first || others.length === 0) return '';
  const parts = first.split(' ')[0]!.split('/').slice(0, -1).map((_, at, all) => `${all.slice(0, at + 1).join('/')}/`);
  return parts.reverse().find((part) => others.every((name) => name.startsWith(part))) ?? '';
})();

const named = (entry: Entry): (Node | string)[] => (entry.change.statistic === 'mean' || entry.change.metric !== 'time' ? [' ', h('span', { class: 'faint' }, quantityOf(entry.change))] : []);

/** Rows created so far. Typing in the filter shows them again. */
const made = new Map<Entry, HTMLElement>();

function row(entry: Entry): HTMLElement {
  const known = made.get(entry);
  if (known) return known;
  const { change, name, place } = entry;
  const short = breakable(name.slice(common.length));
  const label = place === undefined ? h('span', {}, ...short) : linkTo(place, ...short);
  const own = h('tr', {}, h('th', { scope: 'row' }, label, ...named(entry)), h('td', { class: 'plot' }, plot(entry)),
    h('td', { class: `verdict ${change.verdict}` }, changeOf(change)),
    h('td', { class: 'reach' }, wordOf(change) === 'at the floor' ? 'at the floor' : reachOf(change)));
  made.set(entry, own);
  return own;
}

const axisText = (): SVGElement => s('svg', { width: '100%', height: 20, 'aria-hidden': 'true', class: 'axis' },
  ...axis.ticks.filter((tick) => share(tick) > 0.02 && share(tick) < 0.98).map((tick) => s('text', { class: Math.round(tick / (axis.ticks[1]! - axis.ticks[0]!)) % 3 ? 'minor' : null, x: percent(tick), y: 15, 'text-anchor': 'middle', fill: faint(), 'font-size': 12 }, tickText(tick))));

/** Returns the rows as one drawing, for a picture. */
function drawing(rows: Entry[]): SVGElement {
  const [width, left, right, line] = [900, 300, 220, 24];
  const at = (value: number) => (left + share(value) * (width - left - right)).toFixed(1);
  const text = (x: number, y: number, words: string, fill = ink(), anchor = 'start') => s('text', { x, y, fill, 'text-anchor': anchor, 'font-size': 13, 'font-family': FONT }, words);
  const short = (words: string) => (words.length > 42 ? `${words.slice(0, 20)}…${words.slice(-21)}` : words);
  const shown = rows.slice(0, PICTURED);
  const bottom = 26 + line * shown.length;
  const parts = shown.flatMap((entry, index) => {
    const y = 26 + line * index + line / 2;
    return [text(12, y + 4, short(entry.name)), ...marks(entry, at, String(y)), text(width - right + 70, y + 4, changeOf(entry.change), paint(entry.change.verdict), 'end'), text(width - 12, y + 4, reachOf(entry.change), faint(), 'end')];
  });
  const rest = rows.length - shown.length;
  return s('svg', { width, height: bottom + (rest > 0 ? 26 : 8) },
    ...backdrop(at, '22', String(bottom), (lo, hi) => ({ x: at(lo), y: 22, height: bottom - 22, width: Number(at(hi)) - Number(at(lo)) })),
    ...axis.ticks.map((tick) => text(Number(at(tick)), 14, tickText(tick), faint(), 'middle')), ...parts,
    rest > 0 && text(12, bottom + 16, `and ${rest} more`, faint()));
}

/** Returns the plot of all changes. */
export function forest(summary: string): HTMLElement {
  const body = h('div', { class: 'scroll wide', tabindex: 0, role: 'region', 'aria-label': 'Changes with their intervals' });
  const count = h('p', { class: 'faint', role: 'status' });
  const heads = [[common ? `case: ${common} …` : 'case', ''], ['', 'plot'], ['change', ''], [`${+((compared?.confidence ?? 0.95) * 100).toFixed(2)} % interval`, 'reach']] as const;
  let shown: Entry[] = [];
  /** Creates the next rows, enough for one or two screens. Returns false if there are no more. */
  let further = (): boolean => false;
  const all = () => { while (further()); };
  function* parts(groups: (readonly [string, Entry[]])[], to: HTMLElement): Generator<void> {
    for (const [word, rows] of groups) {
      const group = h('tbody', { class: `group ${word.split(' ')[0]}` }, groups.length > 1 && h('tr', { class: 'head' }, h('th', { colspan: 4, scope: 'rowgroup' }, `${rows.length} ${word}`)),
        ...(word === 'unclear' ? data.unclear.filter((text) => text.includes('`')).map((text) => h('tr', { class: 'settle' }, h('td', { colspan: 4 }, ...code(text.replace(/^(\d+ )?unclear: /, ''))))) : []));
      to.append(group);
      for (let at = 0; at < rows.length; at += SCREEN) {
        group.append(...rows.slice(at, at + SCREEN).map(row));
        mark();
        yield;
      }
    }
  }
  function show(): void {
    const fits = filtering();
    const found = entries.filter(({ words }) => fits(words));
    const groups = GROUPS.map(([word, is]) => [word, found.filter(({ change }) => is(change.verdict))] as const).filter(([, rows]) => rows.length > 0);
    shown = groups.flatMap(([, rows]) => rows);
    const plot = h('table', { class: 'forest' }, h('caption', { class: 'unseen' }, `Changes of ${shown.length} comparisons: ${summary}`),
      h('thead', {}, h('tr', {}, ...heads.map(([text, kind]) => (kind === 'plot' ? h('th', { scope: 'col', class: kind }, h('span', { class: 'unseen' }, `change against ${compared!.sides[0]!.name}`), axisText()) : h('th', { scope: 'col', class: kind || null }, text))))));
    const rest = parts(groups, plot);
    further = () => !rest.next().done;
    for (let rows = 0; rows < SCREEN && further();) rows = plot.rows.length;
    body.replaceChildren(plot);
    count.textContent = shown.length === entries.length ? '' : `${shown.length} of ${entries.length} changes`;
  }
  body.addEventListener('scroll', () => { while (body.scrollTop + 2 * body.clientHeight > body.scrollHeight && further()); });
  addEventListener('beforeprint', all);
  let drawn = current().filter;
  follow(({ filter }) => { if (filter !== drawn) { drawn = filter; show(); } });
  redrawn(() => { made.clear(); show(); });
  show();
  const words = new Set(entries.map(({ change }) => verdictWords(change)));
  const shapes = [['worse', '◆ slower'], ['better', '▲ faster'], ['same', '● same'], ['unclear', '○ unclear']].filter(([kind]) => [...words].some((word) => word.includes(kind!))).map(([, text]) => text).join(', ');
  const caption = 'Changes, worst first';
  return h('figure', {}, h('figcaption', {}, h('span', {}, caption, ' ', h('span', { class: 'faint' }, `(${shapes}; band: margin ${signed(margin).replace('+', '±')})`)), saving(`${caption}: ${summary}`, () => drawing(shown))), count, body);
}

/** Converts words in backquotes to code. */
const code = (text: string): (Node | string)[] => text.split('`').map((part, at) => (at % 2 ? h('code', {}, part) : part));
