// What the page shows: the types of the engine's JSON document, as far as they are used, and where it is read from. What is shown of all
// cases at once is read when the page opens; all else of a case stands in an element of its own, and is read when it is asked for.

export interface Interval { lo: number; hi: number }
export interface Estimate { value: number; interval: Interval | null }
export interface Warning { code: string; case: number | null; message: string; remedy: string }
export interface Failure { code: string; what: string; case: number | null; place: string[]; why: string; remedy: string }
export interface Histogram { lo: number; hi: number; counts: number[]; above: number }
export interface ProcessValue { process: number; time_ns: number; turns: number; within: number; class: string }
export interface BriefTime { typical: Estimate; mean: Estimate; ops_per_second: number | null }
export interface Time { typical: Estimate; mean: Estimate; steady: { class: string }; processes: ProcessValue[]; histogram: Histogram | null }
export interface Figure {
  name: string; label: string; metric: boolean; unit: string; kind: string; per_operation: boolean; better: string; value: number; interval: Interval | null;
}
export interface Result {
  variant: string; processes: number; turns: number; batches: number; rejected: [string, number][];
  time: Time | null; figures: Figure[];
}
export interface CaseId { suite: string; benchmark: string; params: [string, string][] }
export interface Case {
  case: { id: CaseId; file: string | null; line: number | null; unit: string | null; bytes: number | null };
  state: string | { measured: string }; variants: Result[]; change: { run: string; change: number } | null;
}
/** A case in the overview. */
export interface Row {
  id: CaseId; state: string | { measured: string }; variants: { variant: string; processes: number; time: BriefTime | null }[];
}
export interface Change {
  metric: string; statistic?: string; unit: string; per_operation: boolean; direction: string; base: number; new: number; change: Estimate | null; difference: Estimate | null; exact: boolean;
  replicates: number; verdict: string; reason: string | null; because: string; needed: number | null; q: number | null; pairs: number[];
}
export interface ComparedCase { case: { id: CaseId }; times: (unknown | null | [number, number])[]; sides: { side: number; verdict: string; changes: Change[] }[] }
export interface ComparedSide { side: number; verdict: string; change: Change | null }
/** A compared case in the overview and the forest plot. */
export interface ComparedRow { id: CaseId; sides: ComparedSide[] }
export interface Comparison {
  sides: { name: string; run: string; variant: string; control: boolean }[]; pairing: string; margin: number; confidence: number;
  geometric_means: { side: number; cases: number; change: Estimate }[];
  context: { side: number; what: string; base: string; new: string }[];
  warnings: Warning[]; unknown: string[]; alone: [number, string][];
}
export interface Run {
  id: string; started_ms: number; ended_ms: number | null; status: string; derny: string; args: string[]; seed: number; note: string | null;
  settings: Record<string, unknown> & { confidence: number; margin: number };
  variants: { name: string; command: string[] | null; args: string[]; env: [string, string][]; revision: string | null }[];
  machine: { os: string; kernel: string; cpu: string; cores: number; memory_bytes: number; host: string; facts: Record<string, string>; unobserved: string[] };
  commit: { hash: string; branch: string | null; dirty: boolean } | null; runtimes: string[];
}
export interface Document {
  run: Run; suites: { suite: string; cases: number }[]; failures: Failure[]; warnings: Warning[]; comparison?: Comparison;
}

export interface Curve {
  suite: string; benchmark: string; by: [string, string][]; variant: string;
  off: string[]; law: { law: string; also: string[]; error: number } | null; exponent: Estimate | null;
}
export interface Scaling { over: string; curves: Curve[] }

/** Start in ms, value and slowest batch in ns, phase (0 warm-up, 1 measured, 2 rejected) with causes in the bits above. */
export type Turn = [number, number, number, number];
/** Process, block, variant, turns. */
export type Trace = [number, number, number, Turn[]];
export interface Data {
  document: Document; rows: Row[]; compared: ComparedRow[]; traced: boolean; thinned: number | null; causes: string[]; scalings: Scaling[]; explanations: [string, string, string][];
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
