//! Pictures: what charts draw. Made by analysis, drawn by the report; numbers and names, no pixels and no colours.

use crate::Estimate;

/// One chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// What it shows, in a few words.
    pub title: String,
    /// Facts that belong under the title: the run, what was put together.
    pub facts: Vec<String>,
    /// What the values are: `time per operation`.
    pub quantity: String,
    /// Their unit: `ns`, `bytes`, `share` (0.01 is 1 %), `/s`, or one that a harness declared.
    pub unit: String,
    /// Names of the colours: variants, or values of a parameter.
    pub series: Vec<String>,
    /// Draw values on a logarithmic axis.
    pub log: bool,
    /// The marks.
    pub shape: Shape,
}

/// The marks of a chart.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A row per case, a box per series.
    Boxes(Vec<PictureRow<Spread>>),
    /// A row per case, an estimate per series.
    Intervals(Vec<PictureRow<Estimate>>),
    /// Values along a parameter.
    Scatter(Scatter),
    /// A panel per case: how values are distributed.
    Densities(Vec<Panel<Vec<Curve>>>),
    /// A panel per case: turns in time order.
    Traces(Vec<Panel<Vec<ProcessTrace>>>),
    /// A panel per case: run after run.
    Histories(Vec<Panel<Vec<HistoryPoint>>>),
}

/// One case of a chart with rows.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureRow<T> {
    /// The case.
    pub name: String,
    /// By series; none where it was not measured.
    pub marks: Vec<Option<T>>,
}

/// One case of a chart with panels.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel<T> {
    /// The case.
    pub name: String,
    /// What is drawn in it.
    pub content: T,
}

/// Five figures and the values that they come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// Least value within one and a half interquartile ranges of the box.
    pub low: f64,
    /// First quartile.
    pub q1: f64,
    /// Median.
    pub median: f64,
    /// Third quartile.
    pub q3: f64,
    /// Greatest value within one and a half interquartile ranges of the box.
    pub high: f64,
    /// A value per process, in the order of processes.
    pub values: Vec<f64>,
}

/// Values along a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Scatter {
    /// The parameter.
    pub over: String,
    /// Its values as they are written, in order.
    pub ticks: Vec<String>,
    /// The same as numbers, where all of them are; else they are categories.
    pub numbers: Option<Vec<f64>>,
    /// Draw a numeric parameter on a logarithmic axis.
    pub log: bool,
    /// A point per case and variant.
    pub points: Vec<ScatterPoint>,
    /// By series: the geometric mean of its points at each tick where it has some.
    pub lines: Vec<Vec<(usize, f64)>>,
}

/// One case at its place along the parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct ScatterPoint {
    /// Index into the ticks.
    pub tick: usize,
    /// Index into the series.
    pub series: usize,
    /// The value.
    pub estimate: Estimate,
    /// The case.
    pub name: String,
}

/// A smoothed distribution.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Index into the series.
    pub series: usize,
    /// Value and density, by increasing value.
    pub points: Vec<(f64, f64)>,
    /// What processes came to.
    pub processes: Vec<f64>,
    /// Values beyond the last point.
    pub above: u32,
}

/// The turns of one process for one case.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessTrace {
    /// Number within the run.
    pub process: u32,
    /// Its block: processes of one block were alternated.
    pub block: u32,
    /// Index into the run's variants.
    pub variant: u32,
    /// Warm-up, measured and rejected turns in time order.
    pub turns: Vec<TurnPoint>,
}

/// One turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TurnPoint {
    /// Start since the run's start.
    pub at_ns: u64,
    /// Its value in ns per operation.
    pub value: f64,
    /// Its quickest and slowest batch in ns per operation.
    pub range: (f64, f64),
    /// What it was for.
    pub phase: crate::Phase,
    /// What happened in it: bits of [`TurnPoint::CAUSES`], the first being 1.
    pub causes: u8,
}

impl TurnPoint {
    /// What can happen in a turn: a word, and the counter that tells of it.
    pub const CAUSES: [(&'static str, &'static str); 4] =
        [("collected", "gc"), ("compiled", "compiled"), ("loaded", "classes"), ("preempted", "preempted")];
}

/// One run of one case.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryPoint {
    /// Index into the series.
    pub series: usize,
    /// The run.
    pub run: String,
    /// Its start, milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// The commit's short hash, with `+` where there were uncommitted changes; else empty.
    pub commit: String,
    /// What it came to.
    pub estimate: Estimate,
    /// The level moved here: by this share against the level before.
    pub moved: Option<f64>,
}
