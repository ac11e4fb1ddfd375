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

export const time = (ns: number): string => scaled(ns, TIME);
export const rate = (perSecond: number): string => scaled(perSecond, RATE);
export const bytes = (count: number): string => (Math.abs(count) < 0.05 ? '0 B' : scaled(count, BYTES, 2));

export function quantity(value: number, unit: string): string {
  if (unit === 'ns') return time(value);
  if (unit === 'bytes' || unit === 'B') return bytes(value);
  if (unit === 'bytes/s' || unit === 'B/s') return `${bytes(value)}/s`;
  if (unit === 'share') return percent(value);
  return [rate(value), unit === 'count' ? '' : unit].filter(Boolean).join(' ');
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
