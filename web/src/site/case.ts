// The page of a case: its chart, the chosen point, changes, conditions, remarks, and all points as a table.
import { colour } from '../colours';
import { breakable, closed, h, long, s, section, table } from '../dom';
import { date, day, grouped, interval, isDate, signed } from '../format';
import { caseAddress, type CaseState } from './address';
import { history, places, type Case, type History, type Row, type Site } from './data';
import { chartOf, type Chart, type Line } from './lines';
import { commitLink, runLink } from './links';
import { brief, plotOf, shapeOf, type Place, type Plot } from './plot';
import { days, hostOf, sizeOf, stateWord, toneOf, valueOf } from './words';

type Part = Node | string | null | false;
const DAY = 86_400_000;
const RANGES: [string, number][] = [['year', 365 * DAY], ['quarter', 91 * DAY], ['month', 30 * DAY]];

/** A tab: the rows of one figure, and those of its changes against a release. */
interface Tab { name: string; rows: Row[] }

function tabsOf({ rows }: Case): Tab[] {
  const tabs = new Map<string, Tab>();
  for (const row of rows) {
    const name = row.against === null ? row.figure.name : `${row.figure.name} against ${row.against}`;
    // Two units of one figure are not on one axis.
    const key = `${name}\n${row.figure.unit}`;
    const tab = tabs.get(key) ?? { name, rows: [] };
    tab.rows.push(row);
    tabs.set(key, tab);
  }
  const all = [...tabs.values()];
  for (const tab of all) if (all.some((other) => other !== tab && other.name === tab.name)) tab.name += ` (${tab.rows[0]!.figure.unit})`;
  return all;
}

const moment = (ms: number): string => (isDate(ms) ? date(ms) : '–');
/** Returns children with a separator, without those that are missing. */
const joined = (parts: Part[], between: string): Part[] => parts.filter(Boolean).flatMap((part, at) => (at > 0 ? [between, part] : [part]));

/** Returns what is known about a point. */
function details(place: Place, chart: Chart, site: Site): HTMLElement {
  const { line, index } = place;
  const point = line.points[index]!;
  const before = line.points[index - 1];
  const { row, conditions } = line.history;
  const own = conditions[point.conditions];
  const comparable = before && before.conditions === point.conditions && before.value !== 0 && row.against === null;
  const skipped = before?.commit?.position != null && point.commit?.position != null ? point.commit.position - before.commit.position : 0;
  const facts: [string, Part[]][] = [
    ['Commit', point.commit ? [commitLink(point.commit.hash, site), ' ', point.commit.subject] : ['unknown']],
    ['Releases', point.commit && point.commit.tags.length > 0 ? [point.commit.tags.join(', ')] : []],
    ['Date', [moment(point.at)]],
    ['Value', [valueOf(row, point.value, 2)]],
    ['Interval', [point.interval ? interval(point.interval.lo, point.interval.hi, (value) => valueOf(row, value, 2)) : 'none']],
    ['Point before', comparable ? [signed(point.value / before.value - 1, 2), skipped > 1 ? `, ${skipped} commits earlier` : ''] : []],
    ['Measured', [moment(point.measured)]],
    ['Run', point.run ? [runLink(point.run, site)] : ['none: the point was imported']],
    ['Machine', [line.name]],
    ['Conditions', [[own?.cpu, own?.runtime, own?.tool].filter(Boolean).join(', ')]],
  ];
  void chart;
  return h('dl', {}, ...facts.filter(([, parts]) => parts.some(Boolean)).map(([name, parts]) => h('div', {}, h('dt', {}, name), h('dd', {}, ...parts))));
}

function changesPart(chart: Chart, site: Site): HTMLElement | null {
  const all = chart.lines.flatMap((line) => line.changes.map((change) => ({ line, change }))).sort((a, b) => b.change.at - a.change.at);
  if (all.length === 0) return null;
  const several = chart.lines.length > 1;
  const rows = all.map(({ line, change }): Part[] => {
    const { figure } = line.history.row;
    return [
      day(change.at),
      h('span', { class: `size ${toneOf(figure, change)}` }, sizeOf(figure, change.change)),
      change.interval ? interval(change.interval.lo, change.interval.hi, (value) => signed(value)) : '–',
      h('span', {}, h('span', { class: `state ${change.state}` }, stateWord(change.state)), change.isMachine && ' (the machine changed)'),
      h('span', {}, ...joined([change.from && commitLink(change.from.hash, site), change.to && commitLink(change.to.hash, site)], ' → '), change.to?.subject ? ` ${change.to.subject}` : ''),
      h('span', {}, ...joined([several && line.name, change.run && h('span', {}, 'run ', runLink(change.run, site)), change.note && h('span', { class: 'note' }, change.note)], ' · ')),
    ];
  });
  return section('changes', 'Changes', table('Changes of all machines', ['date', 'change', 'interval', 'state', 'commits', 'remarks'], rows.map((row) => row.map((cell) => cell || '')), 'words changes'));
}

function conditionsPart(chart: Chart): HTMLElement | null {
  const rows = chart.lines.flatMap((line) => {
    const starts = [0, ...line.breaks.map(({ point }) => point)].filter((at) => at < line.points.length);
    return starts.map((from, at): Part[] => {
      const last = (starts[at + 1] ?? line.points.length) - 1;
      const { cpu, runtime, tool } = line.history.conditions[line.points[from]!.conditions] ?? { cpu: '', runtime: '', tool: '' };
      return [line.name, days(line.points[from]!.at, line.points[last]!.at), cpu || '–', runtime || '–', tool || '–', String(last - from + 1)];
    });
  });
  return rows.length === 0 ? null : section('conditions', 'Conditions', chart.lines.some(({ breaks }) => breaks.length > 0) && h('p', {}, 'Points under different conditions are not comparable. The line is interrupted between them.'), table('Conditions of all machines', ['machine', 'dates', 'processor', 'runtime', 'tool', 'points'], rows, 'words conditions'));
}

function remarksPart(chart: Chart): HTMLElement | null {
  const all = chart.lines.flatMap((line) => line.history.remarks.map((text) => (chart.lines.length > 1 ? `${line.name}: ${text}` : text)));
  return all.length === 0 ? null : section('remarks', 'Remarks', h('ul', {}, ...all.map((text) => h('li', {}, text))));
}

function pointsPart(chart: Chart, site: Site): HTMLElement | null {
  const all = chart.lines.flatMap((line) => line.points.map((point, index) => ({ line, point, rank: line.ranks[index]! }))).sort((a, b) => b.rank - a.rank);
  if (all.length === 0) return null;
  const several = chart.lines.length > 1;
  const rows = (at: number): Part[][] => {
    const { line, point } = all[at]!;
    const { row } = line.history;
    const cells: Part[] = [moment(point.at), h('span', {}, point.commit ? commitLink(point.commit.hash, site) : '–', point.commit?.tags.length ? ` ${point.commit.tags.join(', ')}` : ''), ...(several ? [line.name] : []), valueOf(row, point.value, 1),
      point.interval ? interval(point.interval.lo, point.interval.hi, (value) => valueOf(row, value, 1)) : '–', point.run ? h('span', {}, runLink(point.run, site)) : '–'];
    return [cells];
  };
  return closed(all.length === 1 ? 'The point as a table' : `All ${grouped(all.length)} points as a table`, () => [long('Points', ['date', 'commit', ...(several ? ['machine'] : []), 'value', 'interval', 'run'], all.length, rows)]);
}

/** Returns the button that shows or hides a line. */
function toggle(line: Line, plot: Plot, lines: Line[]): HTMLElement {
  const mark = () => s('svg', { width: 26, height: 12, viewBox: '-13 -6 26 12', 'aria-hidden': 'true' }, s('path', { d: 'M-12,0H12', stroke: colour(line.at), 'stroke-width': 2 }), s('path', { d: shapeOf(line.at), fill: colour(line.at), transform: 'scale(1.5)' }));
  const button = h('button', { type: 'button', class: 'line', 'aria-pressed': String(!plot.hidden.has(line)), onclick: () => {
    // The last line stays.
    if (!plot.hidden.delete(line) && plot.hidden.size < lines.length - 1) plot.hidden.add(line);
    button.setAttribute('aria-pressed', String(!plot.hidden.has(line)));
    plot.reset();
  } }, mark() as unknown as Node, line.name);
  return button;
}

function controls(plot: Plot, chart: Chart, state: CaseState): HTMLElement {
  const { lines } = chart;
  const by = (kind: 'date' | 'commit') => h('button', { type: 'button', 'aria-pressed': String(plot.by === kind), onclick: () => {
    plot.by = kind;
    for (const one of axis) one.setAttribute('aria-pressed', String(one.textContent === `by ${kind}`));
    // `window.` because `history` is a function here.
    window.history.replaceState(null, '', caseAddress({ ...state, by: kind === 'commit' ? 'commits' : '' }));
    plot.reset();
  } }, `by ${kind}`);
  const axis = [by('date'), by('commit')];
  const last = Math.max(...lines.map(({ dates }) => dates.at(-1) ?? -Infinity));
  const first = Math.min(...lines.map(({ dates }) => dates[0] ?? Infinity));
  const ranges = RANGES.filter(([, length]) => last - first > 1.2 * length).map(([name, length]) => h('button', { type: 'button', onclick: () => plot.reset(last - length) }, `last ${name}`));
  const all = h('button', { type: 'button', class: 'all', onclick: () => plot.reset() }, 'all');
  return h('div', { class: 'tools' },
    lines.length > 1 && h('div', { class: 'group', role: 'group', 'aria-label': 'Machines' }, ...lines.map((line) => toggle(line, plot, lines))),
    h('div', { class: 'group', role: 'group', 'aria-label': 'Axis' }, ...axis),
    h('div', { class: 'group', role: 'group', 'aria-label': 'Range' }, ...ranges, all));
}

function content(one: Case, histories: History[], releases: Awaited<ReturnType<typeof places>>['releases'], site: Site, state: CaseState): { parts: Part[]; plot: Plot | null } {
  const chart = chartOf(histories, releases);
  const count = chart.lines.reduce((sum, { points }) => sum + points.length, 0);
  const rest = [changesPart(chart, site), conditionsPart(chart), remarksPart(chart), pointsPart(chart, site)];
  if (count === 0) return { parts: [h('p', {}, 'There are no points yet.'), ...rest], plot: null };
  const hint = h('p', { class: 'faint' }, 'Choose a point for its commit and its run. Drag to enlarge a part. ', h('span', { class: 'wide-only' }, 'Keys: ← → points, ↑ ↓ machines, Enter to choose, + − zoom, 0 all.'));
  const chosen = h('div', { class: 'chosen', role: 'status' }, hint);
  let controlsOf: HTMLElement | null = null;
  const plot = plotOf(chart, `History of ${one.name}, ${grouped(count)} points`, {
    choose: (place) => chosen.replaceChildren(details(place, chart, site)),
    point: brief,
    zoomed: () => controlsOf?.querySelector('.all')?.toggleAttribute('disabled', plot.isWhole()),
  });
  if (chart.lines.some(({ history: { row } }) => row.apart === null)) for (const line of chart.lines) if (line.history.row.apart !== null) plot.hidden.add(line);
  plot.by = state.by === 'commits' ? 'commit' : 'date';
  controlsOf = controls(plot, chart, state);
  return { parts: [controlsOf, plot.element, chosen, ...rest], plot };
}

/** Returns the page of a case, and its plot once it is loaded. `near` are its neighbours in the list. */
export function casePage(one: Case, site: Site, state: CaseState, near: [Case | null, Case | null]): { parts: Part[]; plot: Promise<Plot | null> } {
  const tabs = tabsOf(one);
  const tab = tabs.find(({ name }) => name === state.figure) ?? tabs.find(({ rows }) => rows[0]?.figure.name === state.figure) ?? tabs[0]!;
  const hosts = [...new Set(tab.rows.map(hostOf))];
  const dates = tab.rows.filter(({ first_ms }) => isDate(first_ms));
  const shown = dates.length > 0 && days(Math.min(...dates.map(({ first_ms }) => first_ms)), Math.max(...dates.map(({ last_ms }) => last_ms)));
  const main = tab.rows.find(({ apart, last }) => apart === null && last !== null);
  const last = main && main.last !== null ? `${valueOf(main, main.last, 1)} now` : false;
  const facts = [last, hosts.length > 3 ? `${hosts.length} machines` : hosts.join(', '), shown, tabs.length === 1 && tab.name].filter(Boolean).join(' · ');
  const step = (to: Case | null, text: string) => to && h('a', { href: caseAddress({ case: to.key, figure: state.figure, by: state.by }), title: to.key }, text);
  const body = h('div', { class: 'case-body', 'aria-busy': 'true' }, h('p', { class: 'faint' }, 'Loading …'));
  const plot = Promise.all([places(), ...tab.rows.map((row) => history(row, site.starts))]).then(([{ releases }, ...histories]) => {
    const made = content(one, histories, releases, site, state);
    body.replaceChildren(...made.parts.filter((part): part is Node | string => Boolean(part)));
    body.removeAttribute('aria-busy');
    made.plot?.reset();
    return made.plot;
  }).catch((why: Error) => {
    body.replaceChildren(h('p', { class: 'doubt', role: 'alert' }, why.message));
    body.removeAttribute('aria-busy');
    return null;
  });
  return {
    parts: [
      h('nav', { 'aria-label': 'Cases', class: 'steps' }, h('a', { href: '#/', class: 'back' }, '← all cases'), step(near[0], '‹ previous'), step(near[1], 'next ›')),
      h('h2', { id: 'case', tabindex: -1, class: 'case-name' }, one.suite && h('span', { class: 'faint' }, ...breakable(`${one.suite}/`)), ...breakable(one.name)),
      h('p', { class: 'faint facts' }, facts),
      tabs.length > 1 && h('nav', { 'aria-label': 'Figures', class: 'tabs' }, ...tabs.map(({ name }) => h('a', { href: caseAddress({ case: one.key, figure: name, by: state.by }), 'aria-current': name === tab.name ? 'page' : null }, name))),
      body,
    ],
    plot,
  };
}
