// Words and colours of values and changes.
import { dark, faint } from '../colours';
import { day, growth, quantity, signed } from '../format';
import type { Change, Figure, ListedChange, Row, State } from './data';

export type Tone = 'worse' | 'better' | 'neutral';

/** States of changes that the list of changed cases includes. */
const REAL = new Set<State>(['new', 'confirmed', 'accepted', 'fixed']);

/** Returns true for a change of the case itself, which was not refuted. */
export const isReal = (change: Pick<ListedChange, 'state' | 'isMachine'>): boolean => REAL.has(change.state) && !change.isMachine;
/** Returns true for a real change that the user has not dealt with. */
export const isOpen = (change: Pick<ListedChange, 'state' | 'isMachine'>): boolean => isReal(change) && (change.state === 'new' || change.state === 'confirmed');

/** Returns whether a change is good or bad. Changes that are dealt with are neither. */
export function toneOf(figure: Figure, change: Pick<Change, 'change' | 'state' | 'isMachine'>): Tone {
  if (figure.better === 'none' || !change.change || !isOpen(change)) return 'neutral';
  return change.change > 0 === (figure.better === 'less') ? 'worse' : 'better';
}

export const paint = (tone: Tone): string => (tone === 'neutral' ? faint() : tone === 'worse' ? (dark() ? '#f5a05c' : '#b34700') : dark() ? '#2ec4a0' : '#00795a');

export const stateWord = (state: State): string => (state === 'not-confirmed' ? 'not confirmed' : state);

const sizeWord = (figure: Figure, change: number): string => {
  if (change === 0) return '';
  if (figure.unit === 'ns') return change > 0 ? 'slower' : 'faster';
  return change > 0 ? 'higher' : 'lower';
};

/** Returns the size of a change: `+5.2 % slower`. */
export const sizeOf = (figure: Figure, change: number | null): string => (change === null ? 'of unknown size' : `${growth(change)} ${sizeWord(figure, change)}`.trim());

/** Formats a value of a row. Values against a release are relative changes. */
export const valueOf = ({ figure, against }: Pick<Row, 'figure' | 'against'>, value: number, more = 0): string =>
  (against === null ? quantity(value, figure.unit, more) : signed(value, 1 + more));

/** Returns what a row shows besides its case: figure, machine, and what is special about its points. */
export const kindOf = (row: Row, hasHosts: boolean, hasFigures: boolean): string =>
  [hasFigures && row.figure.name, row.against !== null && `against ${row.against}`, hasHosts && hostOf(row), row.apart].filter(Boolean).join(' · ');

export const hostOf = ({ host }: Pick<Row, 'host'>): string => host || 'unknown machine';

/** Returns the days of a history, or the only one. */
export const days = (first: number, last: number): string => (day(first) === day(last) ? day(last) : `${day(first)} – ${day(last)}`);
