// The site of histories: the page that the address names.
import { redrawn } from '../colours';
import { h } from '../dom';
import { date } from '../format';
import { theme } from '../theme';
import { listAddress, read, type ListState } from './address';
import { casePage } from './case';
import { site, type Case, type Site } from './data';
import { listed, listPage } from './list';
import type { Plot } from './plot';

const main = h('main', { id: 'main' });

function frame(own: Site): void {
  document.body.append(
    h('a', { class: 'skip', href: '#main', onclick: (event: Event) => { event.preventDefault(); main.querySelector<HTMLElement>('h2')?.focus(); } }, 'Skip to the content'),
    h('header', {}, h('div', {}, h('h1', {}, h('a', { href: '#/', class: 'home' }, own.title || 'Benchmarks')), theme())),
    main,
    h('footer', { class: 'faint' }, `Made by Derny, ${date(own.made)}.`));
}

/** Shows the page that the address names, and returns to the place in the list from which a case was opened. */
function follow(own: Site): () => void {
  let stop = (): void => {};
  let plot: Plot | null = null;
  /** Cases in the order of the list, and the state of the list when it was left. */
  let order: Case[] = [];
  let left: { list: ListState; scroll: number; key: string } | null = null;
  let list: ListState | null = null;
  let shown = 0;
  redrawn(() => plot?.draw());

  function near(one: Case): [Case | null, Case | null] {
    const all = order.includes(one) ? order : [...new Set(listed(own).map((row) => row.case))];
    const at = all.indexOf(one);
    return [all[at - 1] ?? null, all[at + 1] ?? null];
  }

  function showList(state: ListState): void {
    const before = left;
    left = null;
    list = state;
    const page = listPage(own, state, (rows) => { order = [...new Set(rows.map((row) => row.case))]; });
    stop = page.stop;
    main.replaceChildren(...page.parts);
    document.title = own.title || 'Benchmarks';
    if (!before) return;
    // After the list has its height.
    queueMicrotask(() => {
      scrollTo(0, before.scroll);
      requestAnimationFrame(() => [...main.querySelectorAll<HTMLAnchorElement>('.rows a')].find((link) => link.title === before.key)?.focus({ preventScroll: true }));
    });
  }

  return () => {
    const state = read();
    const mine = ++shown;
    const from = list;
    const scroll = scrollY;
    stop();
    stop = () => {};
    plot?.stop();
    plot = null;
    list = null;
    if (state && 'list' in state) {
      // The link to all cases keeps the filter with which the list was left.
      const bare = location.hash === '#/' || location.hash === '#';
      if (bare && left && listAddress(left.list) !== '#/') history.replaceState(null, '', listAddress(left.list));
      return showList(bare && left ? left.list : state.list);
    }
    const one = state && own.named.get(state.one.case);
    if (from && one) left = { list: from, scroll, key: one.key };
    if (!state || !one) {
      main.replaceChildren(h('h2', { tabindex: -1 }, 'Not found'), h('p', {}, state ? `There is no case ${state.one.case}.` : 'The address names no page.'), h('p', {}, h('a', { href: '#/' }, '← all cases')));
      return;
    }
    if (left) left.key = one.key;
    const page = casePage(one, own, state.one, near(one));
    main.replaceChildren(...page.parts.filter((part): part is Node | string => Boolean(part)));
    document.title = `${one.name} · ${own.title}`;
    scrollTo(0, 0);
    main.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
    void page.plot.then((made) => {
      if (mine !== shown) return made?.stop();
      plot = made;
      document.documentElement.dataset.drawn = String(mine);
    });
  };
}

const failed = (): void => {
  if (!document.documentElement.dataset.ready && !main.isConnected) document.body.append(h('p', { role: 'alert' }, 'The data of this page cannot be loaded: data/outline.js is missing or of another version. Reload the page.'));
};
addEventListener('load', () => setTimeout(failed, 3000));
void site().then((own) => {
  history.scrollRestoration = 'manual';
  frame(own);
  const show = follow(own);
  addEventListener('hashchange', show);
  show();
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}, failed);
