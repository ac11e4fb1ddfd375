// The first page: the newest changes, and the list of cases with their sparklines.
import { h } from '../dom';
import { counted, day, growth, grouped, isDate } from '../format';
import { caseAddress, listAddress, type ListState } from './address';
import type { Row, Site } from './data';
import { news } from './news';
import { list } from './rows';
import { searching } from './search';
import { spark } from './spark';
import { days, hostOf, isReal, kindOf, sizeOf, stateWord, toneOf, valueOf } from './words';

/** Orders of the list. Ties stay in the order of names. */
const ORDERS: Record<string, [label: string, before: (a: Row, b: Row) => number]> = {
  '': ['name', () => 0],
  newest: ['newest change', (a, b) => newest(b) - newest(a)],
  worse: ['largest change for the worse', (a, b) => badness(b) - badness(a)],
  better: ['largest change for the better', (a, b) => badness(a) - badness(b)],
  since: ['change since first', (a, b) => (b.since ?? -Infinity) - (a.since ?? -Infinity)],
};

const lastOf = (row: Row) => row.changes.filter(isReal).at(-1);
const newest = (row: Row): number => lastOf(row)?.at ?? -Infinity;
/** Returns the size of the newest change, positive if it is for the worse. */
function badness(row: Row): number {
  const last = lastOf(row);
  const tone = last && toneOf(row.figure, last);
  if (!last || tone === 'neutral') return 0;
  return (tone === 'worse' ? 1 : -1) * Math.abs(last.change ?? 0);
}

/** Returns the rows of the list by name. Points kept apart are shown on the page of their case, unless there are no others. */
export function listed({ cases }: Site): Row[] {
  const order = new Intl.Collator('en', { numeric: true });
  const sorted = [...cases].sort((a, b) => order.compare(a.key, b.key));
  return sorted.flatMap(({ rows }) => {
    const whole = new Set(rows.filter(({ apart }) => apart === null).map(({ figure, host }) => `${host}\n${figure.name}`));
    return rows.filter(({ apart, figure, host }) => apart === null || !whole.has(`${host}\n${figure.name}`));
  });
}

function content(row: Row, site: Site): (Node | string)[] {
  const { case: { key, suite, name }, figure } = row;
  const last = lastOf(row);
  const more = row.changes.filter(isReal).length - 1;
  const kind = kindOf(row, site.hosts.length > 1, site.figures.length > 1);
  const tone = last && toneOf(figure, last);
  return [
    h('div', { class: 'who' }, h('a', { href: caseAddress({ case: key, figure: figure.name, by: '' }), title: key }, suite && h('span', { class: 'faint' }, `${suite}/`), name), kind && h('span', { class: 'kind' }, kind)),
    spark(row),
    h('div', { class: 'value' }, row.last === null ? 'no points' : valueOf(row, row.last), row.since !== null && row.against === null && h('span', { class: 'kind' }, `${growth(row.since)} since first`)),
    h('div', { class: 'news-of' }, last && h('span', { class: `size ${tone}` }, sizeOf(figure, last.change)), last && h('span', { class: 'kind' }, `${stateWord(last.state)}, ${day(last.at)}${more > 0 ? `, ${more} more` : ''}`)),
  ];
}

const choices = (all: string[], any: string, chosen: string): HTMLElement[] => ['', ...all].map((one) => h('option', { value: one, selected: one === chosen }, one || any));

/** Returns the first page, and a function that ends it. */
export function listPage(site: Site, start: ListState, changed: (rows: Row[]) => void): { parts: HTMLElement[]; stop: () => void } {
  const state = { ...start };
  const all = listed(site);
  const hosts = [...new Set(site.rows.map(hostOf))];
  const figures = [...new Set(site.figures.map(({ name }) => name))];
  const status = h('p', { role: 'status', class: 'faint' });
  const rows = list<Row>('Cases', (row) => content(row, site));
  const show = (): void => {
    const fits = searching(state.q);
    const found = all.filter((row) => fits(row) && (!state.machine || hostOf(row) === state.machine) && (!state.figure || row.figure.name === state.figure) && (!state.changed || row.changes.some(isReal)));
    const order = ORDERS[state.sort]?.[1];
    if (state.sort && order) found.sort(order);
    status.textContent = found.length === all.length ? `${grouped(all.length)} series` : `${grouped(found.length)} of ${grouped(all.length)} series`;
    none.hidden = found.length > 0;
    rows.show(found);
    changed(found);
  };
  const change = (part: Partial<ListState>): void => {
    Object.assign(state, part);
    history.replaceState(null, '', listAddress(state));
    show();
  };
  const none = h('p', { hidden: true }, all.length > 0 ? 'No case matches. ' : 'There are no histories yet.', all.length > 0 && h('button', { type: 'button', onclick: () => {
    [search.value, machine.value, figure.value] = ['', '', ''];
    only.setAttribute('aria-pressed', 'false');
    change({ q: '', machine: '', figure: '', changed: '' });
    search.focus();
  } }, 'Show all'));
  const search = h('input', { type: 'search', id: 'search', placeholder: 'a name, parse/*, n=100 …', autocomplete: 'off', spellcheck: 'false', value: state.q, oninput: () => change({ q: search.value }), onkeydown: (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    rows.focus(0);
  } });
  const machine = h('select', { id: 'machine', onchange: () => change({ machine: machine.value }) }, ...choices(hosts, 'all machines', state.machine));
  const figure = h('select', { id: 'figure', onchange: () => change({ figure: figure.value }) }, ...choices(figures, 'all figures', state.figure));
  const sort = h('select', { id: 'sort', onchange: () => change({ sort: sort.value }) }, ...Object.entries(ORDERS).map(([key, [label]]) => h('option', { value: key, selected: key === state.sort }, `by ${label}`)));
  const only = h('button', { type: 'button', 'aria-pressed': String(Boolean(state.changed)), onclick: () => {
    only.setAttribute('aria-pressed', String(!state.changed));
    change({ changed: state.changed ? '' : '1' });
  } }, 'Changed only');
  const label = (id: string, text: string) => h('label', { for: id, class: 'unseen' }, text);
  const slash = (event: KeyboardEvent): void => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || (event.target as Element).matches('input, select, textarea')) return;
    event.preventDefault();
    search.focus();
    search.select();
  };
  addEventListener('keydown', slash);
  const tools = h('div', { class: 'tools' }, label('search', 'Search'), search, hosts.length > 1 && label('machine', 'Machine'), hosts.length > 1 && machine, figures.length > 1 && label('figure', 'Figure'), figures.length > 1 && figure, label('sort', 'Order'), sort, only, status);
  const latest = news(site.changes, site, hosts.length > 1);
  const dates = site.rows.filter(({ first_ms }) => isDate(first_ms));
  const from = dates.reduce((least, { first_ms }) => Math.min(least, first_ms), Infinity);
  const to = dates.reduce((most, { last_ms }) => Math.max(most, last_ms), -Infinity);
  const facts = [counted(site.cases.length, 'case').replace(/^\d+/, grouped(site.cases.length)), hosts.length > 1 ? `${hosts.length} machines` : hosts[0], dates.length > 0 && days(from, to)].filter(Boolean).join(' · ');
  const heading = h('section', { 'aria-labelledby': 'cases' }, h('h2', { id: 'cases', tabindex: -1 }, 'Cases'), tools, none, rows.element);
  // The heights of rows are known once the list is part of the page.
  queueMicrotask(show);
  const stop = () => {
    rows.stop();
    removeEventListener('keydown', slash);
  };
  return { parts: [h('p', { class: 'faint facts' }, facts), latest, heading].filter((part) => part !== null), stop };
}
