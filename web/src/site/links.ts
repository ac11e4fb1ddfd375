// Links to commits and runs. Their addresses come from the command that wrote the site. Only web addresses and
// paths below the site become links.
import { h } from '../dom';
import type { Site } from './data';

export type Links = Pick<Site, 'commitUrl' | 'runUrl'>;

/** Returns an address with a value in its place, or nothing if the address is not one to follow. */
function filled(address: string | null, place: string, value: string): string | null {
  if (!address || !(/^https?:\/\//i.test(address) || /^[\w.-][\w./%{}-]*$/.test(address))) return null;
  const own = encodeURIComponent(value);
  return address.includes(place) ? address.replaceAll(place, () => own) : address + own;
}

/** Returns a shortened hash, as a link if possible. */
export function commitLink(hash: string, { commitUrl }: Links): Node | string {
  const short = hash.slice(0, 8);
  const href = /^[0-9a-f]{7,64}$/.test(hash) ? filled(commitUrl, '{commit}', hash) : null;
  return href ? h('a', { href, rel: 'noreferrer', class: 'hash' }, short) : h('code', { class: 'hash' }, short);
}

/** Returns the id of a run, as a link if possible. */
export function runLink(id: string, { runUrl }: Links): Node | string {
  const href = /^[\w.-]{1,80}$/.test(id) ? filled(runUrl, '{run}', id) : null;
  return href ? h('a', { href }, id) : id;
}
