// The state of the page in its address: the case that is shown, the filter, and the order of the
// table, as in `#case=suite/join+n=10&filter=slower&sort=-change`. Other fragments are parts of the
// page.

export interface State { case: string; filter: string; sort: string }

const KEYS = ['case', 'filter', 'sort'] as const;
const state: State = { case: '', filter: '', sort: '' };
const followers: ((state: State) => void)[] = [];

/** Encodes only what would end a value, so that names stay readable. */
export const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+').replaceAll('%2F', '/').replaceAll('%3D', '=').replaceAll('%2C', ',').replaceAll('%3A', ':');

/** Returns the fragment for a state. Empty parts are omitted. */
const fragment = (of: State): string => {
  const parts = KEYS.filter((key) => of[key]).map((key) => `${key}=${encoded(of[key])}`);
  return parts.length > 0 ? `#${parts.join('&')}` : '#';
};

/** Returns the address of a case alone. It stays the same in other reports of the same benchmarks. */
export const addressOf = (name: string): string => fragment({ case: name, filter: '', sort: '' });

/** Returns the address of the page with a case, and with its filter and order. */
export const pageWith = (name: string): string => location.href.split('#')[0] + fragment({ ...state, case: name });

export const current = (): Readonly<State> => state;

/** Adds a function that is called after every change of the state. */
export const follow = (follower: (state: State) => void): void => { followers.push(follower); };

const tell = (): void => followers.forEach((follower) => follower(state));

/** Changes a part of the state. With `step`, the browser's back button returns to the old state. */
export function change(part: Partial<State>, step = false): void {
  Object.assign(state, part);
  history[step ? 'pushState' : 'replaceState'](null, '', fragment(state));
  tell();
}

/** Reads the state from the address. Returns false if the address names a part of the page. */
export function read(): boolean {
  const text = location.hash.slice(1);
  if (text && !KEYS.some((key) => text.startsWith(`${key}=`))) return false;
  const values = new URLSearchParams(text);
  for (const key of KEYS) state[key] = values.get(key) ?? '';
  tell();
  return true;
}
