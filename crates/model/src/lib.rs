//! The vocabulary of Derny as types: cases, plans, measurements, and their results.
//!
//! 1. `case` is a benchmark with its parameters, as discovery finds it.
//! 2. `plan` lists the launches of a run, with their order and settings.
//! 3. `event` contains everything that the engine reports while it measures.
//! 4. `run`, `record` and `turns` are the records that the store returns.
//! 5. `document` and `comparison` are the results of analysis, and `picture` is the data of a chart.
//! 6. `words` and `shown` format figures in sentences and escape text from outside.
//!
//! This crate contains types and their invariants. It must not use clocks, files, processes, statistics
//! or formats, because every other crate imports it. It imports no other crate of Derny.
//!
//! Times are in nanoseconds, and names of fields with a duration contain the unit (`launch_ns`). All
//! types can be serialised with serde. `derny run --format ndjson` prints their JSON form, and the
//! store keeps it.

mod accounting;
mod bisection;
mod case;
mod check;
mod classic;
mod comparison;
mod criterion;
mod diagnosis;
mod document;
mod event;
mod failure;
mod feature;
mod figure;
mod fleet;
mod history;
mod judgement;
mod metric;
mod packed;
pub mod picture;
mod plan;
mod problem;
mod process;
mod process_result;
mod record;
mod result;
mod run;
mod scaling;
#[cfg(feature = "schema")]
mod schema;
pub mod secrets;
pub mod shown;
mod stability;
mod turn;
mod turns;
mod visit;
mod warning;
mod witness;
mod word;
pub mod words;

pub use accounting::{Accounting, TimeParts, WorkCounts};
pub use bisection::{
    BisectedCommit, Bisection, BisectionOutcome, BisectionProbe, BisectionRest, ProbeVerdict,
};
pub use case::{Case, CaseId, Timing, param_text};
pub use classic::{ClassicCase, ClassicSample, ClassicTest, Student, Welch};
pub use comparison::{
    Against, CaseOutcome, Change, ComparedCase, ComparedSide, Comparison, ContextDifference, Control,
    FleetMachine, GeometricMean, MachineChange, Observed, Pairing, Quantity, Reason, SameCode, Settle, Side,
    Unmeasured, Verdict, YardstickChange,
};
pub use criterion::{CriterionCase, CriterionRegression, CriterionRow};
pub use diagnosis::Diagnosed;
pub use document::{CaseResult, CaseState, Document, PlainChange, RankedCase, Ranking, SuiteResult};
pub use event::{Contention, Event, LearnedFact, Observation, Progress, Standing, StopReason, Yardstick};
pub use failure::{Failure, FailureCode};
pub use feature::Feature;
pub use figure::{Estimate, Figure, FirstCall, Interval, MetricSummary, ProcessValue};
pub use fleet::{Builds, FleetPlan, Identity, PlannedBlock, PlannedShard, SideBuilds};
pub use history::{
    ChangeState, History, HistoryChange, HistoryConditions, HistoryEntry, HistoryPlace, HistorySeries,
    HistoryValue,
};
pub use judgement::{
    Decision, Ground, JudgedCase, Judgement, Parity, Receipt, ReceiptSide, SessionState, Speedup,
};
pub use metric::{Direction, Kind, Metric};
pub use packed::{Pack, Packed, Unpacking};
pub use plan::{GateTerms, Isolation, LEAST_REPLICATES, LEAST_ROUNDS, Plan, PlannedLaunch, Settings};
pub use problem::{Problem, ProblemParts};
pub use process::{Collector, ProcessEnd, ProcessStart};
pub use process_result::ProcessResult;
pub use record::{Records, VisitRecord};
pub use result::{ColdSummary, Floor, Histogram, SteadyState, TimeSummary, TukeyCounts, VariantResult};
pub use run::{
    Again, AgainFrom, Built, Commit, FIRST_TOUCH_NS, Imported, Machine, Package, Part, Parts, Preparation,
    Program, RunHeader, RunId, RunStatus, Series, Variant,
};
pub use scaling::{Curve, Growth, Point, Scaling, Step};
pub use stability::StabilityRow;
pub use turn::{Phase, Reported, Turn, WARM_UP_PARTS};
pub use turns::{KeptTurns, TurnFacts, Turns};
pub use visit::{Look, LookReason, Visit, VisitReport};
pub use warning::{Warning, WarningClass};
pub use witness::{Outside, Suspicion, Untested, WitnessTest};
pub use word::Word;
