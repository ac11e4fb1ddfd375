// Scales and their ticks: values, dates and commits.
import { day, MONTHS } from '../format';

/** A scale of values. `place` returns a share of the height, from 0 at the bottom. */
export interface Values { lo: number; hi: number; isLog: boolean; ticks: number[]; step: number; place: (value: number) => number }

/** Ratio of the ends at which a scale becomes logarithmic. */
const WIDE = 20;

/** Returns a scale for values between two ends, with room around them. It may be logarithmic if all values are positive. */
export function valuesScale(least: number, most: number, isPositive: boolean): Values {
  if (isPositive && least > 0 && most / least > WIDE) return logScale(least, most);
  const room = (most - least) * 0.06 || Math.abs(most) * 0.05 || 1;
  let [lo, hi] = [least - room, most + room];
  if (least >= 0 && lo < 0) lo = 0;
  if (!Number.isFinite(hi - lo)) [lo, hi] = [Math.max(lo, -8e307), Math.min(hi, 8e307)];
  const step = nice((hi - lo) / 5);
  const first = Math.ceil(lo / step);
  const ticks = Array.from({ length: Math.min(12, Math.floor(hi / step) - first + 1) }, (_, at) => (first + at) * step);
  return { lo, hi, isLog: false, ticks, step, place: (value) => (value - lo) / (hi - lo) };
}

function logScale(least: number, most: number): Values {
  const [lo, hi] = [Math.log10(least) - 0.05 * Math.log10(most / least), Math.log10(most) + 0.05 * Math.log10(most / least)];
  const decades = hi - lo;
  const each = decades > 6 ? [1] : decades > 3 ? [1, 3] : [1, 2, 5];
  const skip = Math.max(1, Math.ceil(decades / 7));
  const ticks: number[] = [];
  for (let power = Math.floor(lo); power <= hi; power++) {
    if (power % skip === 0) ticks.push(...each.map((one) => Number(`${one}e${power}`)).filter((tick) => Math.log10(tick) >= lo && Math.log10(tick) <= hi));
  }
  return { lo: 10 ** lo, hi: 10 ** hi, isLog: true, ticks, step: 0, place: (value) => (value > 0 ? (Math.log10(value) - lo) / (hi - lo) : -1) };
}

/** Returns the next larger step of 1, 2 or 5 times a power of ten. */
function nice(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? rough;
}

export interface Tick { at: number; text: string; isMain: boolean }

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Steps in ms up to days, with their unit. */
const SHORT = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 3 * 60 * MINUTE, 6 * 60 * MINUTE, 12 * 60 * MINUTE, DAY, 2 * DAY, 7 * DAY];
/** Steps in months. */
const LONG = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000, 12000];

/** Returns about `count` dates between two ends, at the beginning of days, months or years. */
export function dateTicks(from: number, to: number, count: number): Tick[] {
  const rough = (to - from) / Math.max(1, count);
  const short = SHORT.find((step) => step >= rough);
  if (short) {
    const first = Math.ceil(from / short);
    const all = Array.from({ length: Math.max(0, Math.floor(to / short) - first + 1) }, (_, at) => (first + at) * short);
    return all.map((at) => {
      const isMain = at % DAY === 0;
      return { at, isMain: isMain && short < DAY, text: isMain ? day(at).split(' ').slice(0, 2).join(' ') : new Date(at).toISOString().slice(11, 16) };
    });
  }
  const months = LONG.find((step) => step * 30.4 * DAY >= rough) ?? LONG.at(-1)!;
  const ticks: Tick[] = [];
  const start = new Date(from);
  for (let month = Math.ceil((start.getUTCFullYear() * 12 + start.getUTCMonth()) / months) * months; ; month += months) {
    const date = new Date(0);
    date.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
    const at = date.getTime();
    if (!(at <= to) || ticks.length > 40) return ticks;
    const isYear = month % 12 === 0;
    if (at >= from) ticks.push({ at, isMain: isYear && months < 12, text: isYear ? String(date.getUTCFullYear()) : MONTHS[date.getUTCMonth()]! });
  }
}
