// The chart of a case: values over dates or commits, as SVG. The mouse, a finger and the keyboard choose a point; dragging
// enlarges a part. The table of points below it has the same content.
import { colour, faint, FONT, grid, ground, ink } from '../colours';
import { h, s } from '../dom';
import { day, growth, onAxis, signed } from '../format';
import { dateTicks, valuesScale, type Tick, type Values } from './axis';
import type { Point } from './data';
import { median, type Chart, type Line } from './lines';
import { isReal, paint as paintOf, sizeOf, stateWord, toneOf, valueOf } from './words';

export interface Place { line: Line; index: number }
export interface Plot {
  element: HTMLElement; stop: () => void; draw: () => void; reset: (since?: number) => void; isWhole: () => boolean;
  /** Lines that are not shown. */
  hidden: Set<Line>;
  by: 'date' | 'commit';
}
interface Told { choose: (place: Place) => void; point: (place: Place) => string[]; zoomed: () => void }

/** Number of visible points up to which each has a mark. */
const MARKED = 240;
const LANE = 17;
const SHAPES = ['M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0', 'M-2.7,-2.7H2.7V2.7H-2.7z', 'M0,-3.6 3.4,2.6 -3.4,2.6z', 'M0,-3.8 3.8,0 0,3.8 -3.8,0z'];
export const shapeOf = (at: number): string => SHAPES[at % SHAPES.length]!;

export function plotOf(chart: Chart, label: string, told: Told): Plot {
  let whole: [number, number] = [0, 1];
  let shown: [number, number] = whole;
  let cursor: Place | null = null;
  let pinned: Place | null = null;
  let brush: [number, number] | null = null;
  let frame = { left: 66, right: 14, top: 10, bottom: 30, width: 800, height: 380 };
  let scale: Values = valuesScale(0, 1, false);
  const picture = s('svg', { role: 'presentation', 'aria-hidden': 'true' });
  const over = s('g');
  const tip = h('div', { class: 'tip', hidden: true });
  const spoken = h('span', { class: 'unseen', role: 'status' });
  const area = h('div', { class: 'plot', tabindex: 0, role: 'application', 'aria-roledescription': 'chart', 'aria-label': `${label}. Left and right move between points, up and down between machines, Enter chooses a point, plus and minus zoom, 0 shows all.` }, picture as unknown as Node, tip);
  const element = h('div', {}, area, spoken);
  const plot: Plot = { element, draw, reset, hidden: new Set(), by: 'date', isWhole: () => shown[0] === whole[0] && shown[1] === whole[1], stop: () => observer.disconnect() };

  const visible = (): Line[] => chart.lines.filter((line) => !plot.hidden.has(line));
  const xs = (line: Line): number[] => (plot.by === 'date' ? line.dates : line.ranks);
  const inside = () => frame.width - frame.left - frame.right;
  const x = (at: number): number => frame.left + ((at - shown[0]) / (shown[1] - shown[0])) * inside();
  const y = (value: number): number => frame.top + (1 - Math.max(-0.5, Math.min(1.5, scale.place(value)))) * (frame.height - frame.top - frame.bottom);
  const back = (px: number): number => shown[0] + ((px - frame.left) / inside()) * (shown[1] - shown[0]);

  /** Finds the ends of the axis for the visible lines. */
  function measure(): void {
    let [least, most] = [Infinity, -Infinity];
    for (const line of visible()) for (const at of xs(line)) [least, most] = [Math.min(least, at), Math.max(most, at)];
    if (!(least <= most)) [least, most] = [0, 1];
    const room = (most - least) * 0.015 || (plot.by === 'date' ? 43_200_000 : 1);
    whole = [least - room, most + room];
  }

  function reset(since?: number): void {
    measure();
    shown = whole;
    if (since !== undefined) {
      const first = Math.min(...visible().map((line) => xs(line)[line.dates.findIndex((at) => at >= since)] ?? Infinity));
      if (Number.isFinite(first) && first < whole[1]) shown = [first - (whole[1] - first) * 0.02, whole[1]];
    }
    draw();
  }

  /** Returns the points of a line in the visible part, as indices, with one more at each end. */
  function range(line: Line): [number, number] {
    const all = xs(line);
    let from = all.findIndex((at) => at >= shown[0]);
    let end = all.findIndex((at) => at > shown[1]);
    if (end < 0) end = all.length;
    if (from < 0) from = all.length;
    end = Math.max(from, end);
    return [Math.max(0, from - 1), Math.min(all.length, end + 1)];
  }

  /** Returns the ends of the values. A lone outlier does not compress the rest: it is drawn at the edge. */
  function ends(): Values {
    const [kept, all, below, above]: [number[], number[], number[], number[]] = [[], [], [], []];
    for (const line of visible()) {
      const [from, end] = range(line);
      for (let at = from; at < end; at++) {
        const { value, interval } = line.points[at]!;
        all.push(value);
        kept.push(median([line.points[at - 1]?.value ?? value, value, line.points[at + 1]?.value ?? value]));
        if (interval) below.push(value - interval.lo), above.push(interval.hi - value);
      }
    }
    if (all.length === 0) return valuesScale(0, 1, false);
    const limits = (of: number[]) => of.reduce(([lo, hi], value): [number, number] => [Math.min(lo, value), Math.max(hi, value)], [Infinity, -Infinity] as [number, number]);
    let [lo, hi] = limits(kept);
    const least = 0.004 * Math.max(Math.abs(lo), Math.abs(hi));
    const span = Math.max(hi - lo, least);
    [lo, hi] = limits(all.filter((value) => value >= lo - 1.5 * span && value <= hi + 1.5 * span));
    // Typical intervals are in view, unless they would make the values look flat.
    const room = all.length > 2 ? 4 * Math.max(hi - lo, least) : Infinity;
    const isPositive = limits(all)[0] > 0 && !isRelative();
    if (below.length > 0) [lo, hi] = [Math.max(lo - Math.min(Math.max(0, median(below)), room), isPositive ? lo / 2 : -Infinity), hi + Math.min(Math.max(0, median(above)), room)];
    if (hi - lo < least) [lo, hi] = [(lo + hi - least) / 2, (lo + hi + least) / 2];
    return valuesScale(lo, hi, isPositive);
  }

  function draw(): void {
    if (shown === whole || !(shown[1] > shown[0])) { measure(); shown = whole; }
    const narrow = area.clientWidth < 520;
    const lanes = [chart.releases.some(({ date, rank }) => visibleAt(plot.by === 'date' ? date : rank)), visible().some(({ breaks }) => breaks.length > 0)];
    frame = { left: narrow ? 54 : 70, right: narrow ? 8 : 16, top: 14 + LANE * lanes.filter(Boolean).length, bottom: 30, width: Math.max(200, area.clientWidth), height: narrow ? 320 : 400 };
    scale = ends();
    frame.left = Math.max(frame.left, ...scale.ticks.map((tick) => 18 + 6.6 * writer()(tick).length));
    picture.setAttribute('width', String(frame.width));
    picture.setAttribute('height', String(frame.height));
    picture.setAttribute('font-family', FONT);
    picture.setAttribute('font-size', '12');
    const clip = s('clipPath', { id: 'plot-area' }, s('rect', { x: frame.left, y: frame.top - 6, width: inside(), height: frame.height - frame.top - frame.bottom + 12 }));
    const lines = visible();
    const few = lines.reduce((sum, line) => { const [from, end] = range(line); return sum + end - from; }, 0) <= MARKED;
    picture.replaceChildren(s('defs', {}, clip), ...gridLines(), ...(lanes[0] ? releases() : []), ...breaks(lines, lanes[0] ? 1 : 0),
      s('g', { 'clip-path': 'url(#plot-area)' }, ...lines.map((line) => body(line, few))), ...changes(lines), over);
    hover();
    told.zoomed();
  }

  const visibleAt = (at: number): boolean => at >= shown[0] && at <= shown[1];

  function ticks(): Tick[] {
    const count = Math.max(2, Math.floor(inside() / 90));
    if (plot.by === 'date') return dateTicks(shown[0], shown[1], count);
    const step = Math.max(1, Math.ceil((shown[1] - shown[0]) / Math.max(2, Math.floor(inside() / 110))));
    const [from, to] = [Math.max(0, Math.ceil(shown[0])), Math.min(chart.ids.length - 1, Math.floor(shown[1]))];
    return Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, index) => {
      const at = from + index * step;
      const { commit, at: date } = chart.ids[at]!;
      return { at, isMain: false, text: commit ? commit.hash.slice(0, 8) : day(date) };
    });
  }

  /** Returns the function that formats ticks of values. Units of others may be long. */
  function writer(): (value: number) => string {
    if (isRelative()) return (value) => signed(value, 1);
    const write = scale.isLog ? (value: number) => onAxis(unit(), value, value)(value) : onAxis(unit(), Math.max(Math.abs(scale.lo), Math.abs(scale.hi)), scale.step);
    return (value) => { const text = write(value); return text.length > 16 ? `${text.slice(0, 15)}…` : text; };
  }

  function gridLines(): SVGElement[] {
    const write = writer();
    const bottom = frame.height - frame.bottom;
    return [
      ...scale.ticks.flatMap((tick) => [
        s('line', { x1: frame.left, x2: frame.width - frame.right, y1: y(tick), y2: y(tick), stroke: grid() }),
        s('text', { x: frame.left - 8, y: y(tick) + 4, 'text-anchor': 'end', fill: faint() }, write(tick)),
      ]),
      s('line', { x1: frame.left, x2: frame.width - frame.right, y1: bottom, y2: bottom, stroke: faint() }),
      ...ticks().flatMap(({ at, text, isMain }) => [
        s('line', { x1: x(at), x2: x(at), y1: bottom, y2: bottom + 5, stroke: faint() }),
        s('text', { x: Math.min(frame.width - 14, Math.max(frame.left, x(at))), y: bottom + 20, 'text-anchor': 'middle', fill: isMain ? ink() : faint(), 'font-weight': isMain ? 600 : 400 }, text),
      ]),
      scale.isLog && s('text', { x: frame.width - frame.right, y: bottom - 6, 'text-anchor': 'end', fill: faint() }, 'log scale'),
    ].filter((one): one is SVGElement => Boolean(one));
  }

  const isRelative = (): boolean => (chart.lines[0]?.history.row.against ?? null) !== null;
  const unit = (): string => chart.lines[0]?.history.row.figure.unit ?? '';

  /** Returns labels in a lane, without those that would overlap, and a line below each. */
  function lane(items: { at: number; text: string; whole: string; colour: string; dash: string }[], top: number): SVGElement[] {
    const sorted = items.filter(({ at }) => visibleAt(at)).sort((a, b) => b.at - a.at);
    const bottom = frame.height - frame.bottom;
    let free = Infinity;
    const many = sorted.length > 40;
    return sorted.flatMap((item) => {
      const text = item.text.length > 30 ? `${item.text.slice(0, 29)}…` : item.text;
      const width = 7 + text.length * 6.6;
      const left = Math.max(frame.left - 40, Math.min(x(item.at) + 4, frame.width - width));
      const fits = left + width < free;
      if (fits) free = left;
      if (!fits && many) return [];
      return [
        s('line', { x1: x(item.at), x2: x(item.at), y1: fits ? top + 3 : frame.top, y2: bottom, stroke: item.colour, 'stroke-dasharray': item.dash, 'stroke-opacity': fits ? 0.75 : 0.35 }),
        ...(fits ? [s('text', { x: left, y: top + 12, fill: item.colour }, text, item.whole !== text && s('title', {}, item.whole))] : []),
      ];
    });
  }

  const releases = (): SVGElement[] => lane(chart.releases.map(({ name, date, rank }) => ({ at: plot.by === 'date' ? date : rank, text: name, whole: name, colour: faint(), dash: '2 3' })), 4);

  /** Returns the breaks, each between the two points around it. */
  const breaks = (lines: Line[], row: number): SVGElement[] => lane(lines.flatMap((line) => line.breaks.map(({ point, text, whole: all }) => (
    { at: (xs(line)[point - 1]! + xs(line)[point]!) / 2, text, whole: `${line.name}: ${all}`, colour: lines.length > 1 ? colour(line.at) : ink(), dash: '6 3' }))), 4 + row * LANE);

  /** Returns the intervals, values and levels of a line. */
  function body(line: Line, few: boolean): SVGElement {
    const [from, end] = range(line);
    const all = xs(line);
    const paint = colour(line.at);
    const at = (index: number, value: number) => `${x(all[index]!).toFixed(1)},${y(value).toFixed(1)}`;
    const parts: [number, number][] = [];
    for (let index = from; index < end; index++) {
      const part = parts.at(-1);
      if (part && line.points[index]!.conditions === line.points[index - 1]!.conditions) part[1] = index;
      else parts.push([index, index]);
    }
    let values = '';
    for (const [first, last] of parts) for (let index = first; index <= last; index++) values += `${index === first ? 'M' : 'L'}${at(index, line.points[index]!.value)}`;
    const indices = Array.from({ length: end - from }, (_, index) => from + index);
    const known = indices.filter((index) => line.points[index]!.interval);
    const bars = known.map((index) => { const { lo, hi } = line.points[index]!.interval!; return `M${at(index, lo)}L${at(index, hi)}`; }).join('');
    const bands = few ? '' : parts.map(([first, last]) => band(line, first, last, at)).join('');
    const levels = line.levels.length > 1 || !few ? line.levels.filter(({ from: first, values }) => first + values.length > from && first < end) : [];
    const beyond = indices.filter((index) => { const place = scale.place(line.points[index]!.value); return place < 0 || place > 1; });
    return s('g', {},
      s('path', few ? { d: bars, stroke: paint, 'stroke-opacity': 0.45, 'stroke-width': 1.5 } : { d: bands, fill: paint, 'fill-opacity': 0.16 }),
      s('path', { d: values, fill: 'none', stroke: paint, 'stroke-width': few ? 1.5 : 1, 'stroke-opacity': levels.length > 0 ? 0.55 : 1, 'stroke-linejoin': 'round' }),
      ...levels.map(({ from: first, values: own }) => s('path', { d: own.map((value, index) => `${index > 0 ? 'L' : 'M'}${at(first + index, value)}`).join(''), 'stroke-linejoin': 'round', stroke: paint, 'stroke-width': 2.5, 'stroke-linecap': 'round', fill: 'none' })),
      ...(few ? indices.map((index) => s('path', { d: shapeOf(line.at), fill: paint, transform: `translate(${at(index, line.points[index]!.value)})` })) : []),
      ...beyond.map((index) => { const up = scale.place(line.points[index]!.value) > 1; return s('path', { d: up ? 'M0,-6 5,3 -5,3z' : 'M0,6 5,-3 -5,-3z', fill: paint, transform: `translate(${x(all[index]!).toFixed(1)},${up ? frame.top + 2 : frame.height - frame.bottom - 4})` }); }));
  }

  function band(line: Line, first: number, last: number, at: (index: number, value: number) => string): string {
    let [there, back] = ['', ''];
    for (let index = first; index <= last; index++) {
      const { value, interval } = line.points[index]!;
      there += `${there ? 'L' : 'M'}${at(index, interval?.hi ?? value)}`;
      back = `L${at(index, interval?.lo ?? value)}${back}`;
    }
    return `${there}${back}z`;
  }

  /** Returns the marks of changes: filled if confirmed, hollow if new, a cross if not confirmed. */
  function changes(lines: Line[]): SVGElement[] {
    const taken: [number, number][] = [];
    return lines.flatMap((line) => line.changes.flatMap((change): SVGElement[] => {
      if (change.point === null || !line.points[change.point] || !visibleAt(xs(line)[change.point]!)) return [];
      const level = line.levels.find(({ from }) => from === change.point)?.values[0] ?? line.points[change.point]!.value;
      const figure = line.history.row.figure;
      const tone = paintOf(toneOf(figure, change));
      const up = (change.change ?? 0) > 0;
      const [left, top] = [x(xs(line)[change.point]!), Math.max(frame.top + 8, Math.min(frame.height - frame.bottom - 8, y(level) + (up ? -16 : 16)))];
      const filled = change.state === 'confirmed' || change.state === 'accepted';
      const shape = change.isMachine || change.state === 'not-confirmed' ? s('path', { d: 'M-4,-4 4,4M-4,4 4,-4', stroke: faint(), 'stroke-width': 2 })
        : s('path', { d: up ? 'M0,-6 6,5 -6,5z' : 'M0,6 6,-5 -6,-5z', fill: filled ? tone : ground(), stroke: tone, 'stroke-width': 2, 'stroke-linejoin': 'round' });
      const text = change.isMachine ? 'machine' : change.change === null ? '' : growth(change.change);
      const before = left + 62 > frame.width - frame.right;
      const from = before ? left - 62 : left - 6;
      const near = taken.some(([a, b]) => Math.abs(a - from) < 68 && Math.abs(b - top) < 15);
      if (!near) taken.push([from, top]);
      return [s('g', { transform: `translate(${left.toFixed(1)},${top.toFixed(1)})` }, shape, s('title', {}, `${sizeOf(figure, change.change)}, ${stateWord(change.state)}`),
        !near && s('text', { x: before ? -10 : 10, y: 4, 'text-anchor': before ? 'end' : 'start', fill: isReal(change) ? tone : faint(), 'font-weight': 600, stroke: ground(), 'stroke-width': 3, 'paint-order': 'stroke' }, text))];
    }));
  }

  /** Draws what follows the pointer: the crosshair, the ring of a point, and the part that is dragged over. */
  function hover(): void {
    const parts: SVGElement[] = [];
    const bottom = frame.height - frame.bottom;
    if (brush) parts.push(s('rect', { x: Math.min(...brush), y: frame.top, width: Math.abs(brush[1] - brush[0]), height: bottom - frame.top, fill: colour(0), 'fill-opacity': 0.15 }));
    for (const [place, strong] of [[cursor, false], [pinned, true]] as const) {
      if (!place || plot.hidden.has(place.line) || !visibleAt(xs(place.line)[place.index]!)) continue;
      const [left, top] = [x(xs(place.line)[place.index]!), Math.max(frame.top, Math.min(bottom, y(place.line.points[place.index]!.value)))];
      parts.push(s('line', { x1: left, x2: left, y1: frame.top, y2: bottom, stroke: faint(), 'stroke-opacity': strong ? 0.8 : 0.4 }), s('circle', { cx: left, cy: top, r: 6, fill: strong ? colour(place.line.at) : ground(), stroke: strong ? ground() : colour(place.line.at), 'stroke-width': 2.5 }));
    }
    over.replaceChildren(...parts);
    tip.hidden = !cursor || Boolean(brush);
    if (!cursor || brush) return;
    const texts = told.point(cursor);
    tip.replaceChildren(...texts.map((text, at) => h(at === 0 ? 'strong' : 'span', {}, text)));
    const left = x(xs(cursor.line)[cursor.index]!);
    const [width, height] = [tip.offsetWidth, tip.offsetHeight];
    const top = y(cursor.line.points[cursor.index]!.value);
    tip.style.left = `${Math.max(0, Math.min(frame.width - width, left + 14 + width > frame.width ? left - width - 14 : left + 14))}px`;
    tip.style.top = `${Math.max(0, Math.min(frame.height - height, top - height - 10 < frame.top ? top + 14 : top - height - 10))}px`;
  }

  function nearest(px: number, py: number): Place | null {
    let best: Place | null = null;
    let least = Infinity;
    for (const line of visible()) {
      const [from, end] = range(line);
      for (let index = from; index < end; index++) {
        const at = xs(line)[index]!;
        if (!visibleAt(at)) continue;
        // Distances along the axis count more, so that a line is easy to follow.
        const distance = 3 * Math.abs(x(at) - px) + Math.abs(y(line.points[index]!.value) - py);
        if (distance < least) [best, least] = [{ line, index }, distance];
      }
    }
    return best;
  }

  function zoom(from: number, to: number): void {
    const [lo, hi] = [Math.max(whole[0], Math.min(from, to)), Math.min(whole[1], Math.max(from, to))];
    if (hi - lo < (whole[1] - whole[0]) * 1e-5) return;
    shown = lo === whole[0] && hi === whole[1] ? whole : [lo, hi];
    draw();
  }

  function scaleBy(factor: number): void {
    const middle = cursor ? xs(cursor.line)[cursor.index]! : (shown[0] + shown[1]) / 2;
    zoom(middle - (middle - shown[0]) * factor, middle + (shown[1] - middle) * factor);
  }

  /** Moves the cursor, and the visible part with it. */
  function move(place: Place): void {
    cursor = place;
    const at = xs(place.line)[place.index]!;
    const width = shown[1] - shown[0];
    if (!visibleAt(at)) zoom(at - width / 2, at + width / 2);
    hover();
    spoken.textContent = told.point(place).join(', ');
  }

  function key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const lines = visible().filter(({ points }) => points.length > 0);
    if (lines.length === 0) return;
    const now = cursor && lines.includes(cursor.line) ? cursor : { line: lines[0]!, index: lines[0]!.points.length };
    const step = event.shiftKey ? 10 : 1;
    const along = (index: number) => move({ line: now.line, index: Math.max(0, Math.min(now.line.points.length - 1, index)) });
    const across = (by: number) => {
      const line = lines[(lines.indexOf(now.line) + by + lines.length) % lines.length]!;
      const at = xs(now.line)[Math.min(now.index, now.line.points.length - 1)]!;
      const distances = xs(line).map((one) => Math.abs(one - at));
      move({ line, index: distances.indexOf(Math.min(...distances)) });
    };
    const actions: Record<string, () => void> = {
      ArrowLeft: () => along(now.index - step), ArrowRight: () => along(now.index + step), ArrowUp: () => across(-1), ArrowDown: () => across(1), Home: () => along(0), End: () => along(Infinity),
      Enter: () => choose(cursor), ' ': () => choose(cursor), '+': () => scaleBy(0.5), '=': () => scaleBy(0.5), '-': () => scaleBy(2), '0': () => reset(), Escape: () => { cursor = null; hover(); },
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  function choose(place: Place | null): void {
    if (!place) return;
    pinned = place;
    hover();
    told.choose(place);
  }

  const local = (event: PointerEvent): [number, number] => { const box = picture.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
  let down: [number, number] | null = null;
  area.addEventListener('pointerdown', (event) => { if (event.button === 0) down = local(event); });
  area.addEventListener('pointermove', (event) => {
    const [px, py] = local(event);
    if (down && Math.abs(px - down[0]) > 6) {
      if (!brush) area.setPointerCapture(event.pointerId);
      brush = [down[0], Math.max(frame.left, Math.min(frame.width - frame.right, px))];
    } else if (!down) cursor = nearest(px, py);
    hover();
  });
  area.addEventListener('pointerup', (event) => {
    const [px, py] = local(event);
    if (brush) zoom(back(brush[0]), back(brush[1]));
    else if (down) { cursor = nearest(px, py); choose(cursor); }
    down = brush = null;
    hover();
  });
  const leave = () => { down = brush = cursor = null; hover(); };
  area.addEventListener('pointercancel', leave);
  area.addEventListener('pointerleave', () => { if (!brush) leave(); });
  area.addEventListener('dblclick', () => reset());
  area.addEventListener('blur', () => { cursor = null; hover(); });
  area.addEventListener('keydown', key);
  let width = 0;
  const observer = new ResizeObserver(() => { if (area.clientWidth !== width) { width = area.clientWidth; draw(); } });
  observer.observe(area);
  return plot;
}

/** Returns a point in a few texts, for its tip: value, interval, date and commit. */
export function brief({ line, index }: Place): string[] {
  const { row } = line.history;
  const point: Point = line.points[index]!;
  const { interval, commit } = point;
  return [valueOf(row, point.value, 1), interval ? `${valueOf(row, interval.lo, 1)} … ${valueOf(row, interval.hi, 1)}` : '', day(point.at), commit ? [commit.hash.slice(0, 8), ...commit.tags].join(' ') : '', commit?.subject ?? '', line.name].filter(Boolean);
}
