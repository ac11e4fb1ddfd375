// Formats numbers as in the engine's tables: three significant digits, prefixed units and a real
// minus sign.

const TIME: [number, string][] = [[1, 'ns'], [1e3, 'µs'], [1e6, 'ms'], [1e9, 's']];
const RATE: [number, string][] = [[1, ''], [1e3, 'k'], [1e6, 'M'], [1e9, 'G'], [1e12, 'T']];
const BYTES: [number, string][] = [[1, 'B'], [1e3, 'kB'], [1e6, 'MB'], [1e9, 'GB'], [1e12, 'TB']];

/** Formats with fixed decimals, or with an exponent if there would be many digits. */
const plain = (value: number, decimals: number): string => (Math.abs(value) < 1e7 ? value.toFixed(decimals) : value.toExponential(1).replace('+', ''));

const digits = (value: number, count: number): string => {
  if (value === 0) return '0';
  const decimals = Math.max(0, Math.min(9, count - 1 - Math.floor(Math.log10(Math.abs(Number(value.toPrecision(count)))))));
  return plain(value, decimals).replace('-', '−');
};

function scaled(value: number, units: [number, string][], count = 3): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(Number(value.toPrecision(count)));
  const [factor, unit] = [...units].reverse().find(([at]) => size >= at) ?? units[0]!;
  const text = factor === 1 && Number.isInteger(value) && units !== TIME ? String(value) : digits(value / factor, count);
  return unit ? `${text} ${unit}` : text.replace('-', '−');
}

const sized = (size: number, count: number): string => (Math.abs(size) < 0.05 ? '0 B' : scaled(size, BYTES, count));

// Charts call these with a second argument that is no number of digits.
export const time = (ns: number): string => scaled(ns, TIME);
export const rate = (perSecond: number): string => scaled(perSecond, RATE);
export const bytes = (count: number): string => sized(count, 2);

/** Formats a value in its unit, with `more` digits than usual. */
export function quantity(value: number, unit: string, more = 0): string {
  if (unit === 'ns') return scaled(value, TIME, 3 + more);
  if (unit === 'bytes' || unit === 'B') return sized(value, 2 + more);
  if (unit === 'bytes/s' || unit === 'B/s') return `${sized(value, 2 + more)}/s`;
  if (unit === 'share') return percent(value);
  return [scaled(value, RATE, 3 + more), unit === 'count' ? '' : unit].filter(Boolean).join(' ');
}

/** Returns a function that formats ticks of an axis, whose largest value is `most`, with one prefix and as many decimals as `step` needs. */
export function onAxis(unit: string, most: number, step: number): (value: number) => string {
  if (unit === 'share') return (value) => withStep(value * 100, step * 100, ' %');
  const units = unit === 'ns' ? TIME : /^(bytes|B)(\/s)?$/.test(unit) ? BYTES : RATE;
  const [factor, prefix] = [...units].reverse().find(([at]) => most >= at) ?? units[0]!;
  const after = unit === 'ns' || units === BYTES ? prefix + (unit.endsWith('/s') ? '/s' : '') : [prefix, unit === 'count' ? '' : unit].filter(Boolean).join(' ');
  return (value) => withStep(value / factor, step / factor, after && ` ${after}`);
}

/** Formats a value with the decimals of a step. */
function withStep(value: number, step: number, after: string): string {
  const decimals = Math.max(0, Math.min(9, -Math.floor(Math.log10(step) + 1e-9)));
  const text = Math.abs(value) >= 1e7 || (value !== 0 && Math.abs(value) < 1e-9) ? value.toExponential(1).replace('+', '') : value.toFixed(decimals);
  return `${Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−')}${after}`;
}

export const percent = (share: number): string => `${digits(share * 100, 2)} %`;

/** Formats a fraction as a signed percentage. Narrow intervals need more decimals. */
export function signed(share: number, decimals = 1): string {
  if (!Number.isFinite(share)) return share > 0 ? '+∞' : '−∞';
  const text = plain(Math.abs(share * 100), decimals);
  return `${share < 0 && Number(text) !== 0 ? '−' : '+'}${text} %`;
}

/** Returns a number with its noun. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Formats a difference with its sign. */
export const difference = (value: number, unit: string): string => `${value < 0 ? '−' : '+'}${quantity(Math.abs(value), unit)}`;

export const interval = (lo: number, hi: number, write: (value: number) => string): string => `${write(lo)} … ${write(hi)}`;

export const date = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace(/:\d\d\.\d+Z$/, ' UTC');

/** Returns true if a time can be shown as a date. */
export const isDate = (ms: number): boolean => ms > 0 && ms <= 8.64e15;

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats the day of a date, such as `12 Mar 2026`. */
export function day(ms: number): string {
  if (!isDate(ms)) return 'no date';
  const at = new Date(ms);
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}

/** Formats a large count with thin spaces between thousands. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');

/** Formats a change as a percentage, or as a factor if it is large. */
export const growth = (share: number): string => (share < 9 ? signed(share) : `× ${rate(1 + share)}`);
