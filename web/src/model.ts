// Made by types.mjs of the schemas in docs/reference/schema. Do not edit.

/** How a run spent its wall time, and how much it did. */
export interface Accounting {
  /** Amounts of work. */
  counts: WorkCounts;
  /** The parts of the wall time. */
  parts: TimeParts;
  /** Wall time of the run from its first build to its last event, or to its result if `analysis_ns` is present. */
  wall_ns: number;
}

/** A stored run that a variant measures again. */
export interface Again {
  /** The commit of its sources. */
  commit: Commit | null;
  /** The code that is measured. */
  from: AgainFrom;
  /** The stored run. */
  run: string;
  /** Start of the stored run, milliseconds since the Unix epoch. */
  started_ms: number;
}

/** The origin of the code of a baseline that is measured again. */
export type AgainFrom = "program" | "commit";

/** The baseline of a comparison, and whether it was measured again. */
export interface Against {
  /** The code that was measured again, in pairs with the other sides; absent if the stored times are compared. */
  again: AgainFrom | null;
  /** The commit of its sources. */
  commit: Commit | null;
  /** The stored run. */
  run: string;
  /** Start of the stored run, milliseconds since the Unix epoch. */
  started_ms: number;
  /** The reason why a requested second measurement did not take place, as one sentence. */
  why_stored: string | null;
}

/** How a suite was built and launched: everything needed to measure the same code again. */
export interface Built {
  /** Arguments added to the build command. */
  build_args?: string[];
  /** The build command as written; empty if nothing is built. */
  command: string[];
  /** Working directory of its processes, relative to the root of the variant's sources. */
  directory: string;
  /** The benchmark file; absent for the program of a whole suite. */
  file: string | null;
  /** The launch line as written, with the variant's command and the suite's arguments. */
  launch: string[];
  /** The launch line also names files of the project besides these programs, such as scripts. */
  needs_sources: boolean;
  /** The native programs that the launch line names by path. */
  programs: Program[];
  /** The suite. */
  suite: string;
  /** Arguments in the launch line for the suite's own program. */
  suite_args?: string[];
  /** Index into the run's variants. */
  variant: number;
}

/** Everything that a harness declares about one case. */
export interface Case {
  /** Estimated time of one call in ns, by the benchmark's own account; for planning only. */
  about_ns: number | null;
  /** A hint that a self-timed body may be called repeatedly in one process. */
  again: boolean;
  /** Flags with which the runtime of this case must be launched. */
  args: string[];
  /** Position among the harness's cases, opaque to the engine. Finds a value whose name differs between processes. */
  at?: string | null;
  /** Bytes processed per iteration. */
  bytes: number | null;
  /** The benchmark's name in its harness, if the identity has a number appended because another case has the same name and parameters. */
  called?: string | null;
  /** Duration in ns of the batch that the case's own framework would run. The time of an operation may depend on the number of operations. */
  count_ns?: number | null;
  /** Environment with which the process of this case must be launched. */
  env: [string, string][];
  /** The benchmark file, relative to the project's root; absent for a command harness. */
  file: string | null;
  /** Every call starts afresh, as a process does. The first call is like the later ones, so there is no warm-up and no batch size to choose. */
  fresh?: boolean;
  /** Key of a preparation that a separate process makes once for the whole run, for all cases with this key. */
  global_setup: string | null;
  /** A visual group. */
  group: string | null;
  /** The harness convention that launches it (a name from an `sdk.toml`, or `command`). */
  harness: string;
  /** The case's identity. */
  id: CaseId;
  /** The case must not share its process with another. */
  isolate: boolean;
  /** Items processed per iteration. */
  items: number | null;
  /** Shortest meaningful time of a batch in ns, if longer than usual because threads have to start. */
  least_batch_ns?: number | null;
  /** The line in that file, if the harness reports it. */
  line: number | null;
  /** Maximum number of batches in one process, for any purpose except the empty body. */
  max_batches: number | null;
  /** Maximum number of iterations of a batch. */
  max_iterations: number | null;
  /** Metrics that the body or a tool reports, besides or instead of times. */
  metrics: Metric[];
  /** Package, class or module of the case. For display and selection; not part of its identity. */
  module: string | null;
  /** Operations per iteration; 1 unless declared. */
  ops: number;
  /** True for a parent, which is not measured: running it finds the cases below it. */
  parent: boolean;
  /** The case's name as its own tool prints it, if benchmark and parameters do not reproduce it. Other tools may put parameters anywhere in a name. */
  printed?: string | null;
  /** The program that the benchmark was written for. That program calls the body once in a fresh process, as configured, and reports this call. Such a case has two times: the first call of its processes, and the steady time. */
  runner?: string | null;
  /** The parameter that `iterations` sets, if the body follows it. */
  scale: string | null;
  /** Reason why the case cannot be measured here, if known without opening it. */
  skip: string | null;
  /** Free labels. */
  tags: string[];
  /** Number of threads that run the body at once. */
  threads: number | null;
  /** Time limit in ns for opening, for checking and for each turn. */
  timeout_ns: number | null;
  /** The owner of the clock. */
  timing: Timing;
  /** Name of an operation, if not `op`. */
  unit: string | null;
}

/** The identity of a case. Cases with equal ids are the same case in any run or file. The text form is `suite/benchmark key=value key=value`; patterns match that text. */
export interface CaseId {
  /** The benchmark's name, unique within its suite. */
  benchmark: string;
  /** Parameters in the harness's order, which is for display: ids that differ only in the order are equal. If a source has values of several types, a text value has the form of [`param_text`]. */
  params: [string, string][];
  /** The suite: benchmarks that share a harness and settings. */
  suite: string;
}

/** The outcome of one side of a case. Exit status, JUnit, annotations and comments agree because they all read it here. */
export type CaseOutcome = "passed" | "worse" | "undecided" | "unjudged" | "failed" | "skipped" | "not-measured";

/** One case. */
export interface CaseResult {
  /** The case as declared. */
  case: Case;
  /** Change against the last comparable run, if there is one. */
  change: PlainChange | null;
  /** Its state. */
  state: CaseState;
  /** Results by variant, in the run's order. */
  variants: VariantResult[];
}

/** The state of a case. */
export type CaseState = {
  measured: StopReason;
} | "passed" | "skipped" | "failed" | "missing";

/** The change of one quantity of one side against the base. */
export interface Change {
  /** The base's value. */
  base: number;
  /** Why a verdict is weaker than the interval alone suggests or impossible, or what it cannot exclude: a sentence, or empty. */
  because: string;
  /** `new / base - 1` with the repeated interval; absent if one side is 0 or nothing can be estimated. In paired measurements the point is the Hodges–Lehmann estimate of the pairs. */
  change: Estimate | null;
  /** `new - base` with its interval, in the unit of the two values, if one of them is 0 and there is no ratio. */
  difference: Estimate | null;
  /** The direction of improvement. */
  direction: Direction;
  /** Declared exact and the same on every turn of both sides: compared exactly, without an interval. */
  exact: boolean;
  /** The p-value adjusted after Holm over the family. */
  holm: number | null;
  /** Two-sided nominal level of the interval. */
  level: number;
  /** The change that the machine may account for, as shares, if the sides were measured at different times. The interval of `change` is what remains for the program, so it need not contain the value. */
  machine?: Interval | null;
  /** Number of machines that measured it, if several: the interval is over them, not over their pairs. */
  machines?: number;
  metric: string;
  /** Total number of pairs (or processes) that would probably decide an unclear verdict. */
  needed: number | null;
  /** The side's value. In paired measurements it is the base's value changed by `change`, so that the three agree. */
  new: number;
  /** The side's value from its own processes only, where `new` differs in kind. It may differ from `new`, because it includes disturbances of these processes that did not affect the base. */
  new_alone?: number | null;
  /** Shown without a verdict: mean time that nothing required. */
  only_shown?: boolean;
  /** Repeated p-value of no change, valid under the stopping rule; absent for exact quantities. */
  p: number | null;
  /** The change of every pair, in the order of blocks; empty if unpaired, exact, or judged by the difference. */
  pairs: number[];
  /** The two values are per operation. */
  per_operation: boolean;
  /** The p-value adjusted after Benjamini and Hochberg over the family. */
  q: number | null;
  /** Why the verdict is unclear; absent for another verdict. */
  reason: Reason | null;
  /** Pairs (paired) or processes of the side with fewer (unpaired). */
  replicates: number;
  statistic?: string | null;
  /** Unit of the two values: `ns`, `bytes`, … */
  unit: string;
  /** Too little was measured to call it worse, whatever its value. */
  unjudged?: boolean;
  /** The verdict from the interval and the margin; `better` and `worse` also need `q` below the comparison's level. */
  verdict: Verdict;
}

/** The first call in a fresh process. */
export interface ColdSummary {
  /** Number of processes. */
  processes: number;
  /** Range from the fastest to the slowest process. */
  range_ns: Interval;
  /** Median over processes of the first batch, ns per operation. */
  time_ns: number;
}

/** The state of the sources. */
export interface Commit {
  /** Branch name, if on one. */
  branch: string | null;
  /** There were uncommitted changes. */
  dirty: boolean;
  /** Full hash. */
  hash: string;
}

/** One case. */
export interface ComparedCase {
  /** The case as declared. */
  case: Case;
  /** The sides after the base that have the case. */
  sides: ComparedSide[];
  /** Times of every side, in the order of sides; absent for a side without times. */
  times: (TimeSummary | null)[];
}

/** One side of one case. */
export interface ComparedSide {
  /** Whether the base, and this side, is indistinguishable from an empty body. */
  at_floor: boolean[];
  /** The changes: typical time, mean time (if the case was timed), then every other metric that both sides have. */
  changes: Change[];
  /** Index of the change that makes it `worse`, `undecided` or `unjudged`; absent if it passed. */
  decided_by: number | null;
  /** Metrics requested by name that only one of the two sides has. */
  lacks?: string[];
  /** The composition of mean time, for the base and for this side; absent if nothing was timed or the sides are unpaired. */
  observed?: Observed[] | null;
  /** The outcome for a gate: `passed`, `worse`, `undecided`, `unjudged`, or `not-measured` if a metric is missing. A control has `passed`. */
  outcome: CaseOutcome;
  /** Why the verdict is unclear; absent for another verdict. */
  reason: Reason | null;
  /** Index into the comparison's sides; never 0. */
  side: number;
  /** Typical and mean time have different verdicts. */
  split: boolean;
  /** The verdict on the case: that of typical time, or the worse of the two if mean time differs. */
  verdict: Verdict;
}

/** Everything that a reporter of comparisons needs. */
export interface Comparison {
  /** The stored run that the others are compared with; absent if all sides are variants of one run. */
  against: Against | null;
  /** Names of cases that only one side has, with that side's index. */
  alone: [number, string][];
  /** Wall-clock time between the starts of the oldest and the newest run, in ms. */
  apart_ms: number;
  /** The cases that at least two sides have, in the base's order. */
  cases: ComparedCase[];
  /** Confidence of intervals, 0 to 1. */
  confidence: number;
  /** Differences besides the intended one. */
  context: ContextDifference[];
  /** The control's record, with `--control`. */
  control: Control | null;
  /** Failures on any side. */
  failures: Failure[];
  /** Number of comparisons that `q` and Holm's values are adjusted for. */
  family: number;
  /** Version of this format. */
  format: number;
  /** A row per side after the base, if there are several cases. */
  geometric_means: GeometricMean[];
  /** The change of the machine by the yardsticks, for every side measured at another time than the base. */
  machine?: MachineChange[];
  /** The machines that measured, if there were several. */
  machines?: FleetMachine[];
  /** The margin δ as a share: changes within it do not matter. */
  margin: number;
  /** The margin of mean time. */
  mean_margin: number;
  /** How they were measured. */
  pairing: Pairing;
  /** Sides with the same code as the base, and the kind of sameness: `are the same shop 1.0, byte for byte`. */
  same?: SameCode[];
  /** The sides; the first is the base. */
  sides: Side[];
  /** What these measurements cannot show, in whole sentences. */
  unknown: string[];
  /** Cases requested of at least two sides that some did not measure, in the order of the sides. One that two other sides did measure is also in `cases`. */
  unmeasured: Unmeasured[];
  /** Warnings. `Warning::case` indexes `cases`. */
  warnings: Warning[];
}

/** Contention: what other programs and other machines on the same host took from a run, in the busier half of its time. It may have slowed a program without showing in the yardsticks, which are read before and after. */
export interface Contention {
  /** One-minute load average, including the run itself; absent if the system has none. */
  load: number | null;
  /** Share of processor time used by other programs, 0 to 1. */
  others: number;
  /** Share of processor time stolen by the hypervisor, 0 to 1. */
  steal: number;
}

/** A difference between the contexts of two sides that may itself change times. */
export interface ContextDifference {
  /** The base's value; empty if it has none. */
  base: string;
  /** The side's value. */
  new: string;
  /** Index of the side that differs from the base. */
  side: number;
  /** The property: `machine`, `runtime`, `cpu`, `governor`, `batch time`, `environment NODE_OPTIONS`, …; `machine` or `cpu` mean another machine. */
  what: string;
}

/** The record of the control: how often it showed a difference, and how large. */
export interface Control {
  /** Those called faster or slower by any amount: false alarms. */
  alarms: number;
  /** Comparisons of the base with itself. */
  comparisons: number;
  /** Largest absolute change, as a share. */
  floor: number;
  /** Half-width of the widest interval, as a share. */
  half_width: number;
  /** Those called faster or slower by more than the margin allows. */
  material: number;
}

/** Points of one benchmark, by increasing parameter. */
export interface Curve {
  /** Parameters that the points are geometric means over, with their values. */
  aggregated: [string, string[]][];
  /** The benchmark. */
  benchmark: string;
  /** Values of the parameters that distinguish the curves. */
  by: [string, string][];
  /** Slope of the logarithms over all points (Theil and Sen); absent for fewer than three. */
  exponent: Estimate | null;
  /** The fitted growth; absent for fewer than four points. */
  growth: Growth | null;
  /** The points. */
  points: Point[];
  /** The suite. */
  suite: string;
  /** The variant; empty if there is only one. */
  variant: string;
}

/** The direction in which a metric improves. */
export type Direction = "less" | "more" | "none";

/** Everything that a reporter needs. */
export interface Document {
  /** The run that changes are relative to. */
  baseline: [string, Commit | null] | null;
  /** The run's variants against the first one, or the run against the requested baseline. */
  comparison?: Comparison | null;
  /** Contention by others while the run measured; absent if it was not observed. */
  contention?: Contention | null;
  /** Failures of the run. */
  failures: Failure[];
  /** Version of this format. */
  format: number;
  /** The fastest cases, if only one variant was measured. */
  rankings?: Ranking[];
  /** The run and its context. */
  run: RunHeader;
  /** How the run spent its time, with `--stats`. */
  stats?: Accounting | null;
  /** Results. */
  suites: SuiteResult[];
  /** Warnings. `Warning::case` counts cases across suites in order. */
  warnings: Warning[];
  /** The run's yardsticks: the engine's own kernels, which distinguish a change of the machine from one of a program. */
  yardsticks?: Yardstick[];
}

/** A point estimate and its confidence interval. */
export interface Estimate {
  /** The interval; absent if the sample is too small. A single variant's value has one from six processes on. */
  interval: Interval | null;
  /** The point estimate. */
  value: number;
}

/** A failure of one case or file, which did not stop the others. */
export interface Failure {
  /** Index into the run's cases, if one case failed. */
  case: number | null;
  /** Stable code. */
  code: FailureCode;
  /** File, case, runtime, process: most specific last, joined by ` · ` for display. */
  place: string[];
  /** The remedy to try. */
  remedy: string;
  /** The failure, in one sentence. */
  what: string;
  /** The cause, with the last lines of the program's output if they help. */
  why: string;
}

/** The stable code of a failure; `derny explain` has a text for each. */
export type FailureCode = "DY301" | "DY302" | "DY303" | "DY304" | "DY305" | "DY306" | "DY307" | "DY308" | "DY309" | "DY310" | "DY311" | "DY312" | "DY313" | "DY314";

/** A figure: a number of a result with everything that a reporter needs to show it. Tables, details, CSV, pages and JSON use the same list. */
export interface Figure {
  /** The direction of improvement. */
  better: Direction;
  /** Its confidence interval; absent if the figure has none or there are fewer than six processes. */
  interval: Interval | null;
  /** How the values of the quantity combine. */
  kind: Kind;
  /** The name in words: `95th percentile`. That of a metric is its name. */
  label: string;
  /** The figure is a metric that a harness reads, not a statistic of time. */
  metric: boolean;
  /** `time` (typical time), `mean`, `p95`, …, or the name of a metric. */
  name: string;
  /** The value is per operation. */
  per_operation: boolean;
  /** The smallest and the largest process value, for two to five processes. With three it contains the median with a probability of 75 %, with four 87 %, with five 94 %. */
  range: Interval | null;
  /** `ns`, `share`, `op/s`, `bytes`, …. */
  unit: string;
  /** The value. */
  value: number;
}

/** The first call in a fresh process, as configured, which the case's own program reports. */
export interface FirstCall {
  /** Time of the whole call in ns. */
  call_ns: number;
  /** Time in ns per operation. */
  time_ns: number;
}

/** One of several machines that measured cases, and its record. */
export interface FleetMachine {
  /** Cases that it measured, counted by side. */
  cases: number;
  /** Its processor. */
  cpu: string;
  /** The host's name, or the name given to it. */
  name: string;
  /** Scatter of its pairs relative to the others', as a factor. */
  noise: number | null;
  /** How it differs from the others, as half a sentence; empty if it does not. */
  odd: string;
  /** Pairs of these cases. */
  pairs: number;
  /** Deviation of its changes from the others', as a share; absent if it shares too few cases with others. */
  shift: number | null;
}

/** The cost of an empty body through the same loop, or between the same start and stop. */
export interface Floor {
  /** The case is indistinguishable from an empty body. */
  indistinguishable: boolean;
  /** Time per iteration of the empty body in ns, at least a clock cycle if a body that times itself counts calls. */
  time_ns: number;
}

/** The terms of a gate. */
export interface GateTerms {
  /** Verdicts that fail it: `worse`, `unclear`. */
  fail_on: string[];
  /** Metrics that it judges; empty means only time. */
  metrics: string[];
}

/** The geometric mean of a side's ratios over all cases that it shares with the base. */
export interface GeometricMean {
  /** Number of cases. */
  cases: number;
  /** Change with its interval. */
  change: Estimate;
  /** Index into the sides. */
  side: number;
}

/** A growth law fitted to the points. */
export interface Growth {
  /** Other laws that fit these points as well. */
  also: string[];
  /** The constant in `constant + factor × law(n)`; logarithms are natural. */
  constant: number;
  /** Mean error of the prediction for points left out of the fit, as a share. */
  error: number;
  /** k of `n^k`, with its interval. */
  exponent: Estimate | null;
  /** See `constant`. */
  factor: number;
  /** `1`, `log n`, `n`, `n log n`, `n²`, `n³`, `n^k`. */
  law: string;
}

/** Counts of batch values in bins of equal width. */
export interface Histogram {
  /** Values above `hi`. */
  above: number;
  /** Values per bin. */
  counts: number[];
  /** Upper end of the last bin. */
  hi: number;
  /** Lower end of the first bin in ns per operation: the smallest value. */
  lo: number;
}

/** The origin of results that another tool measured. */
export interface Imported {
  /** The path of the file as given. */
  file: string;
  /** The importer that read them: `benchfella`, `criterion-json`. */
  format: string;
  /** Hash of the file and of the way it was read, to recognise it. Records of earlier versions have none. */
  hash?: string;
  /** The tool and its version, if the file names them. */
  tool: string;
  /** Facts that the file does not contain, in words. */
  unknown: string[];
}

/** A closed interval. */
export interface Interval {
  /** Upper end. */
  hi: number;
  /** Lower end. */
  lo: number;
}

/** How many cases a process measures. */
export type Isolation = "case" | "suite" | "shared";

/** How the values of a metric combine. */
export type Kind = "total" | "level" | "peak" | "rate" | "reported";

/** Hardware and operating system. */
export interface Machine {
  /** Online processors. */
  cores: number;
  /** The processor's name. */
  cpu: string;
  /** Further facts (governor, turbo, SMT, virtualisation, ASLR, clock source), if observable. */
  facts: Record<string, string>;
  /** Host name. */
  host: string;
  /** Kernel release. */
  kernel: string;
  /** Installed memory in bytes. */
  memory_bytes: number;
  /** `linux`, `macos`, `windows`. */
  os: string;
  /** What this platform cannot observe, in words. */
  unobserved: string[];
}

/** The change of the machine between two runs, by their yardsticks. */
export interface MachineChange {
  /** The change of typical time common to all cases, as a share of the base; absent if there is none. */
  common_shift: number | null;
  /** Contention during the base's run and during the side's; absent where it was not observed. */
  contention: (Contention | null)[];
  /** Index of the side whose run is compared with the base's. */
  side: number;
  /** The yardsticks that both runs have. */
  yardsticks: YardstickChange[];
}

/** A quantity that closes every turn. */
export interface Metric {
  /** The direction of improvement. */
  direction: Direction;
  /** Declared to be the same on every turn of equal work. */
  exact: boolean;
  /** How its values combine. Records of earlier versions lack it; the store decides it on reading. */
  kind: Kind;
  /** Its name: `cpu`, `allocated`, or one that the author chose. */
  name: string;
  /** Its unit: `ns`, `bytes`, `count`, `requests/s`. */
  unit: string;
}

/** Any other metric, per operation if it is a total over the turn. */
export interface MetricSummary {
  /** The value was the same on every turn of every process. */
  constant: boolean;
  /** Standard deviation of the logarithms of the process values; absent for fewer than two, or if one is not positive. */
  deviation: number | null;
  /** The Hodges–Lehmann estimate over processes, or the median with fewer than six; for exact metrics the value itself. */
  estimate: Estimate;
  /** Ordinary least squares of the turn's counter on its operations with `--ladder`: slope per operation and R². The fixed cost of a turn is in the intercept, not in the slope. */
  ladder: [number, number] | null;
  /** The metric. */
  metric: Metric;
  /** Per operation (counters) or as reported (rates). */
  per_operation: boolean;
  /** The smallest and the largest process value, for two to five processes. */
  range: Interval | null;
}

/** The composition of a side's mean time. */
export interface Observed {
  /** Greatest age of its processes, in ns: later parts of a program's life were not measured. */
  age_ns: number;
  /** Collections during them. */
  collections: number;
  /** Turns excluded because the thread was preempted or code was compiled. */
  left_out: number;
  /** Excess time of the pauses, in ns. */
  paused_ns: number;
  /** Pauses: turns that took more than twice as long per operation as similar ones. */
  pauses: number;
  /** Wall time of the turns included, in ns. */
  wall_ns: number;
}

/** A package whose code is measured, as a process found it. */
export interface Package {
  /** The folder or file that it is loaded from. */
  from: string;
  /** Hash of its files; empty if not computed. */
  hash: string;
  /** Version and path of an installed copy that this one shadows; empty if there is none. */
  hides?: string;
  /** Its name. */
  name: string;
  /** It is under benchmark: the project's own or, if that is unknown, one that the benchmarks import directly. */
  own: boolean;
  /** Its version; empty if it has none. */
  version: string;
}

/** How the sides were measured relative to each other. */
export type Pairing = "paired" | "unpaired";

/** What a run measures of a plan for several machines: one of its shards. */
export interface Part {
  /** [`FleetPlan::measures`](crate::FleetPlan::measures), the same in all waves. */
  measures: string;
  /** Total number of shards. */
  of: number;
  /** [`FleetPlan::id`](crate::FleetPlan::id). */
  plan: string;
  /** Number of the shard, from 1. */
  shard: number;
  /** Number of the wave, from 1. */
  wave: number;
}

/** The parts that make up one run. */
export interface Parts {
  /** Number of parts. */
  count: number;
  /** Hash of the parts, to recognise them. */
  hash: string;
  /** [`FleetPlan::measures`](crate::FleetPlan::measures). */
  measures: string;
  /** Number of waves with parts in it. */
  waves: number;
}

/** The change of typical time against the last comparable run, which was measured at another time. */
export interface PlainChange {
  /** The same in words. */
  because: string;
  /** New over old typical time, minus 1. */
  change: number;
  /** The part of the change that remains for the program, with its uncertainty. */
  interval: Interval | null;
  /** The change that the machine may account for, as shares. */
  machine: Interval | null;
  /** Why the verdict is unclear. */
  reason: Reason | null;
  /** The earlier run. */
  run: string;
  /** The resulting verdict; absent in documents of earlier versions. */
  verdict: Verdict;
}

/** One value of the parameter. */
export interface Point {
  /** Bytes per second, if declared. */
  bytes_per_second: number | null;
  /** Number of cases in it. */
  cases: number;
  /** The quantity. */
  estimate: Estimate;
  /** The fitted value, in the quantity's unit. */
  fitted: number | null;
  /** It deviates from the fit by more than the other points' scatter allows. */
  off: boolean;
  /** Operations per second, for times. */
  per_second: number | null;
  /** Number of processes of all of them. */
  processes: number;
  /** The step from the previous point. */
  step: Step | null;
  /** The parameter as written. */
  text: string;
  /** The parameter as a number. */
  x: number;
}

/** Time that a run spent before its start. */
export interface Preparation {
  /** Builds. */
  build_ns: number;
  /** Finding files and listing their cases. */
  listing_ns: number;
}

/** The result of one process. */
export interface ProcessValue {
  /** `flat`, `warm-up`, `slowdown`, `no steady state`; empty if it has too few turns. */
  class: string;
  /** Its first call, for a case with a `runner`. */
  first?: FirstCall | null;
  /** Total time of its measured turns, rejected ones included, in ns. */
  measured_ns: number;
  /** Number within the run. */
  process: number;
  /** Typical time of its measured turns in ns per operation. */
  time_ns: number;
  /** Measured turns. */
  turns: number;
  /** Standard deviation of its turns, as a share. */
  within: number;
}

/** A native program that a launch line names. */
export interface Program {
  /** Hash of its content. */
  hash: string;
  /** Absolute path of the file. */
  path: string;
  /** Index of its word in the launch line. */
  word: number;
}

/** A case of a ranking. */
export interface RankedCase {
  /** Index into the document's cases. */
  case: number;
  /** Its distinguishing part: the benchmark, or the value of a parameter. */
  name: string;
  /** The interval excludes equality with the first. */
  slower: boolean;
  /** Its time relative to the first. The interval is corrected for all pairs of the ranking; absent if either time has none. */
  times: Estimate;
  /** Typical time in ns per operation. */
  typical: number;
}

/** Cases of a suite that differ in one property, ordered by typical time, fastest first. */
export interface Ranking {
  /** The common part of its cases: parameters, and the benchmark under an empty key if they differ in a parameter. */
  common: [string, string][];
  /** The ranked cases, at least two. */
  places: RankedCase[];
  /** The suite. */
  suite: string;
}

/** The reason why a verdict is unclear. Readers accept codes that they do not know. */
export type Reason = "noise" | "budget" | "too-few-pairs" | "multiple-comparisons" | "changed-on-the-way" | "not-measured" | "skipped" | "still-warming" | "at-floor" | "collections" | "machine" | "not-together" | "no-direction" | "no-ratio" | "gate-decided" | "not-asked" | "interrupted" | "control-failed" | "unknown";

/** The context of a run: everything but its measurements. */
export interface RunHeader {
  /** The command line, without the program. */
  args: string[];
  /** Builds of the run. */
  built: Built[];
  /** Sources, if the project is under git. */
  commit: Commit | null;
  /** Version of the engine. */
  derny: string;
  /** Wall-clock end. */
  ended_ms: number | null;
  /** Process id of the engine that wrote it. */
  engine_pid: number;
  /** Short name. */
  id: string;
  /** The origin of the results, if another tool measured them. */
  imported?: Imported | null;
  /** Hardware and system. */
  machine: Machine;
  /** The machines that measured, if parts of several were merged; [`ProcessStart::machine`](crate::ProcessStart::machine) indexes them. */
  machines?: Machine[];
  /** The parts that it was merged from, if it consists of several shards. */
  merged?: Parts | null;
  /** `--note`. */
  note: string | null;
  /** Its part in a measurement on several machines. */
  part?: Part | null;
  /** The time spent before its start. Records of earlier versions lack it. */
  preparation?: Preparation | null;
  /** Runtimes seen, as `language runtime` (for example `javascript node/20.20.2`). */
  runtimes: string[];
  /** Seed of everything random. */
  seed: number;
  /** The series that the run belongs to; absent for a single run. */
  series: Series | null;
  /** The settings in force. */
  settings: Settings;
  /** Wall-clock start, milliseconds since the Unix epoch. */
  started_ms: number;
  /** The status. */
  status: RunStatus;
  /** The variants, in the order given. */
  variants: Variant[];
}

/** The status of a run. */
export type RunStatus = "running" | "complete" | "failed" | "partial";

/** A side with the same code as the base. */
export interface SameCode {
  /** The kind of sameness, as a clause that follows both names. */
  how: string;
  /** Index of the side. */
  side: number;
}

/** Results of a run along one parameter. */
export interface Scaling {
  /** Parameters that distinguish the curves. */
  by: string[];
  /** Confidence of intervals; for steps it holds for all of them together. */
  confidence: number;
  /** One per benchmark, variant and combination of `by`. */
  curves: Curve[];
  /** Version of this format. */
  format: number;
  /** Cases that are on no curve, with the reason. */
  left_out: [string, string][];
  /** Base of the logarithmic axis of the parameter, if it is logarithmic. */
  log: number | null;
  /** Changes within this share do not matter. */
  margin: number;
  /** More of it is better. */
  more_is_better: boolean;
  /** The parameter. */
  over: string;
  /** The quantity: `time`, or a metric. */
  quantity: string;
  /** The run. */
  run: string;
  /** Its unit: `ns` per operation, or the metric's. */
  unit: string;
}

/** The position of a run in a series made by `--repeat`. */
export interface Series {
  /** The first run's id, shared by all. */
  id: string;
  /** Its number in the series, from 0. */
  number: number;
  /** The requested length of the series; fewer runs exist if the user stopped it. */
  of: number;
}

/** Every setting of a run that shapes the measurement, resolved. */
export interface Settings {
  /** All processes are visits in one process that existed before (`derny attach`). */
  attached: boolean;
  /** Target time of a batch in ns; calibration chooses by the clock's step by default. */
  batch_ns: number | null;
  /** Wall time per case in ns. */
  budget_ns: number;
  /** Number of builds of every variant, each with its own layout; below 2, layout is not sampled. */
  builds: number;
  /** Confidence of intervals, 0 to 1. */
  confidence: number;
  /** Run A against A in the same blocks. */
  control: boolean;
  /** Measured time per process in ns, instead of rounds. */
  duration_ns: number | null;
  /** The gate that decides the run's exit status; absent if there is none. */
  gate: GateTerms | null;
  /** `auto`, `never`, `process` or `round`: when to force a collection. `never` also leaves heaps unsettled. */
  gc: string;
  /** One case per process, or many; the plan chooses by default. */
  isolation: Isolation | null;
  /** Use a growing series of iterations, for regression. */
  ladder: boolean;
  /** Changes between variants smaller than this share do not matter (0.01 is 1 %). */
  margin: number;
  /** Mean time is decided in every case. Without it, typical time decides, and mean time only if a measurement requires it. Earlier versions always decided both. */
  mean: boolean;
  /** Changes of mean time smaller than this share do not matter. By default [`Settings::margin`] or 2 %, whichever is larger. */
  mean_margin: number | null;
  /** Limit of a harness's memory in bytes. */
  memory_bytes: number | null;
  /** Metrics to show; empty means all. */
  metrics: string[];
  /** Additional modes of measuring, by name; by default all that a harness has, in a short pass. */
  modes: string[] | null;
  /** `Hash {file} by {chunk}`: parameters contained in benchmarks' names. */
  name_template?: string | null;
  /** Run each case once and check it; no statistics. */
  once: boolean;
  /** Processors to use in turn; empty means no pinning. */
  pin: number[];
  /** Continue to the precision even after every variant has a verdict; without variants even after the budget is spent. */
  precise: boolean;
  /** Stop when the interval's half-width is this share of the estimate (0.01 is 1 %). */
  precision: number;
  /** The user requested that precision. By default a case gets the precision that its cost is worth. */
  precision_asked: boolean;
  /** Maximum number of processes (blocks, for several variants) per case. */
  processes: number;
  /** Command to prefix to the launch line (a profiler). */
  profiler: string[];
  /** The reduced plan. */
  quick: boolean;
  /** Causes whose turns are measured again: `gc`, `compile`, `classload`, `preempted`. */
  reject: string[];
  /** Measured rounds per process; the plan chooses by default. */
  rounds: number | null;
  /** Time limit of one answer in ns. */
  timeout_ns: number;
  /** Time limit of the whole run in ns. */
  total_ns: number | null;
  /** Time of one turn in ns (about 2 ms). */
  turn_ns: number;
  /** Limit of the warm-up per visit in ns; the plan chooses by default, 0 means no warm-up. */
  warmup_ns: number | null;
  /** Maximum number of processes alive together. */
  wave: number;
  /** The processes of a case are alive together and compared as two samples. Earlier versions compared pairs. */
  waves: boolean;
}

/** One side of a comparison: a variant of a run. */
export interface Side {
  /** The benchmark that this side measures, if it may differ from the one that names the case. */
  benchmark?: string | null;
  /** The commit of its sources. */
  commit: Commit | null;
  /** The base measured against itself (`--control`). A verdict of difference counts as a false alarm. */
  control: boolean;
  /** The displayed name, unique in the comparison: that of the variant, the baseline or the run. */
  name: string;
  /** The run. */
  run: string;
  /** Runtimes, as in the run's header. */
  runtimes: string[];
  /** Start of the run, milliseconds since the Unix epoch. */
  started_ms: number;
  /** The run does not name the machine that measured it: it was imported from a file without that information. */
  unnamed_machine: boolean;
  /** The variant in that run. */
  variant: string;
}

/** Steady states of the processes of a case, by change points. */
export interface SteadyState {
  /** One word for the case: `flat`, `warm-up`, `slowdown`, `no steady state`, `inconsistent`. */
  class: string;
  /** Processes without a change. */
  flat: number;
  /** Processes that became slower and stayed so. */
  slowdown: number;
  /** Processes that never settled. */
  unsteady: number;
  /** Processes that became faster and stayed so. */
  warm_up: number;
}

/** The step from one point to the next. */
export interface Step {
  /** Logarithm of the ratio over that of the parameter's ratio; absent if the parameter is not positive. */
  exponent: Estimate | null;
  /** This point divided by the previous one. */
  ratio: Estimate;
  /** Whether the quantity got better or worse. */
  verdict: Verdict;
}

/** The reason why a case was finished. */
export type StopReason = "precise" | "verdict" | "budget" | "precision-predicted" | "maximum" | "once" | "skipped" | "failed" | "interrupted";

/** Cases of one suite. */
export interface SuiteResult {
  /** Its cases, in catalogue order. */
  cases: CaseResult[];
  /** Its name. */
  suite: string;
}

/** The parts of a run's wall time, which add up to it. Time in which several processes work counts once, for the part that comes first here. The engine's time between two steps of the same part counts for that part. */
export interface TimeParts {
  /** Storing and analysing the measurements; absent for a run loaded from the store. */
  analysis_ns?: number | null;
  /** Builds. Runs of earlier versions lack it. */
  build_ns: number;
  /** Turns of the empty body. */
  empty_ns: number;
  /** Ends: closing the last case of a process, and the end of the process. Runs of earlier versions lack it. */
  end_ns: number;
  /** Measured rounds without their batches: leads, untimed work of bodies, exchanges with harnesses, engine time. */
  exchange_ns: number;
  /** Launches: from the start of a process to its first line, and until a case is open in it. */
  launch_ns: number;
  /** Finding files and listing their cases. Runs of earlier versions lack it. */
  listing_ns: number;
  /** The rest: time between the steps, waiting. */
  other_ns: number;
  /** Forced collections and the settling of heaps. */
  settling_ns: number;
  /** Batches of measured turns: the sum of their times. */
  timed_ns: number;
  /** First calls, calibration and warm-up. */
  warm_up_ns: number;
  /** Yardstick readings. Runs of earlier versions lack it. */
  yardsticks_ns: number;
}

/** Time per operation, with more than reporters need. In ns per operation unless stated otherwise. The other statistics of time are figures. */
export interface TimeSummary {
  /** First calls. */
  cold: ColdSummary | null;
  /** Empty body. */
  floor: Floor | null;
  /** The distribution of the batch values. */
  histogram: Histogram | null;
  /** All time over all operations of the measured turns, collections included. */
  mean: Estimate;
  /** Median of all batch values. */
  median: number;
  /** Outliers among turn values. */
  outliers: TukeyCounts;
  /** Every complete process, in the order of their numbers. */
  processes: ProcessValue[];
  /** Steady state. */
  steady: SteadyState;
  /** Robust: the Hodges–Lehmann estimate over processes of the log process location, or the median with fewer than six. */
  typical: Estimate;
  /** For a case with a `runner`: no process was warm, so all times are those of first calls and there is no steady time. */
  unwarmed?: boolean;
}

/** The owner of the clock: who takes the times of a case. */
export type Timing = "loop" | "self-timed";

/** Tukey's outlier counts over the turn values of a case. */
export interface TukeyCounts {
  /** More than 1.5 above. */
  high_mild: number;
  /** More than 3 above. */
  high_severe: number;
  /** More than 1.5 below. */
  low_mild: number;
  /** More than 3 interquartile ranges below. */
  low_severe: number;
}

/** A case requested of at least two sides that some of them did not measure: they have no complete process of it. */
export interface Unmeasured {
  /** The reason as half a sentence: `the time ran out before it was measured`. */
  because: string;
  /** The case as declared. */
  case: Case;
  /** `failed`, `skipped` or `not-measured`. */
  outcome: CaseOutcome;
  /** The reason: `budget`, `interrupted`, `skipped`, or `not-measured` if nothing else is known. */
  reason: Reason;
  /** Indices of the sides that did not measure it. */
  sides: number[];
}

/** One of several ways to launch the same cases. */
export interface Variant {
  /** The stored run whose code this is: a baseline measured again beside the others. */
  again?: Again | null;
  /** Additional arguments for the runtime, or for the program if there is no runtime. */
  args: string[];
  /** Another benchmark of the case's suite to measure instead of the case's own, with the same parameters. */
  benchmark: string | null;
  /** Additional arguments for the build. */
  build_args?: string[];
  /** Folders of its builds; `ProcessStart::build` indexes it. One entry if builds are not sampled, none if no build has a separate folder. */
  builds: string[];
  /** Words that replace `{runtime}` in the launch line (after `--`: the whole command). */
  command: string[] | null;
  /** A control: the first variant again, whose true change is zero. */
  control: boolean;
  /** The directory to launch in, if not the project's root (a revision's worktree). */
  directory: string | null;
  /** Additional environment. */
  env: [string, string][];
  /** Its name, unique in the run; the only variant of a plain run is called `base`. */
  name: string;
  /** The packages that its processes load, if they report them: those under benchmark first, the interpreter last. */
  packages?: Package[];
  /** Git revision to build from. */
  revision: string | null;
}

/** The result of one variant of a case. */
export interface VariantResult {
  /** Measured batches. */
  batches: number;
  /** All figures that reporters show: statistics of time, then metrics. */
  figures: Figure[];
  /** All other declared or observed metrics. */
  metrics: MetricSummary[];
  /** Complete processes. */
  processes: number;
  /** Turns rejected, by cause. */
  rejected: [string, number][];
  /** Texts that the benchmark reported in its last visit. */
  texts?: [string, string][];
  /** Times, if the body was timed. */
  time: TimeSummary | null;
  /** Measured turns. */
  turns: number;
  /** The variant's name. */
  variant: string;
}

/** The conclusion about a change, from its interval and the margin. */
export type Verdict = "better" | "worse" | "same" | "better-within-margin" | "worse-within-margin" | "unclear";

/** A reason to doubt a result, with a stable code that `derny explain` describes. */
export interface Warning {
  /** Index into the document's cases; absent if it concerns the run. */
  case: number | null;
  /** The cause. */
  class: WarningClass;
  /** `DY204`. */
  code: string;
  /** It can change a decision and is shown under the table. Other warnings appear only in the details. */
  decides: boolean;
  /** The effect of the blamed turns, as a clause: `without these turns its typical time is 3.1 % less`; empty if it blames none. */
  effect: string;
  /** It marks the row of its case: it decides there, and most rows do not share it. */
  marks: boolean;
  /** One sentence with the figures. */
  message: string;
  /** The remedy to try. */
  remedy: string;
  /** Severity relative to others of its code; no unit. */
  severity: number;
}

/** The cause of a warning, which decides where it is shown. */
export type WarningClass = "meaning" | "turns" | "design";

/** Amounts of work in a run. */
export interface WorkCounts {
  /** Replies of harnesses: turns of every kind, and cases opened and closed. */
  exchanges: number;
  /** Measured turns, including rejected ones and those for mean time alone. */
  measured_turns: number;
  /** Processes that answered. */
  processes: number;
  /** Measured rounds: one turn of each variant. */
  rounds: number;
  /** Cases opened in a process. */
  visits: number;
  /** Turns of first calls, calibration and warm-up. */
  warm_up_turns: number;
  /** Waves: groups of processes that were alive together. */
  waves: number;
}

/** One of the engine's own kernels, measured in every run to distinguish a change of the machine from one of the code. */
export interface Yardstick {
  /** Standard error of that time in ns. */
  error_ns: number;
  /** The resource that it exercises: `integer`, `branches`, `cache`, `memory` or `system-call`. */
  name: string;
  /** Time per step in ns. */
  time_ns: number;
}

/** The change of a yardstick, one of the engine's own kernels, between the base's run and a side's. */
export interface YardstickChange {
  /** New over base time per step, minus 1. */
  change: number;
  /** Standard error of the change. */
  error: number;
  /** The change exceeds 1 % and three standard errors: the machine has changed. */
  moved: boolean;
  /** Its name: `integer`, `branches`, `cache`, `memory` or `system-call`. */
  name: string;
}
