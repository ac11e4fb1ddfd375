// The newest changes, by commit: one commit often changes many cases.
import { breakable, closed, h } from '../dom';
import { counted, day, grouped, signed } from '../format';
import { caseAddress } from './address';
import { commitLink, type Links } from './links';
import type { ListedChange } from './data';
import { isReal, kindOf, sizeOf, stateWord, toneOf } from './words';

/** Number of commits that are shown at first, and that `show more` adds. */
const AT_ONCE = 5;
/** Maximum number of cases of a commit. */
const MOST = 200;

interface News { commit: ListedChange['commit']; at: number; changes: ListedChange[] }

/** Returns the changes by commit, the newest first, and those of a commit with the largest first. */
function byCommit(changes: ListedChange[]): News[] {
  const groups = new Map<string, News>();
  for (const change of changes) {
    const key = change.commit?.hash ?? String(change.at);
    const group = groups.get(key) ?? { commit: change.commit, at: change.at, changes: [] };
    group.at = Math.max(group.at, change.at);
    group.changes.push(change);
    groups.set(key, group);
  }
  const size = ({ change }: ListedChange) => Math.abs(change ?? 0);
  for (const group of groups.values()) group.changes.sort((a, b) => size(b) - size(a));
  return [...groups.values()].sort((a, b) => b.at - a.at);
}

const caseLink = ({ row }: ListedChange): HTMLElement => h('a', { href: caseAddress({ case: row.case.key, figure: row.figure.name, by: '' }) }, ...breakable(row.case.key));

function changeLine(change: ListedChange, hosts: boolean): HTMLElement {
  const { row } = change;
  return h('li', {}, h('span', { class: `size ${toneOf(row.figure, change)}` }, sizeOf(row.figure, change.change)), ' ', caseLink(change), ' ', h('span', { class: 'faint' }, kindOf(row, hosts, true)), ' ', h('span', { class: `state ${change.state}` }, stateWord(change.state)));
}

/** Returns the sizes of changes: one, or the smallest and the largest, with what they mean if they agree. */
function sizes(changes: ListedChange[]): HTMLElement {
  const [first] = changes;
  const all = changes.flatMap(({ change }) => (change === null ? [] : [change])).sort((a, b) => a - b);
  const tones = new Set(changes.map((change) => toneOf(change.row.figure, change)));
  const [least, most] = [signed(all[0] ?? 0), signed(all.at(-1) ?? 0)];
  return h('span', { class: `size ${tones.size === 1 ? [...tones][0] : 'neutral'}` }, all.length === 0 || least === most ? sizeOf(first!.row.figure, first!.change) : `${least} … ${most}`);
}

function item({ commit, at, changes }: News, links: Links, hosts: boolean): HTMLElement {
  const states = [...new Set(changes.map(({ state }) => state))];
  const [only] = changes;
  const which = changes.length === 1 ? h('div', { class: 'of' }, caseLink(only!), ' ', h('span', { class: 'faint' }, kindOf(only!.row, hosts, true)))
    : closed(counted(new Set(changes.map(({ row }) => row.case)).size, 'case'), () => [h('ul', { class: 'changed' }, ...changes.slice(0, MOST).map((change) => changeLine(change, hosts))), changes.length > MOST && `and ${grouped(changes.length - MOST)} smaller ones`].filter((part): part is HTMLUListElement | string => Boolean(part)));
  return h('li', {}, h('time', { class: 'faint' }, day(at)),
    h('div', { class: 'commit' }, commit ? commitLink(commit.hash, links) : 'no commit', ' ', commit?.subject),
    h('div', { class: 'sizes' }, sizes(changes), ' ', ...states.map((state) => h('span', { class: `state ${state}` }, stateWord(state)))),
    which);
}

/** Returns the newest changes, or nothing if there are none. */
export function news(changes: ListedChange[], links: Links, hosts: boolean): HTMLElement | null {
  const groups = byCommit(changes.filter(isReal));
  if (groups.length === 0) return null;
  const items = h('ol', { class: 'news' });
  let made = 0;
  const add = () => {
    const next = groups.slice(made, made + AT_ONCE * (made > 0 ? 4 : 1)).map((group) => item(group, links, hosts));
    items.append(...next);
    made += next.length;
    more.hidden = made >= groups.length;
    more.textContent = `show more of ${counted(groups.length, 'commit')}`;
    return next;
  };
  const more = h('button', { type: 'button', onclick: () => add()[0]?.querySelector('a')?.focus() });
  add();
  return h('section', { 'aria-labelledby': 'news' }, h('h2', { id: 'news' }, 'Newest changes'), items, more);
}
