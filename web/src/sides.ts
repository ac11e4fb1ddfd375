// The times of a case on every side: the variants of the run, or the sides of its comparison. Sides may be
// from other runs.
import { data, keyOf, run, whole, wholeCompared, type Case, type Time } from './data';
import { comparedAt, shownSides } from './entries';

/** A side of a case. `at` is its place, which determines its colour everywhere. */
export interface Side { name: string; time: Time; at: number }

const compared = data.document.comparison;

/** Returns the place of a variant of the run among the sides. */
export function placeOf(variant: string): number {
  const side = compared?.sides.findIndex((own) => own.run === run.id && own.variant === variant) ?? -1;
  return side >= 0 ? side : Math.max(0, run.variants.findIndex(({ name }) => name === variant));
}

/** Returns the name of a variant as the page shows it. */
export const labelOf = (variant: string): string => compared?.sides[placeOf(variant)]?.name ?? (run.variants.length > 1 ? variant : 'time/op');

/** True if the sides were measured in pairs. Otherwise their processes have no common order. */
export const inPairs = !compared || compared.pairing === 'paired';

/** Returns the times of a case, by side. */
export function sidesOf(one: Case): Side[] {
  const at = comparedAt.get(keyOf(one.case.id));
  if (compared && at !== undefined) {
    const { times } = wholeCompared(at);
    const found = times.flatMap((time, place) => {
      const own = Array.isArray(time) ? whole(time[0])[0].variants[time[1]]!.time : time;
      return own && (place === 0 || shownSides.includes(place)) ? [{ name: compared.sides[place]!.name, time: own, at: place }] : [];
    });
    if (found.length > 0) return found;
  }
  return one.variants.flatMap(({ variant, time }) => (time ? [{ name: labelOf(variant), time, at: placeOf(variant) }] : []));
}

/** Returns the full changes of a case, by side. */
export function changesOf(one: Case): FullSide[] {
  const at = comparedAt.get(keyOf(one.case.id));
  return at === undefined ? [] : wholeCompared(at).sides.filter(({ side }) => shownSides.includes(side));
}
type FullSide = ReturnType<typeof wholeCompared>['sides'][number];
