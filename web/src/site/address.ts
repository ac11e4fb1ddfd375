// The state of the page in its address: `#/?q=…&machine=…` for the list of cases, and `#/case/NAME?figure=…` for a case.
import { encoded } from '../address';

export interface ListState { q: string; machine: string; figure: string; changed: string; sort: string }
export interface CaseState { case: string; figure: string; by: string }

const LIST = ['q', 'machine', 'figure', 'changed', 'sort'] as const;
const CASE = ['figure', 'by'] as const;

const query = (state: Record<string, string>, keys: readonly string[]): string => {
  const parts = keys.filter((key) => state[key]).map((key) => `${key}=${encoded(state[key]!)}`);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
};

export const listAddress = (state: Partial<ListState>): string => `#/${query(state as Record<string, string>, LIST)}`;
export const caseAddress = (state: CaseState): string => `#/case/${encoded(state.case)}${query({ ...state }, CASE)}`;

/** Returns the state that the address has, or nothing for an address that this page does not write. */
export function read(): { list: ListState } | { one: CaseState } | null {
  const [path = '', after = ''] = location.hash.replace(/^#/, '').split(/\?(.*)/s);
  const values = new URLSearchParams(after);
  const value = (key: string) => values.get(key) ?? '';
  if (path === '' || path === '/') return { list: { q: value('q'), machine: value('machine'), figure: value('figure'), changed: value('changed'), sort: value('sort') } };
  if (!path.startsWith('/case/')) return null;
  try {
    return { one: { case: decodeURIComponent(path.slice('/case/'.length).replaceAll('+', ' ')), figure: value('figure'), by: value('by') } };
  } catch {
    return null;
  }
}
