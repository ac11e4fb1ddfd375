// The data of the page, and functions that read them. Types of the engine's documents are generated from
// its schemas (model.ts). The types here belong to the page. Data about all cases are read when the page
// opens. Details of a case are compressed in an element together with those of neighbouring cases, and are
// read when needed.
import { inflate } from './inflate';
import type * as model from './model';
import type { CaseId, CaseResult as Case, Change, Comparison, Estimate } from './model';

export type {
  CaseId, CaseResult as Case, Change, Comparison, Estimate, Failure, Figure, Observed, TimeSummary as Time, VariantResult as Result, Warning,
} from './model';

export interface BriefTime { typical: Estimate; mean: Estimate; range: model.Interval | null; at_floor: boolean; ops_per_second: number | null; as_run: Estimate | null; unwarmed: boolean }
/** A case in the overview. */
export interface Row {
  id: CaseId; state: model.CaseState; as_run: string | null; variants: { variant: string; processes: number; time: BriefTime | null }[];
}
export interface ComparedSide extends Pick<model.ComparedSide, 'side' | 'verdict'> { change: Change | null }
/** A compared case in the overview and the forest plot. `order` is its place, worst first. */
export interface ComparedRow { id: CaseId; order: number; sides: ComparedSide[] }
/**
 * All data of a compared case. A time that the document already contains is replaced by its case and
 * variant.
 */
export interface ComparedCase extends Omit<model.ComparedCase, 'times'> { times: (model.TimeSummary | null | [number, number])[] }
/** Text about a curve, shown next to the plot. */
export interface Curve extends Pick<model.Curve, 'suite' | 'benchmark' | 'by' | 'variant' | 'exponent'> { law: model.Growth | null; off: string[] }
export interface Scaling extends Pick<model.Scaling, 'over'> { curves: Curve[] }
/** The document without its cases. */
export interface Document extends Omit<model.Document, 'suites' | 'comparison'> {
  suites: { suite: string; cases: number }[]; comparison?: Omit<Comparison, 'cases'>;
}

/**
 * A turn: its start in ms, its value and its slowest batch in ns, and its phase (0 warm-up, 1
 * measured, 2 rejected) with the causes of rejection in the higher bits.
 */
export type Turn = [number, number, number, number];
/**
 * A point of the history: the indices of its place and variant, its run, its value in ns, the ends of its
 * interval, and the change of the level.
 */
export type PastPoint = [number, number, string, number, [number, number] | null, number | null];
/** A commit of the history, or a date if there is no commit. */
export interface PastPlace { at_ms: number; commit: string; releases: string[] }
export interface Profile { variant: number; file: string; text: string | null }
/** The turns of a process: numbers of the process and its block, index of the variant, and the turns. */
export type Trace = [number, number, number, Turn[]];
export interface Data {
  document: Document; chunks: Record<Kind, number[]>; subject: string; headline: string | null; unclear: string[]; commits: string | null; past: PastPlace[]; traced: boolean; thinned: number | null; causes: string[]; scalings: Scaling[]; explanations: [string, string, string][];
}

/**
 * Kinds of data elements: rows of cases and of compared cases, details of cases and of compared
 * cases, and profiles of cases.
 */
type Kind = 'rows' | 'changes' | 'cases' | 'compared' | 'profiles';

function read<T>(id: string): T {
  const deflated = atob(JSON.parse(document.getElementById(id)!.textContent!) as string);
  return JSON.parse(new TextDecoder().decode(inflate(Uint8Array.from(deflated, (letter) => letter.charCodeAt(0))))) as T;
}

const head = read<Data>('data');
const all = <T>(kind: Kind): T[] => head.chunks[kind].flatMap((_, chunk) => read<T[]>(`${kind}-${chunk}`));
export const data = { ...head, rows: all<Row>('rows'), compared: all<ComparedRow>('changes') };

/** The most recently read element of each kind. Users often open neighbouring cases next. */
const last = new Map<Kind, [number, unknown[]]>();

function one<T>(kind: Kind, index: number): T {
  const starts = head.chunks[kind];
  let chunk = 0;
  for (let end = starts.length; end - chunk > 1;) {
    const middle = (chunk + end) >> 1;
    if (starts[middle]! <= index) chunk = middle;
    else end = middle;
  }
  const known = last.get(kind);
  const values = known?.[0] === chunk ? known[1] : read<unknown[]>(`${kind}-${chunk}`);
  last.set(kind, [chunk, values]);
  return values[index - starts[chunk]!] as T;
}

export const run = data.document.run;
export const cases = data.rows;
const suites = data.document.suites.filter((suite) => suite.cases > 0).length;

/**
 * Returns `benchmark key=value …`, with the suite if there are several. `benchmark` is measured
 * instead of the case's own, if given.
 */
export function nameOf(id: CaseId, benchmark?: string | null): string {
  const own = [benchmark ?? id.benchmark, ...id.params.map(([key, value]) => `${key}=${value}`)].join(' ');
  return suites > 1 ? `${id.suite}/${own}` : own;
}

/** Returns the benchmark that a variant measures instead of the case's own, if any. */
export const benchmarkOf = (variant: string): string | null => run.variants.find(({ name }) => name === variant)?.benchmark ?? null;

/** Returns the title of a case. A case of several commands has the name of the first one. */
export const titleOf = ({ id, variants }: Pick<Row, 'id' | 'variants'>): string =>
  [...new Set(variants.map(({ variant }) => nameOf(id, benchmarkOf(variant))))].join(' / ') || nameOf(id);

/** The name of every case in addresses. It does not depend on other cases, unless two have the same name. */
const taken = new Map<string, number>();
export const keys: string[] = cases.map(({ id }, index) => {
  const name = [`${id.suite}/${id.benchmark}`, ...id.params.map(([key, value]) => `${key}=${value}`)].join(' ');
  const key = taken.has(name) ? `${name} #${index}` : name;
  taken.set(key, index);
  return key;
});

/** Returns the index of the case with this name in addresses. */
export const caseNamed = (key: string): number | undefined => taken.get(key);

/**
 * Returns the words for a verdict, as in the engine's tables: a time is faster or slower,
 * everything else better or worse. A metric without a direction has no verdict.
 */
export function verdictOf({ verdict, statistic, unit, direction }: Pick<Change, 'verdict' | 'statistic' | 'unit' | 'direction'>): string {
  if (direction === 'none' && verdict === 'unclear') return 'no verdict';
  const [better, worse] = isTime({ statistic, unit }) ? ['faster', 'slower'] : ['better', 'worse'];
  const compared = data.document.comparison;
  const margin = (statistic === 'mean' ? compared?.mean_margin : compared?.margin) ?? 0;
  const within = verdict.endsWith('-within-margin') ? ` by < ${+(margin * 100).toFixed(2)} %` : '';
  return verdict.replace('better', better!).replace('worse', worse!).replace('-within-margin', within);
}

export const isTime = ({ statistic, unit }: Pick<Change, 'statistic' | 'unit'>): boolean => Boolean(statistic) || unit === 'ns';

/**
 * Returns the words by which a filter finds a verdict: those on the screen, and those in
 * machine-readable formats.
 */
export const verdictWords = (change: Change): string => (atFloor(change) ? 'at the floor' : `${verdictOf(change)} ${change.verdict.replaceAll('-', ' ')}`);

/** Returns true if one of the two values of a change is that of an empty body. */
export const atFloor = (change: Change | null): boolean => change?.reason === 'at-floor';

/** Returns a key that identifies a case. The order of parameters does not matter. */
export const keyOf = (id: CaseId): string => JSON.stringify([id.suite, id.benchmark, id.params.map((param) => JSON.stringify(param)).sort()]);

export const stateOf = (one: { state: Row['state'] }): string => (typeof one.state === 'string' ? one.state : 'measured');

/** Returns the details of a case, its turns by process, and its history. */
export const whole = (index: number): [Case, Trace[], PastPoint[]] => one('cases', index);

/** Returns the profiles of a case. */
export const profilesOf = (index: number): Profile[] => (head.chunks.profiles.length > 0 ? one('profiles', index) : []);

/** Returns the details of a compared case, by its index in `data.compared`. */
export const wholeCompared = (index: number): ComparedCase => one('compared', index);

/**
 * Yields the document as the engine wrote it. With many cases it is too long for a single string.
 */
export function* wholeDocument(): Generator<string> {
  const { suites, comparison, ...rest } = data.document;
  const text = (value: unknown) => JSON.stringify(value, null, 2);
  const open = (value: object) => text(value).replace(/\s*\}$/, '');
  yield `${open(rest)},\n"suites": [`;
  let index = 0;
  for (const [at, { suite, cases: count }] of suites.entries()) {
    yield `${at > 0 ? ',' : ''}\n{"suite": ${text(suite)}, "cases": [`;
    for (const end = index + count; index < end; index++) yield text(whole(index)[0]) + (index + 1 < end ? ',\n' : '');
    yield ']}';
  }
  yield ']';
  if (comparison) {
    yield `,\n"comparison": ${open({ ...comparison, cases: undefined })},\n"cases": [`;
    for (const at of data.compared.keys()) {
      const own = wholeCompared(at);
      const times = own.times.map((time) => (Array.isArray(time) ? whole(time[0])[0].variants[time[1]]!.time : time));
      yield (at > 0 ? ',\n' : '') + text({ ...own, times });
    }
    yield ']}';
  }
  yield '}\n';
}
