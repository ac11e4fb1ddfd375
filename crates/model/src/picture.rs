//! Pictures: the data of charts. Analysis makes them and the report draws them; numbers and names, no pixels
//! or colours.

use crate::Estimate;

/// One chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The title: what the chart shows, in a few words.
    pub title: String,
    /// Facts for below the title: the run, and the averaged data.
    pub facts: Vec<String>,
    /// The quantity: `time per operation`.
    pub quantity: String,
    /// Its unit: `ns`, `bytes`, `share` (0.01 is 1 %), `/s`, or one that a harness declared.
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
    /// A panel per case: the distribution of its values.
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
    /// Marks by series; absent if not measured.
    pub marks: Vec<Option<T>>,
}

/// One case of a chart with panels.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel<T> {
    /// The case.
    pub name: String,
    /// The content of the panel.
    pub content: T,
}

/// A five-number summary and the values behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// Smallest value within 1.5 interquartile ranges of the box.
    pub low: f64,
    /// First quartile.
    pub q1: f64,
    /// Median.
    pub median: f64,
    /// Third quartile.
    pub q3: f64,
    /// Largest value within 1.5 interquartile ranges of the box.
    pub high: f64,
    /// A value per process, in the order of processes.
    pub values: Vec<f64>,
}

/// Values along a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Scatter {
    /// The parameter.
    pub over: String,
    /// Its values as written, in order.
    pub ticks: Vec<String>,
    /// Its values as numbers, if all are numeric; otherwise they are categories.
    pub numbers: Option<Vec<f64>>,
    /// Draw a numeric parameter on a logarithmic axis.
    pub log: bool,
    /// A point per case and variant.
    pub points: Vec<ScatterPoint>,
    /// By series: the geometric mean of its points at each tick that has some.
    pub lines: Vec<Vec<(usize, f64)>>,
}

/// One case at its position along the parameter.
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
    /// The process values.
    pub processes: Vec<f64>,
    /// Number of values above the last point.
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
    /// Start of the turn since the run's start.
    pub at_ns: u64,
    /// Its value in ns per operation.
    pub value: f64,
    /// Its fastest and slowest batch in ns per operation.
    pub range: (f64, f64),
    /// Its phase.
    pub phase: crate::Phase,
    /// What happened during the turn: bits of [`TurnPoint::CAUSES`], the first being 1.
    pub causes: u8,
}

impl TurnPoint {
    /// What can happen during a turn: a word, and the counter that reports it.
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
    /// The commit's short hash, with `+` for uncommitted changes; empty if unknown.
    pub commit: String,
    /// Its result.
    pub estimate: Estimate,
    /// A shift of the level here, as a share of the level before.
    pub moved: Option<f64>,
}
