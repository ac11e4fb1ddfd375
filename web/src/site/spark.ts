// Sparklines of the list: the values of a history, with a dot at its newest change.
import { s } from '../dom';
import { colour } from '../colours';
import type { Row } from './data';
import { isReal, paint, toneOf } from './words';

const HEIGHTS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const HEIGHT = 30;

/** Returns the drawing of a row. The values beside it say the same in words. */
export function spark(row: Row): SVGElement {
  const width = matchMedia('(max-width: 640px)').matches ? 118 : 220;
  const letters = [...row.spark];
  const x = (at: number) => 4 + (letters.length > 1 ? (at / (letters.length - 1)) * (width - 8) : (width - 8) / 2);
  const y = (at: number) => HEIGHT - 4 - (HEIGHTS.indexOf(letters[at] ?? 'f') / 63) * (HEIGHT - 8);
  let path = '';
  let joined = false;
  letters.forEach((letter, at) => {
    if (letter !== '.') path += `${joined ? 'L' : 'M'}${x(at).toFixed(1)},${y(at).toFixed(1)}`;
    joined = letter !== '.';
  });
  const last = row.changes.filter(isReal).at(-1);
  const place = last?.place ?? null;
  const at = place === null ? -1 : Math.min(letters[place] === '.' ? place + 1 : place, letters.length - 1);
  return s('svg', { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, 'aria-hidden': 'true', class: 'spark' },
    s('path', { d: path, fill: 'none', stroke: colour(0), 'stroke-width': 1.5, 'stroke-linejoin': 'round', 'stroke-linecap': 'round' }),
    letters.length > 0 && s('circle', { cx: x(letters.length - 1), cy: y(letters.length - 1), r: 2, fill: colour(0) }),
    last && at >= 0 && s('circle', { cx: x(at), cy: y(at), r: 3.5, fill: paint(toneOf(row.figure, last)), class: 'dot' }));
}
