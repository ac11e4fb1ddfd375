// The data of the site. They are scripts that call `dernyData`, because browsers refuse to read other files for a
// page that was opened from a folder. A script is only ever loaded from `data/`, and contains compressed
// JSON as letters.
import { inflate } from '../inflate';

export type State = 'new' | 'confirmed' | 'not-confirmed' | 'accepted' | 'fixed' | 'unknown';
export interface Interval { lo: number; hi: number }

/** A case. The key is unique within the site. */
export interface Case { key: string; suite: string; name: string; params: [string, string][]; rows: Row[]; words: string }
export interface Figure { name: string; unit: string; better: 'less' | 'more' | 'none' }
/** A history in the list of cases. */
export interface Row {
  index: number; case: Case; figure: Figure; host: string; apart: string | null; against: string | null; points: number; last: number | null; since: number | null;
  first_ms: number; last_ms: number; spark: string; changes: ListedChange[];
}
/** A change in the list of cases. `place` is its place in the sparkline. */
export interface ListedChange { row: Row; state: State; change: number | null; interval: Interval | null; at: number; commit: { hash: string; subject: string } | null; isMachine: boolean; place: number | null }

type Pair = [number, number] | null;
interface Outline {
  title: string; made_ms: number; commit_url: string | null; run_url: string | null; cases: [string, string, [string, string][]][]; figures: [string, string, Figure['better']][]; hosts: string[];
  kinds: [string | null, string | null][]; commits: [string, string][]; rows: [number, number, number, number, number, number | null, number | null, number, number, string][];
  changes: [number, State, number | null, Pair, number, number, boolean, number | null][]; starts: number[];
}
export interface Commit { hash: string; at: number; subject: string; tags: string[]; position: number | null }
export interface Release { name: string; at: number; position: number }
type Measurement = [number, number, string | null, number | null];
interface Tables { commits: [string, number, string, string[], number | null][]; measurements: Measurement[]; releases: [string, number, number][] }
interface Packed {
  q: number | null; v: number[]; lo?: (number | null)[]; hi?: (number | null)[]; e: number[]; c: number[];
  rest: { conditions: [string, string, string][]; changes: [number, number, number, State, number | null, Pair, string | null, boolean, string | null, number | null][]; remarks: string[]; own: Measurement[] };
}

export interface Point { at: number; measured: number; commit: Commit | null; run: string | null; value: number; interval: Interval | null; conditions: number }
export interface Conditions { cpu: string; runtime: string; tool: string }
/** A change in a history. `point` is the index of the first point after it. */
export interface Change { from: Commit | null; to: Commit | null; at: number; state: State; change: number | null; interval: Interval | null; run: string | null; isMachine: boolean; note: string | null; point: number | null }
export interface History { row: Row; points: Point[]; conditions: Conditions[]; changes: Change[]; remarks: string[] }

const waiting = new Map<string, { take: (json: unknown) => void; fail: (why: Error) => void }>();
const loaded = new Map<string, Promise<unknown>>();
/** Number of files that are kept, besides the tables. */
const KEPT = 12;
const version = document.body.dataset.version ?? '';

declare global { interface Window { dernyData: (name: string, version: string, text: string) => void } }

/** Returns a promise for the content of a file of data, which is loaded if `ask` is true. */
function load<T>(name: string, ask = true): Promise<T> {
  const known = loaded.get(name);
  if (known) return known as Promise<T>;
  const promise = new Promise<unknown>((take, fail) => {
    waiting.set(name, { take, fail });
    if (!ask) return;
    const script = document.createElement('script');
    script.src = `data/${name}.js?v=${version}`;
    script.onerror = () => fail(new Error(`data/${name}.js cannot be loaded.`));
    script.onload = () => script.remove();
    document.head.append(script);
  });
  loaded.set(name, promise);
  const old = [...loaded.keys()].filter((key) => key.startsWith('series-'));
  if (old.length > KEPT) loaded.delete(old[0]!);
  promise.catch(() => loaded.delete(name));
  return promise as Promise<T>;
}

window.dernyData = (name, of, text) => {
  const own = waiting.get(name);
  waiting.delete(name);
  if (of !== version) return own?.fail(new Error('The site was updated. Reload the page.'));
  const deflated = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  own?.take(JSON.parse(new TextDecoder().decode(inflate(deflated))));
};

const ends = (pair: Pair): Interval | null => pair && { lo: pair[0], hi: pair[1] };

export interface Site { title: string; made: number; commitUrl: string | null; runUrl: string | null; cases: Case[]; rows: Row[]; figures: Figure[]; hosts: string[]; changes: ListedChange[]; starts: number[]; named: Map<string, Case> }

/** Returns a case with a key that no earlier case has. */
function caseOf([suite, benchmark, params]: Outline['cases'][number], named: Map<string, Case>): Case {
  const name = [benchmark, ...params.map(([key, value]) => `${key}=${value}`)].join(' ');
  const plain = suite ? `${suite}/${name}` : name;
  let key = plain;
  for (let again = 2; named.has(key); again++) key = `${plain}~${again}`;
  const one = { key, suite, name, params, rows: [], words: plain.toLowerCase() };
  named.set(key, one);
  return one;
}

const outline = load<Outline>('outline', false);

/** Returns the outline of the site once it is read. */
export async function site(): Promise<Site> {
  const read = await outline;
  const named = new Map<string, Case>();
  const cases = read.cases.map((one) => caseOf(one, named));
  const figures = read.figures.map(([name, unit, better]) => ({ name, unit, better }));
  const rows = read.rows.map(([of, figure, host, kind, points, last, since, first_ms, last_ms, spark], index): Row => {
    const [apart, against] = read.kinds[kind]!;
    const row = { index, case: cases[of]!, figure: figures[figure]!, host: read.hosts[host]!, apart, against, points, last, since, first_ms, last_ms, spark, changes: [] };
    cases[of]!.rows.push(row);
    return row;
  });
  const changes = read.changes.map(([of, state, change, pair, at, commit, isMachine, place]): ListedChange => {
    const [hash, subject] = read.commits[commit] ?? ['', ''];
    const own = { row: rows[of]!, state, change, interval: ends(pair), at, commit: hash ? { hash, subject } : null, isMachine, place };
    rows[of]!.changes.push(own);
    return own;
  });
  return { title: read.title, made: read.made_ms, commitUrl: read.commit_url, runUrl: read.run_url, cases, rows, figures, hosts: read.hosts, changes, starts: read.starts, named };
}

let tables: Promise<{ commits: Commit[]; measurements: Measurement[]; releases: Release[] }> | undefined;

/** Returns the commits, measurements and releases, which are loaded with the first history. */
export function places(): NonNullable<typeof tables> {
  tables ??= load<Tables>('places').then(({ commits, measurements, releases }) => ({
    commits: commits.map(([hash, at, subject, tags, position]) => ({ hash, at, subject, tags, position })),
    measurements,
    releases: releases.map(([name, at, position]) => ({ name, at, position })),
  }));
  tables.catch(() => { tables = undefined; });
  return tables;
}

/** Returns the history of a row. */
export async function history(row: Row, starts: number[]): Promise<History> {
  let file = 0;
  for (let end = starts.length; end - file > 1;) {
    const middle = (file + end) >> 1;
    if (starts[middle]! <= row.index) file = middle;
    else end = middle;
  }
  const [shared, packed] = await Promise.all([places(), load<Packed[]>(`series-${file}`)]);
  return unpacked(row, packed[row.index - starts[file]!]!, shared.commits, shared.measurements);
}

/** Returns a function that multiplies by a power of ten. It divides by the inverse of a negative power, which is exact. */
const timesTen = (power: number) => (units: number): number => (power < 0 ? units / 10 ** -power : units * 10 ** power);

function unpacked(row: Row, { q, v, lo, hi, e, c, rest }: Packed, commits: Commit[], measurements: Measurement[]): History {
  let [sum, index, part] = [0, 0, -2];
  const real = timesTen(q ?? 0);
  const points = v.map((step, at): Point => {
    sum = q === null ? step : sum + step;
    index += e[at]!;
    while (c[part + 2] !== undefined && c[part + 2]! <= at) part += 2;
    const [commit, measured, run, date] = (index < 0 ? rest.own[-index - 1] : measurements[index])!;
    const [low, high] = [lo?.[at] ?? null, hi?.[at] ?? null];
    const interval = low === null || high === null ? null : q === null ? { lo: low, hi: high } : { lo: real(sum - low), hi: real(sum + high) };
    return { at: date ?? commits[commit]?.at ?? 0, measured, commit: commits[commit] ?? null, run, value: real(sum), interval, conditions: c[part + 1] ?? 0 };
  });
  const changes = rest.changes.map(([from, to, at, state, change, pair, run, isMachine, note, point]): Change => (
    { from: commits[from] ?? null, to: commits[to] ?? null, at, state, change, interval: ends(pair), run, isMachine, note, point }));
  return { row, points, conditions: rest.conditions.map(([cpu, runtime, tool]) => ({ cpu, runtime, tool })), changes, remarks: rest.remarks };
}
