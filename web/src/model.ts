// Made by types.mjs of the schemas in docs/reference/schema. Do not edit.

/** The wall time of a run by activity, and the amount of work that it did. */
export interface Accounting {
  /** Amount of work done. */
  counts: WorkCounts;
  /** The parts of the wall time. */
  parts: TimeParts;
  /** Wall time of the run, from its first build to its last event, or to its result if `analysis_ns` is present. */
  wall_ns: number;
}

/** A stored run that a variant measures again. */
export interface Again {
  /** Commit of the stored run's sources. */
  commit: Commit | null;
  /** Origin of the code. */
  from: AgainFrom;
  /** Id of the stored run. */
  run: string;
  /** Start of the stored run, milliseconds since the Unix epoch. */
  started_ms: number;
}

/** The origin of a baseline's code that is measured again. */
export type AgainFrom = "program" | "commit";

/** The stored run that is the base of a comparison. */
export interface Against {
  /** Origin of the code that was measured again, in pairs with the other sides. Absent if the stored times are compared. */
  again: AgainFrom | null;
  /** Commit of the stored run's sources. */
  commit: Commit | null;
  /** Id of the stored run. */
  run: string;
  /** Start of the stored run, milliseconds since the Unix epoch. */
  started_ms: number;
  /** Reason why the run was not measured again despite the request, as one sentence. */
  why_stored: string | null;
}

/** The build and launch commands of a suite, with all data to measure the same code again. */
export interface Built {
  /** Arguments added to the build command. */
  build_args?: string[];
  /** Build command as written. Empty if nothing is built. */
  command: string[];
  /** Working directory of the processes, relative to the root of the variant's sources. */
  directory: string;
  /** Path of the benchmark file. Absent for a program that contains a complete suite. */
  file: string | null;
  /** Launch line as written, with the variant's command and the suite's arguments. */
  launch: string[];
  /** True if the launch line also names other files of the project, such as scripts. */
  needs_sources: boolean;
  /** Native programs that the launch line names by their paths. */
  programs: Program[];
  /** Name of the suite. */
  suite: string;
  /** Arguments in the launch line that are for the suite's own program. */
  suite_args?: string[];
  /** Index into the run's variants. */
  variant: number;
}

/** The declaration of a case by its harness. */
export interface Case {
  /** Estimate of the time of one call in ns, made by the benchmark. Used only for planning. */
  about_ns: number | null;
  /** True if a self-timed body may be called repeatedly in one process. */
  again: boolean;
  /** Flags for the runtime that the case requires. */
  args: string[];
  /** Position among the harness's cases, in a form that the engine does not interpret. It identifies the case if the text of a parameter value differs between processes, or if several benchmarks have the same name. */
  at?: string | null;
  /** Number of bytes processed per iteration. */
  bytes: number | null;
  /** Name of the benchmark in its harness, if it differs from the name in `id`. The name in `id` has a number appended if another case has the same name and parameters. */
  called?: string | null;
  /** Duration in ns of the batch that the benchmark's own framework would run. The time of an operation may depend on the number of operations in a batch. */
  count_ns?: number | null;
  /** Environment variables that the case requires. */
  env: [string, string][];
  /** Path of the benchmark file, relative to the project's root. Absent for a command. */
  file: string | null;
  /** True if everything is set up again for each call, as in a new process. The first call is then like later calls, so there is no warm-up and no batch size to choose. */
  fresh?: boolean;
  /** Key of a global setup, which a separate process performs once per run for all cases with this key. */
  global_setup: string | null;
  /** Name of the group in which the case is shown. */
  group: string | null;
  /** Name of the convention that launches the case, from an `sdk.toml`, or `command`. */
  harness: string;
  /** Identity of the case. */
  id: CaseId;
  /** True if the case must not share its process with other cases. */
  isolate: boolean;
  /** Number of items processed per iteration. */
  items: number | null;
  /** Shortest meaningful time of a batch in ns, if it is longer than usual, for example because each batch starts threads. */
  least_batch_ns?: number | null;
  /** Line in that file, if the harness reports it. */
  line: number | null;
  /** Maximum number of batches in one process. Batches of the empty body do not count. */
  max_batches: number | null;
  /** Maximum number of iterations of a batch. */
  max_iterations: number | null;
  /** Metrics that the body or a tool reports, in addition to times or instead of them. */
  metrics: Metric[];
  /** Package, class or module of the case. Used for display and selection. Not part of the identity. */
  module: string | null;
  /** Number of operations per iteration. 1 unless declared. */
  ops: number;
  /** True for a parent, which is not measured, but is run to find the cases below it. */
  parent: boolean;
  /** Name of the case in the form that its own tool prints, if that does not follow from benchmark and parameters. Other tools may put parameters anywhere in a name. */
  printed?: string | null;
  /** Name of the program for which the benchmark was written. That program calls the body once in a fresh process, as configured, and reports this call. The case then has two times: that of the first calls, and the steady time. */
  runner?: string | null;
  /** Name of the parameter that `iterations` sets, if there is one. */
  scale: string | null;
  /** Reason why the case cannot be measured on this machine, if it is known without opening the case. */
  skip: string | null;
  /** Labels chosen by the author. */
  tags: string[];
  /** Number of threads that run the body at the same time. */
  threads: number | null;
  /** Time limit in ns for opening the case, for checking it, and for each turn. */
  timeout_ns: number | null;
  /** The part of the program that measures the times. */
  timing: Timing;
  /** Name of an operation, if it is not `op`. */
  unit: string | null;
}

/** The identity of a case. Cases with equal ids are the same case in any run or file. Patterns match the text form, `suite/benchmark key=value key=value`. */
export interface CaseId {
  /** Name of the benchmark, unique within its suite. */
  benchmark: string;
  /** Names and values of the parameters, in the harness's order. The order is only for display: ids that differ only in it are equal. If values may have other types than text, a text value has the form that [`param_text`] returns. */
  params: [string, string][];
  /** Name of the suite. A suite consists of benchmarks that share a harness and settings. */
  suite: string;
}

/** The outcome of one side of a case. Exit status, JUnit, annotations and comments agree, because all of them are derived from it. */
export type CaseOutcome = "passed" | "worse" | "undecided" | "unjudged" | "failed" | "skipped" | "not-measured";

/** The results of a case. */
export interface CaseResult {
  /** The case as declared. */
  case: Case;
  /** Change since the last comparable run, if there is one. */
  change: PlainChange | null;
  /** State of the case: measured, passed, skipped, failed or missing. */
  state: CaseState;
  /** Results by variant, in the run's order. */
  variants: VariantResult[];
}

/** The state of a case. */
export type CaseState = {
  measured: StopReason;
} | "passed" | "skipped" | "failed" | "missing";

/** The change of a quantity between the base and a side. */
export interface Change {
  /** Value of the base. */
  base: number;
  /** Limitation of the verdict, as a sentence: why it is missing, why it is weaker than the interval suggests, or what it cannot exclude. Empty if there is none. */
  because: string;
  /** `new / base - 1` with the repeated interval. Absent if one side is 0 or nothing can be estimated. In paired measurements the value is the Hodges–Lehmann estimate of the pairs. */
  change: Estimate | null;
  /** `new - base` with its interval, in the unit of the two values. Present only if a value is 0, so that there is no ratio. */
  difference: Estimate | null;
  /** Direction of improvement. */
  direction: Direction;
  /** True if the quantity was declared exact and is the same in every turn of both sides. It is then compared exactly, without an interval. */
  exact: boolean;
  /** p-value adjusted over the family by Holm's method. */
  holm: number | null;
  /** Nominal confidence level of the two-sided interval. */
  level: number;
  /** Part of the change that may be due to the machine, as a share, if the sides were measured at different times. The interval of `change` covers only the rest, which is due to the program. It may therefore not contain the value. */
  machine?: Interval | null;
  /** Number of machines that measured the case, if there were several. The interval is then computed from the machines, not from their pairs. */
  machines?: number;
  metric: string;
  /** Total number of pairs (or processes) that would probably decide an unclear verdict. */
  needed: number | null;
  /** Value of the side. In paired measurements it is the base's value changed by `change`, so that the three values agree. */
  new: number;
  /** Value of the side from its own processes only, if it is computed differently from `new`. It also contains disturbances of these processes that did not affect the base. */
  new_alone?: number | null;
  /** True if the change has no verdict, because nothing required mean time. */
  only_shown?: boolean;
  /** Repeated p-value for no change, which is valid under the stopping rule. Absent for exact quantities. */
  p: number | null;
  /** Change of every pair, in the order of the blocks. Empty if the change is unpaired, exact, or judged by `difference`. */
  pairs: number[];
  /** True if the two values are per operation. */
  per_operation: boolean;
  /** p-value adjusted over the family by the method of Benjamini and Hochberg. */
  q: number | null;
  /** Reason why the verdict is unclear. Absent for any other verdict. */
  reason: Reason | null;
  /** Number of pairs. In unpaired measurements, number of processes of the side with fewer. */
  replicates: number;
  statistic?: string | null;
  /** Unit of the two values, such as `ns` or `bytes`. */
  unit: string;
  /** True if too little was measured to call the side worse, whatever the value is. */
  unjudged?: boolean;
  /** Verdict, which follows from the interval and the margin. `better` and `worse` also require that `q` is below the comparison's level. */
  verdict: Verdict;
}

/** The first calls of a case in fresh processes. */
export interface ColdSummary {
  /** Number of processes. */
  processes: number;
  /** Range from the fastest to the slowest process, in ns per operation. */
  range_ns: Interval;
  /** Median over processes of the first batch, in ns per operation. */
  time_ns: number;
}

/** The commit that was checked out. */
export interface Commit {
  /** Name of the branch, if one is checked out. */
  branch: string | null;
  /** True if there were uncommitted changes. */
  dirty: boolean;
  /** Full hash. */
  hash: string;
}

/** A case with the results of all sides. */
export interface ComparedCase {
  /** The case as declared. */
  case: Case;
  /** The sides after the base that have the case. */
  sides: ComparedSide[];
  /** Times of every side, in the order of the sides. Absent for a side without times. */
  times: (TimeSummary | null)[];
}

/** The results of one side of a case, compared with the base. */
export interface ComparedSide {
  /** For the base and for this side, true if its time is indistinguishable from that of an empty body. */
  at_floor: boolean[];
  /** Changes of typical time, of mean time if the case was timed, and of every other metric that both sides have. */
  changes: Change[];
  /** Index of the change that makes the outcome `worse`, `undecided` or `unjudged`. Absent if the outcome is `passed`. */
  decided_by: number | null;
  /** Names of requested metrics that only one of the two sides has. */
  lacks?: string[];
  /** Composition of mean time, for the base and for this side. Absent if nothing was timed or the sides are unpaired. */
  observed?: Observed[] | null;
  /** Outcome for a gate: `passed`, `worse`, `undecided` or `unjudged`. `not-measured` if a metric is missing. `passed` for a control. */
  outcome: CaseOutcome;
  /** Reason why the verdict is unclear. Absent for any other verdict. */
  reason: Reason | null;
  /** Index into the comparison's sides. Never 0. */
  side: number;
  /** True if typical and mean time have different verdicts. */
  split: boolean;
  /** Verdict on the case: the verdict of typical time, or the worse of the two if mean time has a different one. */
  verdict: Verdict;
}

/** A comparison, with all data for reporters. */
export interface Comparison {
  /** The stored run that the other sides are compared with. Absent if all sides are variants of one run. */
  against: Against | null;
  /** Names of cases that only one side has, each with the index of that side. */
  alone: [number, string][];
  /** Time between the starts of the oldest and the newest run, in ms. */
  apart_ms: number;
  /** The cases that at least two sides have, in the base's order. */
  cases: ComparedCase[];
  /** Confidence level of the intervals, from 0 to 1. */
  confidence: number;
  /** Unintended differences between the contexts of the sides. */
  context: ContextDifference[];
  /** Results of the control, with `--control`. */
  control: Control | null;
  /** Failures on any side. */
  failures: Failure[];
  /** Number of comparisons over which `q` and `holm` are adjusted. */
  family: number;
  /** Version of this format. */
  format: number;
  /** Geometric means of the changes, one per side after the base. Empty if there is only one case. */
  geometric_means: GeometricMean[];
  /** Change of the machine, according to the yardsticks, for every side that was measured at another time than the base. */
  machine?: MachineChange[];
  /** The machines that measured, if there were several. */
  machines?: FleetMachine[];
  /** Margin δ as a share. Changes within the margin do not matter. */
  margin: number;
  /** Margin of mean time, as a share. */
  mean_margin: number;
  /** Names of the requested metrics. Empty if every metric is compared. */
  metrics?: string[];
  /** Specifies whether the sides were measured together. */
  pairing: Pairing;
  /** Sides with the same code as the base. */
  same?: SameCode[];
  /** Time limit that would probably decide unclear cases if the run were resumed with it. Absent if more time would decide none. */
  settle?: Settle | null;
  /** The sides. The first is the base. */
  sides: Side[];
  /** Limits of these measurements, in sentences. */
  unknown: string[];
  /** Cases requested of at least two sides that at least one of them did not measure, in the order of the sides. A case that two other sides measured is also in `cases`. */
  unmeasured: Unmeasured[];
  /** Warnings. `Warning::case` indexes `cases`. */
  warnings: Warning[];
}

/** Contention by other programs and by other virtual machines on the same host, in the busier half of a run's time. It may have slowed a program without affecting the yardsticks, which are read while nothing is measured. */
export interface Contention {
  /** One-minute load average, including that of the run itself. Absent if the system has none. */
  load: number | null;
  /** Share of processor time used by other programs, 0 to 1. */
  others: number;
  /** Share of processor time stolen by the hypervisor, 0 to 1. */
  steal: number;
}

/** A difference between the contexts of two sides that may itself change times. */
export interface ContextDifference {
  /** The base's value. Empty if it has none. */
  base: string;
  /** The side's value. */
  new: string;
  /** Index of the side that differs from the base. */
  side: number;
  /** Differing property: `machine`, `runtime`, `cpu`, `governor`, `batch time`, `environment NODE_OPTIONS`, and so on. `machine` and `cpu` mean that the machines are different. */
  what: string;
}

/** The result of the A/A control: how often it appeared to differ from the base, and by how much. */
export interface Control {
  /** Number of comparisons whose interval excludes 0. These are false alarms. */
  alarms: number;
  /** Number of comparisons of the base with itself. */
  comparisons: number;
  /** Largest absolute change, as a share. */
  floor: number;
  /** Half-width of the widest interval, as a share. */
  half_width: number;
  /** Number of comparisons with the verdict `better` or `worse`. */
  material: number;
}

/** The points of a benchmark, in ascending order of the parameter. */
export interface Curve {
  /** Names and values of the parameters over which the points are geometric means. */
  aggregated: [string, string[]][];
  /** Name of the benchmark. */
  benchmark: string;
  /** Values of the parameters that distinguish the curves. */
  by: [string, string][];
  /** Slope of all points on logarithmic axes, by the method of Theil and Sen. Absent if there are fewer than three points. */
  exponent: Estimate | null;
  /** Fitted growth. Absent if there are fewer than four points. */
  growth: Growth | null;
  /** The points. */
  points: Point[];
  /** Name of the suite. */
  suite: string;
  /** Name of the variant. Empty if there is only one. */
  variant: string;
}

/** The direction in which a metric improves. */
export type Direction = "less" | "more" | "none";

/** The results of a run, with all data for reporters. */
export interface Document {
  /** Id of the run to which changes are relative, and the commit of its sources. */
  baseline: [string, Commit | null] | null;
  /** Comparison of the run's variants with the first one, or of the run with the requested baseline. */
  comparison?: Comparison | null;
  /** Contention by other programs and machines during the run. Absent if it was not observed. */
  contention?: Contention | null;
  /** Failures of the run. */
  failures: Failure[];
  /** Version of this format. */
  format: number;
  /** Rankings of the cases by time, if only one variant was measured. */
  rankings?: Ranking[];
  /** The run and its context. */
  run: RunHeader;
  /** Time of the run by activity, with `--stats`. */
  stats?: Accounting | null;
  /** Results of all suites. */
  suites: SuiteResult[];
  /** Warnings. `Warning::case` is an index into the cases of all suites, in order. */
  warnings: Warning[];
  /** Yardsticks of the run: built-in kernels that distinguish a change of the machine from a change of a program. */
  yardsticks?: Yardstick[];
}

/** A point estimate and its confidence interval. */
export interface Estimate {
  /** Confidence interval. Absent if the sample is too small. The value of a single variant has an interval from six processes on. */
  interval: Interval | null;
  /** The point estimate. */
  value: number;
}

/** A failure of a case or a file. Other cases continued. */
export interface Failure {
  /** Index into the run's cases, if a single case failed. */
  case: number | null;
  /** Code of the failure. */
  code: FailureCode;
  /** Location from general to specific: file, case, runtime, process. Joined by ` · ` for display. */
  place: string[];
  /** Suggested remedy. */
  remedy: string;
  /** Index of the variant whose process failed, if it is known. */
  variant?: number | null;
  /** Description of the failure, in one sentence. */
  what: string;
  /** Reason for the failure, with the last lines of the program's output if they help. */
  why: string;
}

/** The stable code of a failure. `derny dev explain` describes each code. */
export type FailureCode = "DY301" | "DY302" | "DY303" | "DY304" | "DY305" | "DY306" | "DY307" | "DY308" | "DY309" | "DY310" | "DY311" | "DY312" | "DY313" | "DY314";

/** A number of a result, with all data to display it. Tables, details, CSV, pages and JSON use the same list of figures. */
export interface Figure {
  /** Direction of improvement. */
  better: Direction;
  /** Confidence interval. Absent if the figure has none, or with fewer than six processes. */
  interval: Interval | null;
  /** Rule by which the values of the quantity combine. */
  kind: Kind;
  /** Name in words, such as `95th percentile`. Equals `name` for a metric. */
  label: string;
  /** True for a metric that a harness reads, false for a statistic of time. */
  metric: boolean;
  /** Name: `time` for typical time, `mean`, `p95` and so on, or the name of a metric. */
  name: string;
  /** True if the value is per operation. */
  per_operation: boolean;
  /** Smallest and largest process value, for two to five processes. The range contains the median with a probability of 50 % for two processes, 75 % for three, 87 % for four and 94 % for five. */
  range: Interval | null;
  /** Unit, such as `ns`, `share`, `op/s` or `bytes`. */
  unit: string;
  /** The value. */
  value: number;
}

/** The first call in a fresh process, as configured, which the case's own program would report. */
export interface FirstCall {
  /** Time of the complete call in ns. */
  call_ns: number;
  /** Time in ns per operation. */
  time_ns: number;
}

/** One of several machines that measured cases. */
export interface FleetMachine {
  /** Number of cases that it measured, counted once per side. */
  cases: number;
  /** Name of the processor. */
  cpu: string;
  /** Name of the host, or the name that the user gave the machine. */
  name: string;
  /** Scatter of its pairs relative to that of the other machines, as a factor. */
  noise: number | null;
  /** Difference from the other machines, as a clause. Empty if there is none. */
  odd: string;
  /** Number of pairs that it measured of these cases. */
  pairs: number;
  /** Deviation of its changes from those of the other machines, as a share. Absent if it has too few cases in common with others. */
  shift: number | null;
}

/** The cost of an empty body through the same loop, or between the same start and stop. */
export interface Floor {
  /** True if the case is indistinguishable from an empty body. */
  indistinguishable: boolean;
  /** Time per iteration of the empty body, in ns. At least a clock cycle if a self-timed body counts calls. */
  time_ns: number;
}

/** The terms of a gate. */
export interface GateTerms {
  /** Verdicts that fail the gate: `worse`, `unclear`. */
  fail_on: string[];
  /** Metrics that the gate judges. If empty, only time is judged. */
  metrics: string[];
}

/** Geometric mean of a side's ratios, over all cases that it shares with the base. */
export interface GeometricMean {
  /** Number of cases. */
  cases: number;
  /** Mean change with its interval. */
  change: Estimate;
  /** Index into the sides. */
  side: number;
}

/** A growth law fitted to the points. */
export interface Growth {
  /** Other laws that fit the points equally well. */
  also: string[];
  /** The constant in `constant + factor × law(n)`. Logarithms are natural. */
  constant: number;
  /** Mean relative error of predictions for points excluded from the fit, as a share. */
  error: number;
  /** Exponent k of `n^k`, with its interval. */
  exponent: Estimate | null;
  /** The factor in `constant + factor × law(n)`. */
  factor: number;
  /** Form of the law: `1`, `log n`, `n`, `n log n`, `n²`, `n³` or `n^k`. */
  law: string;
}

/** A histogram of batch values, with bins of equal width. */
export interface Histogram {
  /** Number of values above `hi`. */
  above: number;
  /** Number of values in each bin. */
  counts: number[];
  /** Upper end of the last bin, in ns per operation. */
  hi: number;
  /** Lower end of the first bin, in ns per operation: the smallest value. */
  lo: number;
}

/** The origin of results that another tool measured. */
export interface Imported {
  /** Path of the file, as given. */
  file: string;
  /** Name of the importer that read them, such as `benchfella` or `criterion-json`. */
  format: string;
  /** Hash that identifies the file and the options of the import. Records of earlier versions have none. */
  hash?: string;
  /** Name and version of the tool, if the file contains them. */
  tool: string;
  /** Data that the file lacks, in words. */
  unknown: string[];
}

/** A closed interval. */
export interface Interval {
  /** Upper end. */
  hi: number;
  /** Lower end. */
  lo: number;
}

/** The assignment of cases to processes. */
export type Isolation = "case" | "suite" | "shared";

/** The rule by which the values of a metric combine. */
export type Kind = "total" | "level" | "peak" | "rate" | "reported";

/** Hardware and operating system. */
export interface Machine {
  /** Number of online processors. */
  cores: number;
  /** Name of the processor. */
  cpu: string;
  /** Further properties (governor, turbo, SMT, virtualisation, ASLR, clock source), if observable. */
  facts: Record<string, string>;
  /** Host name. */
  host: string;
  /** Release of the kernel. */
  kernel: string;
  /** Installed memory in bytes. */
  memory_bytes: number;
  /** Operating system: `linux`, `macos` or `windows`. */
  os: string;
  /** Properties that cannot be observed on this platform, in words. */
  unobserved: string[];
}

/** The change of the machine between two runs, according to the yardsticks. */
export interface MachineChange {
  /** Change of typical time that all cases have in common, as a share of the base. Absent if there is none. */
  common_shift: number | null;
  /** Contention during the base's run, and during the side's run. Absent if it was not observed. */
  contention: (Contention | null)[];
  /** Index of the side whose run is compared with the base's. */
  side: number;
  /** Changes of the yardsticks that both runs have. */
  yardsticks: YardstickChange[];
}

/** A quantity that harnesses report with every turn. */
export interface Metric {
  /** Direction of improvement. */
  direction: Direction;
  /** True if the metric is declared to be the same in every turn of equal work. */
  exact: boolean;
  /** Rule by which its values combine. Records of earlier versions lack it, and the store infers it when it reads them. */
  kind: Kind;
  /** Name of the metric, such as `cpu` or `allocated`. */
  name: string;
  /** Unit, such as `ns`, `bytes`, `count` or `requests/s`. */
  unit: string;
}

/** The summary of a metric other than time. A total is divided by the operations of the turn. */
export interface MetricSummary {
  /** True if the value was the same in every turn of every process. */
  constant: boolean;
  /** Standard deviation of the logarithms of the process values. Absent for fewer than two values, or if a value is not positive. */
  deviation: number | null;
  /** Hodges–Lehmann estimate over processes, or the median with fewer than six. For an exact metric, the value itself. */
  estimate: Estimate;
  /** With `--set ladder=yes`, slope per operation and R² of an ordinary least-squares fit of the turn's counter to its operations. The fixed cost of a turn is in the intercept, not in the slope. */
  ladder: [number, number] | null;
  /** The metric. */
  metric: Metric;
  /** True if the value is per operation, as for counters. False if it is unchanged, as for rates. */
  per_operation: boolean;
  /** Smallest and largest process value, for two to five processes. */
  range: Interval | null;
}

/** The composition of a side's mean time. */
export interface Observed {
  /** Greatest age at which a process of the side was measured, in ns. */
  age_ns: number;
  /** Number of collections during these turns. */
  collections: number;
  /** Number of turns that were excluded, because the thread was preempted or code was compiled. */
  left_out: number;
  /** Excess time of the pauses, in ns. */
  paused_ns: number;
  /** Number of pauses: turns that took more than twice as long per operation as similar ones. */
  pauses: number;
  /** Wall time of the turns included, in ns. */
  wall_ns: number;
}

/** A package whose code is measured, as a process reports it. */
export interface Package {
  /** Folder or file from which it is loaded. */
  from: string;
  /** Hash of its files. Empty if it was not computed. */
  hash: string;
  /** Version and path of an installed copy that this package hides. Empty if there is none. */
  hides?: string;
  /** Name of the package. */
  name: string;
  /** True if the package is under benchmark: the project's own package or, if that is unknown, one that the benchmarks import directly. */
  own: boolean;
  /** Version of the package. Empty if it has none. */
  version: string;
}

/** Specifies whether the sides of a comparison were measured together. */
export type Pairing = "paired" | "unpaired";

/** One of the shards of a plan for several machines, measured as a run. */
export interface Part {
  /** Value of [`FleetPlan::measures`](crate::FleetPlan::measures), which is the same in all waves. */
  measures: string;
  /** Total number of shards. */
  of: number;
  /** Value of [`FleetPlan::id`](crate::FleetPlan::id). */
  plan: string;
  /** Number of the shard, from 1. */
  shard: number;
  /** Number of the wave, from 1. */
  wave: number;
}

/** The parts from which a run was merged. */
export interface Parts {
  /** Number of parts. */
  count: number;
  /** Hash that identifies the parts. */
  hash: string;
  /** Value of [`FleetPlan::measures`](crate::FleetPlan::measures). */
  measures: string;
  /** Number of waves whose parts the run contains. */
  waves: number;
}

/** The change of typical time since the last comparable run, which was measured at another time. */
export interface PlainChange {
  /** Reason why the verdict is weaker than the interval suggests, or why there is none. A sentence, or empty. */
  because: string;
  /** New typical time divided by the old one, minus 1. */
  change: number;
  /** Interval of the part of the change that is not due to the machine. */
  interval: Interval | null;
  /** Part of the change that may be due to the machine, as a share. */
  machine: Interval | null;
  /** Reason why the verdict is unclear. */
  reason: Reason | null;
  /** Id of the earlier run. */
  run: string;
  /** Verdict on the change. Absent in documents of earlier versions. */
  verdict: Verdict;
}

/** The results for one value of the parameter. */
export interface Point {
  /** Bytes per second, if the number of bytes is declared. */
  bytes_per_second: number | null;
  /** Number of cases that the point averages. */
  cases: number;
  /** Value of the quantity. */
  estimate: Estimate;
  /** Value that the fit predicts, in the unit of the quantity. */
  fitted: number | null;
  /** True if the point deviates from the fit by more than the scatter of the other points allows. */
  off: boolean;
  /** Operations per second, if the quantity is time. */
  per_second: number | null;
  /** Number of processes of all these cases. */
  processes: number;
  /** Step from the previous point. */
  step: Step | null;
  /** Value of the parameter as written. */
  text: string;
  /** Value of the parameter as a number. */
  x: number;
}

/** The time spent before the start of a run. */
export interface Preparation {
  /** Build time, in ns. */
  build_ns: number;
  /** Time to find files and list their cases, in ns. */
  listing_ns: number;
}

/** The result of a process for a case. */
export interface ProcessValue {
  /** Development of the times: `flat`, `warm-up`, `slowdown` or `no steady state`. Empty if there are too few turns. */
  class: string;
  /** First call of the process, for a case with a `runner`. */
  first?: FirstCall | null;
  /** Total time of the measured turns in ns, including rejected ones. */
  measured_ns: number;
  /** Number of the process within the run. */
  process: number;
  /** Typical time of the measured turns, in ns per operation. */
  time_ns: number;
  /** Number of measured turns. */
  turns: number;
  /** Standard deviation of the turns, as a share. */
  within: number;
}

/** A native program that a launch line names. */
export interface Program {
  /** Hash of the program's content. */
  hash: string;
  /** Absolute path of the file. */
  path: string;
  /** Index of the word in the launch line. */
  word: number;
}

/** A case of a ranking. */
export interface RankedCase {
  /** Index into the document's cases. */
  case: number;
  /** Distinguishing property of the case: its benchmark, or the value of a parameter. */
  name: string;
  /** True if the interval excludes that the case is as fast as the first one. */
  slower: boolean;
  /** Typical time relative to that of the first case. The interval is corrected for all pairs of the ranking. It is absent if either time has none. */
  times: Estimate;
  /** Typical time in ns per operation. */
  typical: number;
}

/** Cases of a suite that differ in one property, in ascending order of typical time. */
export interface Ranking {
  /** Parameters that the cases have in common. If the cases differ in a parameter, also the benchmark, under an empty key. */
  common: [string, string][];
  /** The ranked cases, at least two. */
  places: RankedCase[];
  /** Name of the suite. */
  suite: string;
}

/** The reason why a verdict is unclear. Readers must accept unknown codes. */
export type Reason = "noise" | "budget" | "too-few-pairs" | "multiple-comparisons" | "changed-on-the-way" | "not-measured" | "skipped" | "still-warming" | "at-floor" | "collections" | "machine" | "not-together" | "no-direction" | "no-ratio" | "gate-decided" | "not-asked" | "interrupted" | "control-failed" | "unknown";

/** The header of a run: everything except its measurements. */
export interface RunHeader {
  /** Command line without the name of the program. */
  args: string[];
  /** Build and launch commands of the suites. */
  built: Built[];
  /** Commit of the sources, if the project is in a git repository. */
  commit: Commit | null;
  /** Version of the engine. */
  derny: string;
  /** End of the run, milliseconds since the Unix epoch. */
  ended_ms: number | null;
  /** Process id of the engine that wrote the run. */
  engine_pid: number;
  /** Short name. */
  id: string;
  /** Origin of the results, if another tool measured them. */
  imported?: Imported | null;
  /** Hardware and system. */
  machine: Machine;
  /** Machines that measured, if parts of several machines were merged. [`ProcessStart::machine`](crate::ProcessStart::machine) is an index into this list. */
  machines?: Machine[];
  /** The parts from which the run was merged. */
  merged?: Parts | null;
  /** Note that the user gave with `--note`. */
  note: string | null;
  /** The shard that the run measured, for a measurement on several machines. */
  part?: Part | null;
  /** Time spent before the start of the run. Records of earlier versions lack it. */
  preparation?: Preparation | null;
  /** Runtimes of the processes, such as `javascript node/20.20.2`. */
  runtimes: string[];
  /** Seed for all random choices. */
  seed: number;
  /** Series of which the run is a member. Absent for a single run. */
  series: Series | null;
  /** The settings in force. */
  settings: Settings;
  /** Start of the run, milliseconds since the Unix epoch. */
  started_ms: number;
  /** Status of the run. */
  status: RunStatus;
  /** Variants, in the order given. */
  variants: Variant[];
}

/** The status of a run. */
export type RunStatus = "running" | "complete" | "failed" | "partial";

/** A side with the same code as the base. */
export interface SameCode {
  /** Reason why the code counts as the same, as a clause that follows the names of both sides. */
  how: string;
  /** Index of the side. */
  side: number;
}

/** The results of a run along one parameter. */
export interface Scaling {
  /** Names of the parameters that distinguish the curves. */
  by: string[];
  /** Confidence level of intervals. For steps, it applies to all of them together. */
  confidence: number;
  /** Curves: one per benchmark, variant and combination of values of `by`. */
  curves: Curve[];
  /** Version of this format. */
  format: number;
  /** Names of cases without a curve, each with the reason. */
  left_out: [string, string][];
  /** Base of the parameter's logarithmic axis. Absent for a linear axis. */
  log: number | null;
  /** Largest change that does not matter, as a share. */
  margin: number;
  /** True if more of the quantity is better. */
  more_is_better: boolean;
  /** Name of the parameter. */
  over: string;
  /** The quantity: `time`, or the name of a metric. */
  quantity: string;
  /** Id of the run. */
  run: string;
  /** Unit of the quantity: `ns` per operation, or that of the metric. */
  unit: string;
}

/** The position of a run in a series made by `--repeat`. */
export interface Series {
  /** Id of the first run, which identifies the series. */
  id: string;
  /** Number of the run in the series, from 0. */
  number: number;
  /** Requested number of runs. There are fewer if the user stopped the series. */
  of: number;
}

/** All settings of a run that affect the measurement, resolved. */
export interface Settings {
  /** True if all processes are visits of one process that was already running (`derny dev attach`). */
  attached: boolean;
  /** Target time of a batch, in ns. By default, calibration derives it from the step of the clock. */
  batch_ns: number | null;
  /** Wall time per case, in ns. */
  budget_ns: number;
  /** Time limit of each build command, in ns. */
  build_timeout_ns: number;
  /** Number of builds of every variant, each with another layout. Below 2, layout is not sampled. */
  builds: number;
  /** Confidence level of intervals, from 0 to 1. */
  confidence: number;
  /** True to compare the first variant with itself in the same blocks. */
  control: boolean;
  /** Measured time per process in ns, instead of a number of rounds. */
  duration_ns: number | null;
  /** Gate that decides the exit status of the run. Absent without a gate. */
  gate: GateTerms | null;
  /** Rule for forced collections: `auto`, `never`, `process` or `round`. With `never`, heaps are not settled either. */
  gc: string;
  /** Assignment of cases to processes. By default, the plan chooses it. */
  isolation: Isolation | null;
  /** True to increase the number of iterations from turn to turn, for a regression. */
  ladder: boolean;
  /** Margin of changes between variants, as a share (0.01 is 1 %). Smaller changes do not matter. */
  margin: number;
  /** True to require a verdict on mean time in every case. Otherwise typical time decides, and mean time only if a measurement requires it. Earlier versions always decided both. */
  mean: boolean;
  /** Margin of changes of mean time. By default [`Settings::margin`] or 2 %, whichever is larger. */
  mean_margin: number | null;
  /** Memory limit of a harness, in bytes. */
  memory_bytes: number | null;
  /** Metrics to display. If empty, all metrics are displayed. */
  metrics: string[];
  /** Names of other modes to measure in. By default, each other mode of a harness is measured briefly. */
  modes: string[] | null;
  /** Template that extracts parameters from the names of benchmarks, such as `Hash {file} by {chunk}`. */
  name_template?: string | null;
  /** True to run and check each case once, without statistics. */
  once: boolean;
  /** Processors to use in turn. If empty, threads are not pinned. */
  pin: number[];
  /** True to continue until the precision is reached, even after every variant has a verdict or, without variants, after the budget is used up. */
  precise: boolean;
  /** Half-width of the interval as a share of the estimate (0.01 is 1 %). The measurement stops when it is reached. */
  precision: number;
  /** True if the user requested the precision. Otherwise, the engine also weighs the cost of more precision. */
  precision_asked: boolean;
  /** Maximum number of processes (blocks, for several variants) per case. */
  processes: number;
  /** Command to put before the launch line, such as a profiler. */
  profiler: string[];
  /** True to use a shorter plan (`--quick`). */
  quick: boolean;
  /** Events that cause a turn to be measured again: `gc`, `compile`, `classload`, `preempted`. */
  reject: string[];
  /** Number of measured rounds per process. By default, the plan chooses it. */
  rounds: number | null;
  /** Time limit for each answer of a harness, in ns. */
  timeout_ns: number;
  /** Time limit of the entire run, in ns. */
  total_ns: number | null;
  /** Time of one turn in ns (about 2 ms). */
  turn_ns: number;
  /** Time limit of the warm-up per visit, in ns. 0 means no warm-up. By default, the plan chooses it. */
  warmup_ns: number | null;
  /** Maximum number of processes alive together. */
  wave: number;
  /** True if the processes of a case are alive together and compared as two samples. Earlier versions compared pairs. */
  waves: boolean;
  /** True to test if programs cheat the measurement. The number of iterations then varies more from turn to turn. */
  witness?: boolean;
}

/** A longer time limit for a run, and the number of unclear cases that it would probably decide. */
export interface Settle {
  /** Number of unclear cases that this time would probably decide. */
  cases: number;
  /** Id of the run to resume. */
  run: string;
  /** Time limit for the resumed run, in ns. */
  total_ns: number;
}

/** A side of a comparison, which is a variant of a run. */
export interface Side {
  /** Name of the benchmark that this side measures, if it may differ from the case's name. */
  benchmark?: string | null;
  /** Commit of the sources. */
  commit: Commit | null;
  /** True for a control, which is the base measured against itself (`--control`). A difference reported for it is a false alarm. */
  control: boolean;
  /** Name to display, unique in the comparison: that of the variant, the baseline or the run. */
  name: string;
  /** Id of the run. */
  run: string;
  /** Runtimes, as in the run's header. */
  runtimes: string[];
  /** Start of the run, milliseconds since the Unix epoch. */
  started_ms: number;
  /** True if the machine is unknown, because the run was imported from a file without that information. */
  unnamed_machine: boolean;
  /** Name of the variant in that run. */
  variant: string;
}

/** Numbers of processes of a case by the development of their times, according to change points. */
export interface SteadyState {
  /** Classification of the case: `flat`, `warm-up`, `slowdown`, `no steady state` or `inconsistent`. */
  class: string;
  /** Number of processes whose times did not change. */
  flat: number;
  /** Number of processes that became slower and stayed so. */
  slowdown: number;
  /** Number of processes that reached no steady state. */
  unsteady: number;
  /** Number of processes that became faster and stayed so. */
  warm_up: number;
}

/** The step from one point of a curve to the next. */
export interface Step {
  /** Logarithm of the ratio, divided by the logarithm of the parameter's ratio. Absent if the parameter is not positive. */
  exponent: Estimate | null;
  /** Value of this point divided by that of the previous one. */
  ratio: Estimate;
  /** Verdict on the change of the quantity. */
  verdict: Verdict;
}

/** The reason why the measurement of a case ended. */
export type StopReason = "precise" | "verdict" | "budget" | "precision-predicted" | "maximum" | "once" | "skipped" | "failed" | "interrupted";

/** The results of a suite. */
export interface SuiteResult {
  /** Results of its cases, in catalogue order. */
  cases: CaseResult[];
  /** Name of the suite. */
  suite: string;
}

/** A failed test of the witness. Times are in ns per operation, unless stated otherwise. */
export interface Suspicion {
  /** Time that the program claims. `count`: with the usual number of iterations. `calls`: in the quick calls. */
  claimed: number;
  /** The observation with its figures, as a clause whose subject is the case. */
  message: string;
  /** Time that the engine observed. `clock`: without the untimed work of the base. `count`: with fewer iterations. `calls`: in the slow calls. */
  observed: number;
  /** The failed test. */
  test: WitnessTest;
  /** Number of turns that failed the test. For `calls`, number of calls. */
  turns: number;
}

/** The parts of a run's wall time, which add up to it. If several processes work at the same time, that time counts once, for the part that comes first in this list. The engine's own time between two steps of the same part counts for that part. */
export interface TimeParts {
  /** Time to store and analyse the measurements, in ns. Absent for a run loaded from the store. */
  analysis_ns?: number | null;
  /** Time of builds, in ns. 0 for runs of earlier versions, which did not record it. */
  build_ns: number;
  /** Time of turns of the empty body, in ns. */
  empty_ns: number;
  /** Time to close the last case of a process and to end the process, in ns. Runs of earlier versions lack it. */
  end_ns: number;
  /** Time of measured rounds outside their batches, in ns: leads, untimed work of bodies, exchanges with harnesses, engine time. */
  exchange_ns: number;
  /** Time of launches in ns, each from the start of a process until a case is open in it. */
  launch_ns: number;
  /** Time to find files and to list their cases, in ns. 0 for runs of earlier versions, which did not record it. */
  listing_ns: number;
  /** Time between the steps, including waiting, in ns. */
  other_ns: number;
  /** Time of forced collections and of settling heaps, in ns. */
  settling_ns: number;
  /** Total time of the batches of measured turns, in ns. */
  timed_ns: number;
  /** Time of first calls, calibration and warm-up, in ns. */
  warm_up_ns: number;
  /** Time of reading yardsticks, in ns. Runs of earlier versions lack it. */
  yardsticks_ns: number;
}

/** Summary of the times of a case, in ns per operation unless stated otherwise. Further statistics of time are figures. */
export interface TimeSummary {
  /** First calls in fresh processes. */
  cold: ColdSummary | null;
  /** Cost of an empty body. */
  floor: Floor | null;
  /** Distribution of the values of batches. */
  histogram: Histogram | null;
  /** Mean time: total time divided by all operations of the measured turns, including collections. */
  mean: Estimate;
  /** Median of the values of all batches. */
  median: number;
  /** Number of outliers among the values of turns. */
  outliers: TukeyCounts;
  /** Results of all complete processes, in the order of their numbers. */
  processes: ProcessValue[];
  /** Numbers of processes by the development of their times. */
  steady: SteadyState;
  /** Typical time: the Hodges–Lehmann estimate of the processes' typical times, computed on logarithms. With fewer than six processes, their median. */
  typical: Estimate;
  /** True if no process was warm, in a case with a `runner`. All times are then those of first calls, and there is no steady time. */
  unwarmed?: boolean;
}

/** The part of a program that measures the times of a case. */
export type Timing = "loop" | "self-timed";

/** Numbers of outliers among the turn values of a case, by Tukey's rule. */
export interface TukeyCounts {
  /** Number of values more than 1.5, but at most 3 interquartile ranges above the third quartile. */
  high_mild: number;
  /** Number of values more than 3 interquartile ranges above the third quartile. */
  high_severe: number;
  /** Number of values more than 1.5, but at most 3 interquartile ranges below the first quartile. */
  low_mild: number;
  /** Number of values more than 3 interquartile ranges below the first quartile. */
  low_severe: number;
}

/** A case that was requested of at least two sides, at least one of which has no complete process for it. */
export interface Unmeasured {
  /** The reason as a clause: `the time ran out before it was measured`. */
  because: string;
  /** The case as declared. */
  case: Case;
  /** Outcome: `failed`, `skipped` or `not-measured`. */
  outcome: CaseOutcome;
  /** Reason: `budget`, `interrupted`, `skipped`, or `not-measured` if no other is known. */
  reason: Reason;
  /** Indices of the sides that did not measure it. */
  sides: number[];
}

/** A test of the witness that was not possible. */
export interface Untested {
  /** Reason, as a clause. */
  because: string;
  /** The test. */
  test: WitnessTest;
}

/** One of several ways to launch the same cases. */
export interface Variant {
  /** The stored run that this variant measures again, if it is a baseline. */
  again?: Again | null;
  /** Additional arguments for the runtime, or for the program if there is no runtime. */
  args: string[];
  /** Another benchmark of the case's suite, measured with the same parameters instead of the case's own. */
  benchmark: string | null;
  /** Additional arguments for the build. */
  build_args?: string[];
  /** Folders of the builds. `ProcessStart::build` is an index into this list. It has one entry if builds are not sampled, and none if no build has a separate folder. */
  builds: string[];
  /** Words that replace `{runtime}` in the launch line, or the entire line if it does not contain `{runtime}`. */
  command: string[] | null;
  /** True for a control, which is the first variant again. Its true change is zero. */
  control: boolean;
  /** Directory to launch in, if it differs from the project's root, such as the worktree of a revision. */
  directory: string | null;
  /** Additional environment variables. */
  env: [string, string][];
  /** Name of the variant, unique in the run. The only variant of a plain run has the name `base`. */
  name: string;
  /** Packages that its processes load, if they report them. The packages under benchmark come first, and the interpreter last. */
  packages?: Package[];
  /** Git revision to build from. */
  revision: string | null;
}

/** The result of one variant of a case. */
export interface VariantResult {
  /** Number of measured batches. */
  batches: number;
  /** All figures to display: the statistics of time, then the metrics. */
  figures: Figure[];
  /** Summaries of all other metrics, declared or observed. */
  metrics: MetricSummary[];
  /** Number of complete processes. */
  processes: number;
  /** Causes of rejection, each with its number of turns. */
  rejected: [string, number][];
  /** Tests of the witness that this variant failed: it may cheat the measurement. Always empty without the setting `witness`. */
  suspicions?: Suspicion[];
  /** Texts that the benchmark reported in its last visit, as pairs of name and text. */
  texts?: [string, string][];
  /** Times. Absent if the body was not timed. */
  time: TimeSummary | null;
  /** Number of measured turns. */
  turns: number;
  /** Tests of the witness that were not possible for this variant, with the setting `witness`. */
  untested?: Untested[];
  /** Name of the variant. */
  variant: string;
}

/** The conclusion about a change, from its interval and the margin. */
export type Verdict = "better" | "worse" | "same" | "better-within-margin" | "worse-within-margin" | "unclear";

/** A reason to doubt a result. `derny dev explain` describes its code. */
export interface Warning {
  /** Index into the document's cases. Absent if the warning concerns the entire run. */
  case: number | null;
  /** Subject of the warning. */
  class: WarningClass;
  /** Code, such as `DY204`. */
  code: string;
  /** True if the warning can change a decision. It is then displayed under the table. Other warnings appear only in the details. */
  decides: boolean;
  /** Effect of the questionable turns on the result, as a clause: `without these turns, its typical time is 3.1 % lower`. Empty if the warning is not about turns. */
  effect: string;
  /** True if the warning marks the row of its case: it can change the decision there, and most other rows do not have it. */
  marks: boolean;
  /** The problem with its figures, in one sentence. */
  message: string;
  /** Suggested remedy. */
  remedy: string;
  /** Severity relative to other warnings with the same code, without a unit. */
  severity: number;
}

/** The subject of a warning, which decides where it is displayed. */
export type WarningClass = "meaning" | "turns" | "design";

/** A test of the witness. */
export type WitnessTest = "clock" | "count" | "calls";

/** The amount of work in a run. */
export interface WorkCounts {
  /** Number of harness replies: to turns of every kind, and to opening and closing cases. */
  exchanges: number;
  /** Number of measured turns, including rejected turns and those measured only for mean time. */
  measured_turns: number;
  /** Number of processes that answered. */
  processes: number;
  /** Number of measured rounds. Each is one turn of every variant. */
  rounds: number;
  /** Number of times that a case was opened in a process. */
  visits: number;
  /** Number of turns for first calls, calibration and warm-up. */
  warm_up_turns: number;
  /** Number of waves, which are groups of processes alive together. */
  waves: number;
}

/** A yardstick: a built-in kernel that is timed in every run, to distinguish a change of the machine from a change of the code. */
export interface Yardstick {
  /** Standard error of that time, in ns. */
  error_ns: number;
  /** Name of the yardstick, after the resource that it uses: `integer`, `branches`, `cache`, `memory` or `system-call`. */
  name: string;
  /** Time per step in ns. */
  time_ns: number;
}

/** The change of a yardstick (a built-in kernel) between the run of the base and that of a side. */
export interface YardstickChange {
  /** Time per step in the side's run divided by that in the base's, minus 1. */
  change: number;
  /** Standard error of the change. */
  error: number;
  /** True if the change exceeds both 1 % and three standard errors, so that the machine has changed. */
  moved: boolean;
  /** Name of the yardstick: `integer`, `branches`, `cache`, `memory` or `system-call`. */
  name: string;
}
