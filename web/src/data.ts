// What the page reads, and where from. The types of the engine's documents are made from its schemas (model.ts); here are those of the
// page alone. What is shown of all cases at once is read when the page opens; all else of a case stands deflated in an element with its
// neighbours, and is read when it is asked for.
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
/** A compared case in the overview and the forest plot. */
export interface ComparedRow { id: CaseId; sides: ComparedSide[] }
/** All of a compared case: a time that stands in the document already is where it stands, as case and variant. */
export interface ComparedCase extends Omit<model.ComparedCase, 'times'> { times: (model.TimeSummary | null | [number, number])[] }
/** What is told of a curve beside its picture. */
export interface Curve extends Pick<model.Curve, 'suite' | 'benchmark' | 'by' | 'variant' | 'exponent'> { law: model.Growth | null; off: string[] }
export interface Scaling extends Pick<model.Scaling, 'over'> { curves: Curve[] }
/** The document without its cases. */
export interface Document extends Omit<model.Document, 'suites' | 'comparison'> {
  suites: { suite: string; cases: number }[]; comparison?: Omit<Comparison, 'cases'>;
}

/** Start in ms, value and slowest batch in ns, phase (0 warm-up, 1 measured, 2 rejected) with causes in the bits above. */
export type Turn = [number, number, number, number];
/** Process, block, variant, turns. */
export type Trace = [number, number, number, Turn[]];
export interface Data {
  document: Document; chunks: Record<Kind, number[]>; headline: string | null; traced: boolean; thinned: number | null; causes: string[]; scalings: Scaling[]; explanations: [string, string, string][];
}

/** What elements hold: lines of cases and of compared cases, and all of a case and of a compared one. */
type Kind = 'rows' | 'changes' | 'cases' | 'compared';

function read<T>(id: string): T {
  const deflated = atob(JSON.parse(document.getElementById(id)!.textContent!) as string);
  return JSON.parse(new TextDecoder().decode(inflate(Uint8Array.from(deflated, (letter) => letter.charCodeAt(0))))) as T;
}

const head = read<Data>('data');
const all = <T>(kind: Kind): T[] => head.chunks[kind].flatMap((_, chunk) => read<T[]>(`${kind}-${chunk}`));
export const data = { ...head, rows: all<Row>('rows'), compared: all<ComparedRow>('changes') };

/** The elements of each kind that were read last: who asks for a case asks for its neighbour next. */
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

/** `benchmark key=value …`, with the suite where there are several. `benchmark` is what is measured in the case's place, if something is. */
export function nameOf(id: CaseId, benchmark?: string | null): string {
  const own = [benchmark ?? id.benchmark, ...id.params.map(([key, value]) => `${key}=${value}`)].join(' ');
  return suites > 1 ? `${id.suite}/${own}` : own;
}

/** The benchmark that a variant measures in the place of that of cases, if it names one. */
export const benchmarkOf = (variant: string): string | null => run.variants.find(({ name }) => name === variant)?.benchmark ?? null;

/** All that is measured in a case: of several commands it bears the name of the first. */
export const titleOf = ({ id, variants }: Pick<Row, 'id' | 'variants'>): string =>
  [...new Set(variants.map(({ variant }) => nameOf(id, benchmarkOf(variant))))].join(' / ') || nameOf(id);

/** The verdict on a change as the engine's tables say it: a time is faster or slower, all else better or worse. */
export function verdictOf({ verdict, statistic, unit }: Pick<Change, 'verdict' | 'statistic' | 'unit'>): string {
  const [better, worse] = isTime({ statistic, unit }) ? ['faster', 'slower'] : ['better', 'worse'];
  const compared = data.document.comparison;
  const margin = (statistic === 'mean' ? compared?.mean_margin : compared?.margin) ?? 0;
  const within = verdict.endsWith('-within-margin') ? ` by < ${+(margin * 100).toFixed(2)} %` : '';
  return verdict.replace('better', better!).replace('worse', worse!).replace('-within-margin', within);
}

export const isTime = ({ statistic, unit }: Pick<Change, 'statistic' | 'unit'>): boolean => Boolean(statistic) || unit === 'ns';

/** The words of a verdict that a filter finds: those on the screen, and those of formats for programs. */
export const verdictWords = (change: Change): string => (atFloor(change) ? 'at the floor' : `${verdictOf(change)} ${change.verdict.replaceAll('-', ' ')}`);

/** Whether one of the two values of a change is that of an empty body. */
export const atFloor = (change: Change | null): boolean => change?.reason === 'at-floor';

/** A key that tells cases apart. The order of parameters is no part of it. */
export const keyOf = (id: CaseId): string => JSON.stringify([id.suite, id.benchmark, id.params.map((param) => JSON.stringify(param)).sort()]);

export const stateOf = (one: { state: Row['state'] }): string => (typeof one.state === 'string' ? one.state : 'measured');

/** All of one case, and its turns by process. */
export const whole = (index: number): [Case, Trace[]] => one('cases', index);

/** All of one compared case, in the order of `data.compared`. */
export const wholeCompared = (index: number): ComparedCase => one('compared', index);

/** The document as the engine wrote it, in pieces: that of many cases is longer than a string can be. */
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
