// What the page shows: the types of the engine's JSON document, as far as they are used, and where it is read from.

export interface Interval { lo: number; hi: number }
export interface Estimate { value: number; interval: Interval | null }
export interface Warning { code: string; case: number | null; message: string; remedy: string }
export interface Failure { code: string; what: string; case: number | null; place: string[]; why: string; remedy: string }
export interface Metric { name: string; unit: string; direction: string; exact: boolean }
export interface Histogram { lo: number; hi: number; counts: number[]; above: number }
export interface ProcessValue { process: number; time_ns: number; turns: number; within: number; class: string }
export interface Time {
  typical: Estimate; amortised: Estimate; cpu: Estimate | null;
  mean: number; standard_deviation: number; median: number; mad: number; minimum: number; maximum: number;
  q1: number; q3: number; p95: number; p99: number; within: number; between: number;
  ops_per_second: number; bytes_per_second: number | null; items_per_second: number | null;
  outlier_variance: number; detectable: number | null;
  cold: { time_ns: number; processes: number } | null; steady: { class: string };
  processes: ProcessValue[]; histogram: Histogram | null;
}
export interface Result {
  variant: string; processes: number; turns: number; batches: number; rejected: [string, number][];
  time: Time | null; metrics: { metric: Metric; estimate: Estimate; constant: boolean; per_operation: boolean }[];
}
export interface CaseId { suite: string; benchmark: string; params: [string, string][] }
export interface Case {
  case: { id: CaseId; file: string | null; line: number | null; unit: string | null; bytes: number | null };
  state: string | { measured: string }; variants: Result[]; change: { run: string; change: number } | null;
}
export type Quantity = 'typical' | 'amortised' | { metric: string };
export interface Change {
  quantity: Quantity; unit: string; direction: string; base: number; new: number; change: Estimate | null; exact: boolean;
  replicates: number; verdict: string; because: string; needed: number | null; q: number | null; pairs: number[];
}
export interface ComparedSide { side: number; verdict: string; split: boolean; changes: Change[] }
export interface Comparison {
  sides: { name: string; run: string; variant: string; control: boolean }[]; pairing: string; margin: number; confidence: number;
  cases: { case: { id: CaseId }; sides: ComparedSide[] }[];
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
  run: Run; suites: { suite: string; cases: Case[] }[]; failures: Failure[]; warnings: Warning[]; comparison?: Comparison;
}

export interface Curve {
  suite: string; benchmark: string; by: [string, string][]; variant: string;
  points: { text: string; off: boolean }[]; growth: { law: string; also: string[]; error: number } | null; exponent: Estimate | null;
}
export interface Scaling { over: string; by: string[]; curves: Curve[] }

/** Start in ms, value and slowest batch in ns, phase (0 warm-up, 1 measured, 2 rejected) with causes in the bits above. */
export type Turn = [number, number, number, number];
/** Process, block, variant, turns. */
export type Trace = [number, number, number, Turn[]];
export interface Data {
  document: Document; traces: Trace[][]; thinned: number | null; causes: string[]; scalings: Scaling[]; explanations: [string, string, string][];
}

export const data: Data = JSON.parse(document.getElementById('data')!.textContent!);
export const run = data.document.run;
export const cases: Case[] = data.document.suites.flatMap((suite) => suite.cases);
const suites = data.document.suites.filter((suite) => suite.cases.length > 0).length;

/** `benchmark key=value …`, with the suite where there are several. */
export function nameOf(id: CaseId): string {
  const own = [id.benchmark, ...id.params.map(([key, value]) => `${key}=${value}`)].join(' ');
  return suites > 1 ? `${id.suite}/${own}` : own;
}

/** A key that tells cases apart. */
export const keyOf = (id: CaseId): string => JSON.stringify([id.suite, id.benchmark, id.params]);

export const stateOf = (one: Case): string => (typeof one.state === 'string' ? one.state : 'measured');
