// Commits, with links to their pages if the project's host is known.
import { data } from './data';
import { h } from './dom';
import type { Commit } from './model';

/** Returns a shortened hash, as a link if possible. A `+` after the hash stands for uncommitted changes. */
export function commitLink(text: string): Node | string {
  const hash = text.replace(/\+$/, '');
  const short = hash.slice(0, 7) + (text.endsWith('+') ? '+' : '');
  if (!data.commits?.startsWith('https://') || !/^[0-9a-f]{7,}$/.test(hash)) return short;
  return h('a', { href: data.commits + hash, rel: 'noreferrer' }, short);
}

/** Returns a commit as text with its branch. */
export const commitOf = (commit: Commit | null): (Node | string)[] => (commit
  ? [commitLink(commit.hash + (commit.dirty ? '+' : '')), commit.dirty ? ' with changes' : '', commit.branch ? ` (${commit.branch})` : ''] : ['–']);
