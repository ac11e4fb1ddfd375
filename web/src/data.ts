// What the page reads, and where from. The types of the engine's documents are made from its schemas (model.ts); here are those of the
// page alone. What is shown of all cases at once is read when the page opens; all else of a case stands in an element of its own, and is
// read when it is asked for.
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
  document: Document; headline: string | null; rows: Row[]; compared: ComparedRow[]; traced: boolean; thinned: number | null; causes: string[]; scalings: Scaling[]; explanations: [string, string, string][];
}

const read = <T>(id: string): T => JSON.parse(document.getElementById(id)!.textContent!) as T;

export const data = read<Data>('data');
export const run = data.document.run;
export const cases = data.rows;
const suites = data.document.suites.filter((suite) => suite.cases > 0).length;

/** `benchmark key=value …`, with the suite where there are several. */
export function nameOf(id: CaseId): string {
  const own = [id.benchmark, ...id.params.map(([key, value]) => `${key}=${value}`)].join(' ');
  return suites > 1 ? `${id.suite}/${own}` : own;
}

/** Whether one of the two values of a change is that of an empty body. */
export const atFloor = (change: Change | null): boolean => change?.reason === 'at-floor';

/** A key that tells cases apart. */
export const keyOf = (id: CaseId): string => JSON.stringify([id.suite, id.benchmark, id.params]);

export const stateOf = (one: { state: Row['state'] }): string => (typeof one.state === 'string' ? one.state : 'measured');

/** All of one case, and its turns by process. */
export const whole = (index: number): [Case, Trace[]] => read(`case-data-${index}`);

/** All of one compared case, in the order of `data.compared`. */
export const wholeCompared = (index: number): ComparedCase => read(`compared-data-${index}`);

/** The document as the engine wrote it. */
export function wholeDocument(): unknown {
  const { suites, comparison } = data.document;
  const all = cases.map((_, index) => whole(index)[0]);
  const time = (own: unknown) => (Array.isArray(own) ? all[own[0]]!.variants[own[1]]!.time : own);
  let next = 0;
  return {
    ...data.document,
    suites: suites.map((suite) => ({ ...suite, cases: all.slice(next, next += suite.cases) })),
    comparison: comparison && { ...comparison, cases: data.compared.map((_, index) => wholeCompared(index)).map((one) => ({ ...one, times: one.times.map(time) })) },
  };
}
