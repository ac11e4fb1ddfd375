// Made by types.mjs of the schemas in docs/reference/schema. Do not edit.

/** Where the wall time of a run went, and how much was done in it. */
export interface Accounting {
  /** How much was done. */
  counts: WorkCounts;
  /** The parts of the wall time. */
  parts: TimeParts;
  /** Wall time of the run, from its first build to its last event, and to its result where `analysis_ns` is there. */
  wall_ns: number;
}

/** A stored run that a variant measures again. */
export interface Again {
  /** Its sources. */
  commit: Commit | null;
  /** What is measured. */
  from: AgainFrom;
  /** The stored run. */
  run: string;
  /** Start of the stored run, milliseconds since the Unix epoch. */
  started_ms: number;
}

/** Where the code of a baseline that is measured again comes from. */
export type AgainFrom = "program" | "commit";

/** The baseline of a comparison, and whether it was measured again for it. */
export interface Against {
  /** What was measured again, in pairs with the other sides; none where the stored times are compared. */
  again: AgainFrom | null;
  /** Its sources. */
  commit: Commit | null;
  /** The stored run. */
  run: string;
  /** Start of the stored run, milliseconds since the Unix epoch. */
  started_ms: number;
  /** Why it was not measured again, where that was wanted: one sentence. */
  why_stored: string | null;
}

/** How a suite was built and launched: what it takes to measure the same code again. */
export interface Built {
  /** Of the build command: arguments that were added to it. */
  build_args?: string[];
  /** The command that built it, as written; empty where nothing is built. */
  command: string[];
  /** Working directory of its processes, relative to the root of the variant's sources. */
  directory: string;
  /** The benchmark file; none for the program of a whole suite. */
  file: string | null;
  /** The launch line as written, with the variant's command and the suite's arguments in it. */
  launch: string[];
  /** The launch line names files of the project beside these programs, such as scripts. */
  needs_sources: boolean;
  /** The native programs that the launch line names by their paths. */
  programs: Program[];
  /** The suite. */
  suite: string;
  /** Of the launch line: arguments for the suite's own program. */
  suite_args?: string[];
  /** Index into the run's variants. */
  variant: number;
}

/** Everything that a harness declares about one case. */
export interface Case {
  /** What one call takes by the benchmark's own account, in ns; for planning only. */
  about_ns: number | null;
  /** A hint that a self-timed body may be called repeatedly in one process. */
  again: boolean;
  /** Flags that the runtime of this case must be launched with. */
  args: string[];
  /** Where it stands among the harness's cases, in the harness's own words. A value whose name differs from process to process is found by it. */
  at?: string | null;
  /** Bytes processed per iteration. */
  bytes: number | null;
  /** The benchmark as its harness calls it, where the identity has a number behind it: another case has that name and the same parameters. */
  called?: string | null;
  /** Its own framework would call the body with as many iterations as take this time in ns, and what an operation takes may depend on how many there are. */
  count_ns?: number | null;
  /** Environment that the process of this case must be launched with. */
  env: [string, string][];
  /** The benchmark file, relative to the project's root; none for a command harness. */
  file: string | null;
  /** Every call begins anew, as a process does: the first is like those after it, so that nothing has to get warm, and there is no batch to be found. */
  fresh?: boolean;
  /** A process of its own prepares something once for the whole run, for all cases with this key. */
  global_setup: string | null;
  /** A visual group. */
  group: string | null;
  /** The harness convention that launches it (a name from an `sdk.toml`, or `command`). */
  harness: string;
  /** Who it is. */
  id: CaseId;
  /** The case must not share its process with another. */
  isolate: boolean;
  /** Items processed per iteration. */
  items: number | null;
  /** The least time in ns of a batch that means something, where it is longer than usual: threads have to start. */
  least_batch_ns?: number | null;
  /** The line in that file, if the harness knows it. */
  line: number | null;
  /** The most batches that one process may run, whatever they are for; those of the empty body apart. */
  max_batches: number | null;
  /** The most iterations that a batch may hold. */
  max_iterations: number | null;
  /** Metrics that the body or a tool reports beside, or in place of, times. */
  metrics: Metric[];
  /** The package, class or module that it belongs to: for showing and selecting, no part of its identity. */
  module: string | null;
  /** Operations per iteration; 1 unless declared. */
  ops: number;
  /** It is not measured: the cases below it are found by running it. */
  parent: boolean;
  /** Its name as its own tool prints it, where benchmark and parameters do not give that back: other tools may put parameters anywhere in a name. */
  printed?: string | null;
  /** The program whose benchmark it is: that program calls the body once in a fresh process, as configured, and reports this call. Such a case has two times: the first call of its processes, and the steady time. */
  runner?: string | null;
  /** The parameter that `iterations` sets, if the body follows it. */
  scale: string | null;
  /** Why it cannot be measured here, where that is known without opening it. */
  skip: string | null;
  /** Free labels. */
  tags: string[];
  /** Threads that run the body at once. */
  threads: number | null;
  /** The most time in ns for opening, for checking and for each turn. */
  timeout_ns: number | null;
  /** Who reads the clock. */
  timing: Timing;
  /** What an operation is called, if not `op`. */
  unit: string | null;
}

/** The identity of a case: what has an equal one is the same case, in whatever run or file it is. Its text form is `suite/benchmark key=value key=value`; patterns match that text. */
export interface CaseId {
  /** The benchmark's name, unique within its suite. */
  benchmark: string;
  /** Parameters in the harness's order, which is for showing: ids that differ only in it are equal. A value that is a text where there are other types too is as [`param_text`] writes it. */
  params: [string, string][];
  /** The suite: benchmarks that share a harness and settings. */
  suite: string;
}

/** What becomes of one side of a case. Exit status, JUnit, annotations and comments say it alike, because they read it here. */
export type CaseOutcome = "passed" | "worse" | "undecided" | "unjudged" | "failed" | "skipped" | "not-measured";

/** One case. */
export interface CaseResult {
  /** What was declared. */
  case: Case;
  /** Change against the last comparable run, where there is one. */
  change: PlainChange | null;
  /** Where it stands. */
  state: CaseState;
  /** Results by variant, in the run's order. */
  variants: VariantResult[];
}

/** Where a case stands. */
export type CaseState = {
  measured: StopReason;
} | "passed" | "skipped" | "failed" | "missing";

/** One quantity of one side against the base. */
export interface Change {
  /** The base's value. */
  base: number;
  /** Why a verdict is less than the interval alone would say, or cannot be given, or what it cannot exclude: a sentence; else empty. */
  because: string;
  /** `new / base - 1` with the repeated interval; none where one side is 0 or nothing can be estimated. The point of paired measurements is the Hodges–Lehmann estimate of the pairs. */
  change: Estimate | null;
  /** `new - base` with its interval, in the unit of the two values, where one of them is 0 and so there is no ratio. */
  difference: Estimate | null;
  /** Which way is better. */
  direction: Direction;
  /** The same on every turn of both sides and declared so: compared exactly, without an interval. */
  exact: boolean;
  /** After Holm over the family. */
  holm: number | null;
  /** Two-sided nominal level at which the interval was made. */
  level: number;
  /** What the machine itself may account for, as shares, where the sides were measured at different times. The interval of `change` is what is left for the program, so that it need not hold the value. */
  machine?: Interval | null;
  /** Machines that measured it, where several did: the interval is over them, not over their pairs. */
  machines?: number;
  metric: string;
  /** Pairs (or processes) in all that would probably decide it, where it is unclear. */
  needed: number | null;
  /** The side's value. Of paired measurements it is the base's value changed by `change`, so that the three agree. */
  new: number;
  /** The side's value by its own processes, where `new` is not that value. It may differ from `new`, because it also holds what disturbed these processes and not the base's. */
  new_alone?: number | null;
  /** It is shown with what there is, and no verdict rests on it: mean time that nothing called for. */
  only_shown?: boolean;
  /** Repeated p-value of no change: honest under the stopping rule; none for exact quantities. */
  p: number | null;
  /** The change of every pair, in the order of blocks; empty for unpaired and exact ones, and where the difference is judged. */
  pairs: number[];
  /** The two values are per operation. */
  per_operation: boolean;
  /** After Benjamini and Hochberg over the family. */
  q: number | null;
  /** Why it is unclear; none for another verdict. */
  reason: Reason | null;
  /** Pairs (paired) or processes of the side with fewer (unpaired). */
  replicates: number;
  statistic?: string | null;
  /** Unit of the two values: `ns`, `bytes`, … */
  unit: string;
  /** So little was measured that it could not have been called worse, however much worse it is. */
  unjudged?: boolean;
  /** From the interval and the margin; `better` and `worse` need `q` below the comparison's level too. */
  verdict: Verdict;
}

/** The first call in a fresh process. */
export interface ColdSummary {
  /** Processes. */
  processes: number;
  /** Fastest and slowest process. */
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
  /** What was declared. */
  case: Case;
  /** The sides after the base that have the case. */
  sides: ComparedSide[];
  /** Times of every side, in the order of sides; none where it has none. */
  times: (TimeSummary | null)[];
}

/** One side of one case. */
export interface ComparedSide {
  /** Whether the base, and this side, cannot be told from an empty body. */
  at_floor: boolean[];
  /** Typical time first where the case was timed, mean second, then every other metric both sides have. */
  changes: Change[];
  /** Index of the change that makes it `worse`, `undecided` or `unjudged`; none where it passed. */
  decided_by: number | null;
  /** Metrics that were asked for by name and that only one of the two sides has. */
  lacks?: string[];
  /** What mean time is made of, for the base and for this side; none where nothing was timed or sides are not paired. */
  observed?: Observed[] | null;
  /** What a gate makes of it: `passed`, `worse`, `undecided`, `unjudged`, or `not-measured` where it lacks a metric. That of a control is `passed`. */
  outcome: CaseOutcome;
  /** Why it is unclear; none for another verdict. */
  reason: Reason | null;
  /** Index into the comparison's sides; never 0. */
  side: number;
  /** Typical and mean time say different things. */
  split: boolean;
  /** The verdict on the case: that on typical time, or the worse of the two where mean time says otherwise. */
  verdict: Verdict;
}

/** All that a reporter of comparisons needs. */
export interface Comparison {
  /** The stored run that the others are compared with; none where all sides are variants of one run. */
  against: Against | null;
  /** Names of cases that only one side has, with that side's index. */
  alone: [number, string][];
  /** Wall-clock time between the starts of the oldest and the newest run, in ms. */
  apart_ms: number;
  /** The cases that at least two sides have, in the base's order. */
  cases: ComparedCase[];
  /** Confidence of intervals, 0 to 1. */
  confidence: number;
  /** What differs beside what is compared. */
  context: ContextDifference[];
  /** The control's record, with `--control`. */
  control: Control | null;
  /** What failed, on any side. */
  failures: Failure[];
  /** Comparisons that `q` and Holm's values were taken over. */
  family: number;
  /** Version of this format. */
  format: number;
  /** A row per side after the base where there are several cases. */
  geometric_means: GeometricMean[];
  /** What yardsticks show of the machine, for every side that was measured at another time than the base. */
  machine?: MachineChange[];
  /** The machines that measured, where there were several. */
  machines?: FleetMachine[];
  /** The margin δ as a share: changes within it are of no consequence. */
  margin: number;
  /** The margin of mean time. */
  mean_margin: number;
  /** How. */
  pairing: Pairing;
  /** Sides that are the same code as the base, and how: `are the same shop 1.0, byte for byte`. */
  same?: SameCode[];
  /** What is compared; the first is the base. */
  sides: Side[];
  /** What cannot be known from what was measured, in whole sentences. */
  unknown: string[];
  /** Cases that at least two sides were asked for and that some did not measure, in the order of the sides. One that two other sides did measure is in `cases` too. */
  unmeasured: Unmeasured[];
  /** Doubts. `Warning::case` indexes `cases`. */
  warnings: Warning[];
}

/** What other programs and other machines on the same host took from a run, in the busier half of its time. A program may have been slower for it, and no yardstick needs to show it: those are read before and after. */
export interface Contention {
  /** One-minute load average, the run's own included; none where the system has none. */
  load: number | null;
  /** Share of processor time used by other programs, 0 to 1. */
  others: number;
  /** Share of processor time stolen by the hypervisor, 0 to 1. */
  steal: number;
}

/** Something that differs between the contexts of two sides and may by itself move times. */
export interface ContextDifference {
  /** The base's value; empty where it has none. */
  base: string;
  /** The side's value. */
  new: string;
  /** Index of the side that differs from the base. */
  side: number;
  /** What: `machine`, `runtime`, `cpu`, `governor`, `batch time`, `environment NODE_OPTIONS`, …; `machine` or `cpu` mean another machine. */
  what: string;
}

/** How often the control was called different, and how far off it was. */
export interface Control {
  /** Those called faster or slower, by whatever amount: false alarms. */
  alarms: number;
  /** Comparisons of the base with itself. */
  comparisons: number;
  /** Largest absolute change seen, as a share. */
  floor: number;
  /** Half of the width of the widest interval, as a share. */
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
  /** Values of the parameters that curves are told apart by. */
  by: [string, string][];
  /** Slope of the logarithms over all points (Theil and Sen); none for fewer than three. */
  exponent: Estimate | null;
  /** What the points follow; none for fewer than four. */
  growth: Growth | null;
  /** The points. */
  points: Point[];
  /** The suite. */
  suite: string;
  /** The variant; empty where there is only one. */
  variant: string;
}

/** Which way a metric is better. */
export type Direction = "less" | "more" | "none";

/** All that a reporter needs. */
export interface Document {
  /** The run that changes are taken against. */
  baseline: [string, Commit | null] | null;
  /** The variants of the run against its first, or the run against the baseline asked for. */
  comparison?: Comparison | null;
  /** What others took from the run while it measured; none where that was not observed. */
  contention?: Contention | null;
  /** What failed. */
  failures: Failure[];
  /** Version of this format. */
  format: number;
  /** Which cases are fastest, where only one variant was measured. */
  rankings?: Ranking[];
  /** Context. */
  run: RunHeader;
  /** Where the run's time went, with `--stats`. */
  stats?: Accounting | null;
  /** Results. */
  suites: SuiteResult[];
  /** Doubts. `Warning::case` counts cases across suites in order. */
  warnings: Warning[];
  /** The yardsticks of the run: kernels of the engine's own that tell a change of the machine from one of a program. */
  yardsticks?: Yardstick[];
}

/** A point and its confidence interval. */
export interface Estimate {
  /** The interval; none where the sample is too small for one. A side's own value has one from six processes on. */
  interval: Interval | null;
  /** The point. */
  value: number;
}

/** Something went wrong with one case or file; all others went on. */
export interface Failure {
  /** Index into the run's cases, if one case failed. */
  case: number | null;
  /** Stable code. */
  code: FailureCode;
  /** File, case, runtime, process: most specific last, joined by ` · ` when shown. */
  place: string[];
  /** What to try. */
  remedy: string;
  /** One sentence. */
  what: string;
  /** Cause, with the last lines of the program's output where they help. */
  why: string;
}

/** The stable code of a failure; `derny explain` has a text for each. */
export type FailureCode = "DY301" | "DY302" | "DY303" | "DY304" | "DY305" | "DY306" | "DY307" | "DY308" | "DY309" | "DY310" | "DY311" | "DY312" | "DY313" | "DY314";

/** A number that a result came to, with all that a reporter needs to show it. Tables, details, CSV, pages and JSON take figures from the same list. */
export interface Figure {
  /** Which way it is better. */
  better: Direction;
  /** Its confidence interval; none where the figure has none, or there are fewer than six processes. */
  interval: Interval | null;
  /** What the value is. */
  kind: Kind;
  /** In words: `95th percentile`. That of a metric is its name. */
  label: string;
  /** It is a metric that a harness reads, and not a statistic of time. */
  metric: boolean;
  /** `time` (typical time), `mean`, `p95`, …, or the name of a metric. */
  name: string;
  /** It is per operation. */
  per_operation: boolean;
  /** The least and the greatest of the processes where there are two to five. Three hold the median in 75 %, four in 87 %, five in 94 %. */
  range: Interval | null;
  /** `ns`, `share`, `op/s`, `bytes`, …. */
  unit: string;
  /** The value. */
  value: number;
}

/** The first call in a fresh process, as configured: what the program whose benchmark it is reports. */
export interface FirstCall {
  /** Time of the whole call in ns. */
  call_ns: number;
  /** Time in ns per operation. */
  time_ns: number;
}

/** One of several machines that measured cases, and what it has shown. */
export interface FleetMachine {
  /** Cases that it measured, by side. */
  cases: number;
  /** Its processor. */
  cpu: string;
  /** Its host's name, or what it was called. */
  name: string;
  /** By how much its pairs scatter more than those of the others, as a factor. */
  noise: number | null;
  /** In what it is not like the others, as half a sentence; empty where it is. */
  odd: string;
  /** Pairs of them. */
  pairs: number;
  /** By how much its changes are off those of the others, as a share; none where it shares too few cases with others. */
  shift: number | null;
}

/** The cost of an empty body through the same loop, or between the same start and stop. */
export interface Floor {
  /** The case cannot be told from an empty body. */
  indistinguishable: boolean;
  /** Time per iteration of the empty body in ns, at least a clock cycle where a body that times itself counts calls. */
  time_ns: number;
}

/** What a gate asks. */
export interface GateTerms {
  /** Verdicts that fail it: `worse`, `unclear`. */
  fail_on: string[];
  /** Metrics that it judges; empty means time alone. */
  metrics: string[];
}

/** The geometric mean of the ratios of a side over all cases that both have. */
export interface GeometricMean {
  /** Cases. */
  cases: number;
  /** Change with its interval. */
  change: Estimate;
  /** Index into the sides. */
  side: number;
}

/** A law that the points follow. */
export interface Growth {
  /** Other laws that these points cannot be told apart from. */
  also: string[];
  /** `constant + factor × law(n)`; logarithms are natural. */
  constant: number;
  /** Mean error of points that were left out of the fit and foretold by it, as a share. */
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

/** Results that another tool measured. */
export interface Imported {
  /** The file as it was named. */
  file: string;
  /** The importer that read them: `benchfella`, `criterion-json`. */
  format: string;
  /** Hash of the file and of how it was read, by which it is known again. Records of earlier versions have none. */
  hash?: string;
  /** The tool and its version, as far as the file tells. */
  tool: string;
  /** What the file does not tell, in words. */
  unknown: string[];
}

/** Closed interval. */
export interface Interval {
  /** Upper end. */
  hi: number;
  /** Lower end. */
  lo: number;
}

/** How many cases a process measures. */
export type Isolation = "case" | "suite" | "shared";

/** What the values of a metric are. */
export type Kind = "total" | "level" | "peak" | "rate" | "reported";

/** Hardware and operating system. */
export interface Machine {
  /** Online processors. */
  cores: number;
  /** The processor's name. */
  cpu: string;
  /** Further facts (governor, turbo, SMT, virtualisation, ASLR, clock source), as far as they can be observed. */
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

/** What the yardsticks of two runs show of their machine. */
export interface MachineChange {
  /** The change of typical time that all cases share, as a share of the base; none where they share none. */
  common_shift: number | null;
  /** What others took from the base's run and from the side's; none where that was not observed. */
  contention: (Contention | null)[];
  /** Index of the side whose run is held against the base's. */
  side: number;
  /** The yardsticks that both runs have. */
  yardsticks: YardstickChange[];
}

/** A quantity that closes every turn. */
export interface Metric {
  /** Which way it is better. */
  direction: Direction;
  /** Declared to be the same on every turn of equal work. */
  exact: boolean;
  /** What its values are. Records of earlier versions do not say it; the store decides it when it reads them. */
  kind: Kind;
  /** Its name, `cpu` or `allocated` or the author's own. */
  name: string;
  /** Its unit: `ns`, `bytes`, `count`, `requests/s`. */
  unit: string;
}

/** Any other metric, per operation where it is a total over the turn. */
export interface MetricSummary {
  /** The same on every turn of every process. */
  constant: boolean;
  /** Standard deviation of the logarithms of the processes' values; none under two, or where one is not above 0. */
  deviation: number | null;
  /** Hodges–Lehmann over processes, the median of fewer than six; for exact metrics the value itself. */
  estimate: Estimate;
  /** Ordinary least squares of the turn's counter on its operations: slope per operation and R², with `--ladder`. What a turn costs by itself is in the intercept, not in the slope. */
  ladder: [number, number] | null;
  /** What it is. */
  metric: Metric;
  /** Per operation (counters) or as reported (rates). */
  per_operation: boolean;
  /** The least and the greatest of the processes, of two to five. */
  range: Interval | null;
}

/** What the mean time of a side is made of. */
export interface Observed {
  /** How old the oldest of its processes became, in ns: what comes later in a program's life was not looked at. */
  age_ns: number;
  /** Collections counted in them. */
  collections: number;
  /** Turns that were left out because the thread was preempted or code was compiled. */
  left_out: number;
  /** What the pauses took beyond that, in ns. */
  paused_ns: number;
  /** Pauses: turns that took more than twice as long an operation as those like them. */
  pauses: number;
  /** Wall time of the turns that count, in ns. */
  wall_ns: number;
}

/** A package whose code is measured, as a process found it. */
export interface Package {
  /** The folder or file that it is loaded from. */
  from: string;
  /** Hash of its files; empty where it was not made. */
  hash: string;
  /** Version and place of an installed copy that is not loaded because this one comes first; empty where there is none. */
  hides?: string;
  /** Its name. */
  name: string;
  /** The benchmarks are about it: the project's own, or, where that is not known, one that they import by themselves. */
  own: boolean;
  /** Its version; empty where it has none. */
  version: string;
}

/** How the sides were measured. */
export type Pairing = "paired" | "unpaired";

/** What a run measures of a plan for several machines: one shard of it. */
export interface Part {
  /** [`FleetPlan::measures`](crate::FleetPlan::measures): the same in all waves. */
  measures: string;
  /** Of how many. */
  of: number;
  /** [`FleetPlan::id`](crate::FleetPlan::id). */
  plan: string;
  /** Which shard, from 1. */
  shard: number;
  /** Which wave, from 1. */
  wave: number;
}

/** Parts that are one run. */
export interface Parts {
  /** How many. */
  count: number;
  /** Hash of the parts, by which it is known again. */
  hash: string;
  /** [`FleetPlan::measures`](crate::FleetPlan::measures). */
  measures: string;
  /** Waves that it has parts of. */
  waves: number;
}

/** A case of a ranking. */
export interface Place {
  /** Index into the document's cases. */
  case: number;
  /** What tells it from the others: its benchmark, or the value of a parameter. */
  name: string;
  /** The interval excludes that it is as fast as the first. */
  slower: boolean;
  /** How many times as long as the first it takes. The interval is corrected for all pairs of the ranking; none where one of both times has none. */
  times: Estimate;
  /** Typical time in ns per operation. */
  typical: number;
}

/** Change of typical time against the last comparable run, which was not measured together with this one. */
export interface PlainChange {
  /** The same in words. */
  because: string;
  /** New over old typical time, minus one. */
  change: number;
  /** What is left of it for the program, with its uncertainty. */
  interval: Interval | null;
  /** What the machine itself may account for, as shares. */
  machine: Interval | null;
  /** Why it is unclear. */
  reason: Reason | null;
  /** The earlier run. */
  run: string;
  /** The verdict that this leaves; documents of earlier versions have none. */
  verdict: Verdict;
}

/** One value of the parameter. */
export interface Point {
  /** Bytes per second, where declared. */
  bytes_per_second: number | null;
  /** Cases in it. */
  cases: number;
  /** The quantity. */
  estimate: Estimate;
  /** What the fit says of it, in the quantity's unit. */
  fitted: number | null;
  /** It lies off the fit by more than the other points' scatter allows. */
  off: boolean;
  /** Operations per second, of times. */
  per_second: number | null;
  /** Processes of all of them. */
  processes: number;
  /** From the point before to this one. */
  step: Step | null;
  /** The parameter as it is written. */
  text: string;
  /** The parameter as a number. */
  x: number;
}

/** Time that a run took before its start. */
export interface Preparation {
  /** Builds. */
  build_ns: number;
  /** Finding files and asking programs for their cases. */
  listing_ns: number;
}

/** What one process came to. */
export interface ProcessValue {
  /** `flat`, `warm-up`, `slowdown`, `no steady state`; empty where it has too few turns to tell. */
  class: string;
  /** Its first call, of a case that has a `runner`. */
  first?: FirstCall | null;
  /** Time of its measured turns together, rejected ones included, in ns. */
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
  /** The file, absolute. */
  path: string;
  /** Place of its word in the launch line. */
  word: number;
}

/** Cases of a suite that differ in one thing, by their typical times, the fastest first. */
export interface Ranking {
  /** What its cases have in common: parameters, and the benchmark under an empty key where they differ in a parameter. */
  common: [string, string][];
  /** Two cases or more. */
  places: Place[];
  /** The suite. */
  suite: string;
}

/** Why a verdict is unclear. Readers accept codes that they do not know. */
export type Reason = "noise" | "budget" | "too-few-pairs" | "multiple-comparisons" | "changed-on-the-way" | "not-measured" | "skipped" | "still-warming" | "at-floor" | "collections" | "machine" | "not-together" | "no-direction" | "no-ratio" | "gate-decided" | "not-asked" | "interrupted" | "control-failed" | "unknown";

/** What is known of a run beside its measurements. */
export interface RunHeader {
  /** The command line, without the program. */
  args: string[];
  /** What was built for the run. */
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
  /** Where the results come from, if another tool measured them. */
  imported?: Imported | null;
  /** Hardware and system. */
  machine: Machine;
  /** The machines that measured, where parts of several were merged; [`ProcessStart::machine`](crate::ProcessStart::machine) indexes them. */
  machines?: Machine[];
  /** What it was put together of, where it is parts of several shards. */
  merged?: Parts | null;
  /** `--note`. */
  note: string | null;
  /** Its place in a measurement on several machines. */
  part?: Part | null;
  /** What came before its start. Records of earlier versions do not say it. */
  preparation?: Preparation | null;
  /** Runtimes seen, as `language runtime` (for example `javascript node/20.20.2`). */
  runtimes: string[];
  /** Seed of everything random. */
  seed: number;
  /** The series that the run belongs to; none for a run by itself. */
  series: Series | null;
  /** The settings in force. */
  settings: Settings;
  /** Wall-clock start, milliseconds since the Unix epoch. */
  started_ms: number;
  /** How far it came. */
  status: RunStatus;
  /** The variants, in the order given. */
  variants: Variant[];
}

/** How far a run came. */
export type RunStatus = "running" | "complete" | "failed" | "partial";

/** A side that is the same code as the base. */
export interface SameCode {
  /** How, as a clause that follows both names. */
  how: string;
  /** Index of the side. */
  side: number;
}

/** Results of a run along one parameter. */
export interface Scaling {
  /** Parameters that curves are told apart by. */
  by: string[];
  /** Confidence of intervals; that of steps holds for all of them together. */
  confidence: number;
  /** One per benchmark, variant and combination of `by`. */
  curves: Curve[];
  /** Version of this format. */
  format: number;
  /** Cases that are on no curve, with the reason. */
  left_out: [string, string][];
  /** Base of the logarithm by which the parameter's axis is divided, if it is. */
  log: number | null;
  /** Changes within this share are of no consequence. */
  margin: number;
  /** More of it is better. */
  more_is_better: boolean;
  /** The parameter. */
  over: string;
  /** What is shown: `time`, or a metric. */
  quantity: string;
  /** The run. */
  run: string;
  /** Its unit: `ns` per operation, or the metric's. */
  unit: string;
}

/** The place of a run among those of one `--repeat`. */
export interface Series {
  /** The first run's id, shared by all. */
  id: string;
  /** Which of them, from 0. */
  number: number;
  /** How many were asked for; fewer are there when the user stopped it. */
  of: number;
}

/** Every setting of a run that shapes the measurement, resolved. */
export interface Settings {
  /** All processes are visits in one that was there before (`derny attach`). */
  attached: boolean;
  /** Aimed time of a batch in ns; none lets calibration choose from the clock's step. */
  batch_ns: number | null;
  /** Wall time per case in ns. */
  budget_ns: number;
  /** Builds of every variant, each with a layout of its own; below 2, layout is not sampled. */
  builds: number;
  /** Confidence of intervals, 0 to 1. */
  confidence: number;
  /** Run A against A in the same blocks. */
  control: boolean;
  /** Measured time per process in ns, in place of rounds. */
  duration_ns: number | null;
  /** What the run's exit status is decided by; none where nothing is asked of it. */
  gate: GateTerms | null;
  /** `auto`, `never`, `process` or `round`: when `collect` is asked for. `never` leaves heaps unsettled, too. */
  gc: string;
  /** One case per process, or many; none lets the plan choose. */
  isolation: Isolation | null;
  /** A growing series of iterations for regression. */
  ladder: boolean;
  /** Changes between variants that are smaller than this share are of no consequence (0.01 is 1 %). */
  margin: number;
  /** Mean time is decided in every case. Without it, typical time decides, and mean time only where something that was measured calls for it. Earlier versions always decided both. */
  mean: boolean;
  /** Changes of mean time that are smaller than this share are of no consequence; none is [`Settings::margin`] or 2 %, whichever is larger. */
  mean_margin: number | null;
  /** Limit of a harness's memory in bytes. */
  memory_bytes: number | null;
  /** Metrics to show; empty means all. */
  metrics: string[];
  /** Other ways of measuring to take too, by name; none means all that a harness has, in a short pass. */
  modes: string[] | null;
  /** `Hash {file} by {chunk}`: parameters that stand in benchmarks' names. */
  name_template?: string | null;
  /** Run each case once and check it; no statistics. */
  once: boolean;
  /** Processors to visit; empty means that nothing is pinned. */
  pin: number[];
  /** Go on to the precision even when every variant has a verdict; without variants even when the budget is spent. */
  precise: boolean;
  /** Stop when the interval's half width is this share of the estimate (0.01 is 1 %). */
  precision: number;
  /** Somebody asked for that precision. Of the default one a case is given what its cost is worth. */
  precision_asked: boolean;
  /** The most processes (blocks, for several variants) per case. */
  processes: number;
  /** Command put in front of the launch line (a profiler). */
  profiler: string[];
  /** The reduced plan. */
  quick: boolean;
  /** Causes whose turns are measured again: `gc`, `compile`, `classload`, `preempted`. */
  reject: string[];
  /** Measured rounds per process; none lets the plan choose. */
  rounds: number | null;
  /** Time-out of one answer in ns. */
  timeout_ns: number;
  /** Bound for the whole run in ns. */
  total_ns: number | null;
  /** Time of one turn in ns (about 2 ms). */
  turn_ns: number;
  /** Bound of the warm-up per visit in ns; none lets the plan choose, 0 means no warm-up. */
  warmup_ns: number | null;
  /** Processes alive together. */
  wave: number;
  /** The processes of a case are alive together, and compared as two samples. Earlier versions compared pairs. */
  waves: boolean;
}

/** One of the things compared. */
export interface Side {
  /** The benchmark that it measures, where that may be another than the one that cases are named after. */
  benchmark?: string | null;
  /** Sources. */
  commit: Commit | null;
  /** The base measured against itself (`--control`): its verdicts count as false alarms, not as findings. */
  control: boolean;
  /** As shown: the variant's, the baseline's or the run's name, unique in the comparison. */
  name: string;
  /** The run. */
  run: string;
  /** Runtimes, as in the run's header. */
  runtimes: string[];
  /** Start of the run, milliseconds since the Unix epoch. */
  started_ms: number;
  /** The run does not say which machine it was measured on: it was imported from a file without that. */
  unnamed_machine: boolean;
  /** The variant in that run. */
  variant: string;
}

/** What change points say about the processes of a case. */
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

/** From one point to the next. */
export interface Step {
  /** Its logarithm over that of the parameter's ratio; none where the parameter is not above 0. */
  exponent: Estimate | null;
  /** This point over the one before. */
  ratio: Estimate;
  /** Whether the quantity got better or worse. */
  verdict: Verdict;
}

/** Why a case was finished. */
export type StopReason = "precise" | "verdict" | "budget" | "precision-predicted" | "maximum" | "once" | "skipped" | "failed" | "interrupted";

/** Cases of one suite. */
export interface SuiteResult {
  /** Its cases, in catalogue order. */
  cases: CaseResult[];
  /** Its name. */
  suite: string;
}

/** The parts of a run's wall time. They add up to it: time in which several processes do something counts once, and for the part that comes first here. What the engine does between two steps of the same part counts for that part. */
export interface TimeParts {
  /** Storing and analysing what was measured; none for a run that was stored before. */
  analysis_ns?: number | null;
  /** Builds. Runs of earlier versions did not record it. */
  build_ns: number;
  /** Turns of the empty body. */
  empty_ns: number;
  /** Ends: the last case of a process is closed, and the process ends. Runs of earlier versions did not record it. */
  end_ns: number;
  /** Measured rounds without these: leads, untimed work of bodies, exchanges with harnesses, the engine's own work. */
  exchange_ns: number;
  /** Launches: until a process has said its first line, and until a case was opened in it. */
  launch_ns: number;
  /** Finding files and asking programs for their cases. Runs of earlier versions did not record it. */
  listing_ns: number;
  /** All else: between the steps, waiting. */
  other_ns: number;
  /** Collections that were forced, and heaps that were settled. */
  settling_ns: number;
  /** Batches of measured turns: their own times. */
  timed_ns: number;
  /** First calls, calibration and warm-up. */
  warm_up_ns: number;
  /** Readings of the yardsticks. Runs of earlier versions did not record it. */
  yardsticks_ns: number;
}

/** Time per operation: what more than a reporter needs. All in ns per operation unless named otherwise. The other statistics of time are figures. */
export interface TimeSummary {
  /** First calls. */
  cold: ColdSummary | null;
  /** Empty body. */
  floor: Floor | null;
  /** Where the batch values lie. */
  histogram: Histogram | null;
  /** All time over all operations of the measured turns, collections included. */
  mean: Estimate;
  /** Median of all batch values. */
  median: number;
  /** Outliers among turn values. */
  outliers: TukeyCounts;
  /** Every complete process by itself, in the order of their numbers. */
  processes: ProcessValue[];
  /** Steady state. */
  steady: SteadyState;
  /** Robust: Hodges–Lehmann over processes of the log process location, the median of fewer than six. */
  typical: Estimate;
  /** Of a case that has a `runner`: no process was warm, and all times are those of first calls. There is no steady time. */
  unwarmed?: boolean;
}

/** Who reads the clock. */
export type Timing = "loop" | "self-timed";

/** Tukey's outlier counts over the turn values of a case. */
export interface TukeyCounts {
  /** Beyond 1.5 above. */
  high_mild: number;
  /** Beyond 3 above. */
  high_severe: number;
  /** Beyond 1.5 below. */
  low_mild: number;
  /** Beyond 3 interquartile ranges below. */
  low_severe: number;
}

/** A case that at least two sides were asked for, and that some of them did not measure: no process of it is complete. */
export interface Unmeasured {
  /** The same as half a sentence: `the time was over before it was measured`. */
  because: string;
  /** What was declared. */
  case: Case;
  /** `failed`, `skipped` or `not-measured`. */
  outcome: CaseOutcome;
  /** Why: `budget`, `interrupted`, `skipped`, or `not-measured` where nothing else is known. */
  reason: Reason;
  /** Indices of the sides that did not measure it. */
  sides: number[];
}

/** One of several ways to launch the same cases. */
export interface Variant {
  /** The stored run whose code this is: a baseline that is measured again beside the others. */
  again?: Again | null;
  /** Arguments added: for the runtime, or for the program where there is none. */
  args: string[];
  /** Another benchmark of the case's suite that is measured in the case's place, with the same parameters. */
  benchmark: string | null;
  /** Arguments for the build added. */
  build_args?: string[];
  /** Folders of its builds; `ProcessStart::build` indexes it. One where builds are not sampled, none where nothing is built into a folder of its own. */
  builds: string[];
  /** Words that replace `{runtime}` in the launch line (after `--`: the whole command). */
  command: string[] | null;
  /** The first variant once more, as a control: its true change is nil. */
  control: boolean;
  /** The directory to launch in, when it is not the project's root (a revision's worktree). */
  directory: string | null;
  /** Environment added. */
  env: [string, string][];
  /** Its name, unique in the run; the only variant of a plain run is called `base`. */
  name: string;
  /** The packages that its processes load, where they tell: those that benchmarks are about first, the interpreter last. */
  packages?: Package[];
  /** Git revision that it is built from. */
  revision: string | null;
}

/** The result of one variant of a case. */
export interface VariantResult {
  /** Measured batches. */
  batches: number;
  /** All that reporters show as a number: statistics of time, then metrics. */
  figures: Figure[];
  /** Everything else that was declared or observed. */
  metrics: MetricSummary[];
  /** Complete processes. */
  processes: number;
  /** Turns rejected, by cause. */
  rejected: [string, number][];
  /** Texts that the benchmark told of itself, of its last visit. */
  texts?: [string, string][];
  /** Times, if the body was timed. */
  time: TimeSummary | null;
  /** Measured turns. */
  turns: number;
  /** The variant's name. */
  variant: string;
}

/** What can be said of a change, read from its interval and the margin. */
export type Verdict = "better" | "worse" | "same" | "better-within-margin" | "worse-within-margin" | "unclear";

/** Doubt about a result, with a stable code that `derny explain` knows. */
export interface Warning {
  /** Index into the document's cases, or none when it concerns the run. */
  case: number | null;
  /** What it blames. */
  class: WarningClass;
  /** `DY204`. */
  code: string;
  /** It can change a decision, and is told under the table. What cannot is in the details only. */
  decides: boolean;
  /** What the turns that it blames do, as a clause: `without these turns its typical time is 3.1 % less`; empty where it blames none. */
  effect: string;
  /** It marks the row of its case: it decides there, and most rows do not share it. */
  marks: boolean;
  /** One sentence with the figures. */
  message: string;
  /** What to try. */
  remedy: string;
  /** How bad it is beside others of its code; no unit. */
  severity: number;
}

/** What a warning blames. It decides where the warning shows. */
export type WarningClass = "meaning" | "turns" | "design";

/** How much was done in a run. */
export interface WorkCounts {
  /** Questions that harnesses have answered: turns of every kind, and cases that were opened and closed. */
  exchanges: number;
  /** Measured turns, rejected ones and those for mean time alone included. */
  measured_turns: number;
  /** Processes that answered. */
  processes: number;
  /** Measured rounds: a turn of each side. */
  rounds: number;
  /** Cases opened in a process. */
  visits: number;
  /** Turns of first calls, calibration and warm-up. */
  warm_up_turns: number;
  /** Waves: processes that were alive together. */
  waves: number;
}

/** A kernel of the engine's own that is run with every run, to tell a change of the machine from one of the code. */
export interface Yardstick {
  /** Standard error of that time in ns. */
  error_ns: number;
  /** What it works on: `integer`, `branches`, `cache`, `memory` or `system-call`. */
  name: string;
  /** Time per step in ns. */
  time_ns: number;
}

/** How a yardstick, a kernel of the engine's own, differs between the base's run and a side's. */
export interface YardstickChange {
  /** New over base time per step, less 1. */
  change: number;
  /** Standard error of that. */
  error: number;
  /** It exceeds three of its errors, and 1 %: the machine is not what it was. */
  moved: boolean;
  /** Its name: `integer`, `branches`, `cache`, `memory` or `system-call`. */
  name: string;
}
