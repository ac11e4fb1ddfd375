//! Pictures: the data of charts, which analysis creates and the report draws. They contain numbers and
//! names, but no pixels or colours.

use crate::{Estimate, History};

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Title: the content of the chart, in a few words.
    pub title: String,
    /// Facts to display below the title, such as the run, and what the marks show.
    pub facts: Vec<String>,
    /// Name of the quantity, such as `time per operation`.
    pub quantity: String,
    /// Unit: `ns`, `bytes`, `share` (0.01 is 1 %), `/s`, or a unit that a harness declared.
    pub unit: String,
    /// Names of the series (variants, or values of a parameter). Each has a colour.
    pub series: Vec<String>,
    /// True to draw values on a logarithmic axis.
    pub log: bool,
    /// The marks.
    pub shape: Shape,
}

/// The marks of a chart.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A row per case, with a box for each series.
    Boxes(Vec<PictureRow<Spread>>),
    /// A row per case, with an estimate for each series.
    Intervals(Vec<PictureRow<Estimate>>),
    /// Values along a parameter.
    Scatter(Scatter),
    /// A panel per case, with the distribution of its values.
    Densities(Vec<Panel<Vec<Curve>>>),
    /// A panel per case, with its turns in order of time.
    Traces(Vec<Panel<Vec<ProcessTrace>>>),
    /// A panel per case, with a history for each of its machines. The series are the machines.
    Histories(Vec<Panel<Vec<History>>>),
}

/// A case in a chart with rows.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureRow<T> {
    /// Name of the case.
    pub name: String,
    /// Marks of the series. `None` for a series that was not measured.
    pub marks: Vec<Option<T>>,
}

/// A case in a chart with panels.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel<T> {
    /// Name of the case.
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
    /// One value per process, in the order of the processes.
    pub values: Vec<f64>,
}

/// Values along a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Scatter {
    /// Name of the parameter.
    pub over: String,
    /// Values of the parameter as written, in order.
    pub ticks: Vec<String>,
    /// Values of the parameter as numbers. `None` if some are not numeric. All of them are then categories.
    pub numbers: Option<Vec<f64>>,
    /// True to draw a numeric parameter on a logarithmic axis.
    pub log: bool,
    /// A point per case and variant.
    pub points: Vec<ScatterPoint>,
    /// Geometric means of the points at each tick, by series. Ticks without points are omitted.
    pub lines: Vec<Vec<(usize, f64)>>,
}

/// A case at its position along the parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct ScatterPoint {
    /// Index into the ticks.
    pub tick: usize,
    /// Index into the series.
    pub series: usize,
    /// Value with its interval.
    pub estimate: Estimate,
    /// Name of the case.
    pub name: String,
}

/// A smoothed distribution.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Index into the series.
    pub series: usize,
    /// Pairs of a value and its density, in ascending order of values.
    pub points: Vec<(f64, f64)>,
    /// Values of the processes.
    pub processes: Vec<f64>,
    /// Number of values above the last point.
    pub above: u32,
}

/// The turns of one process for one case.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessTrace {
    /// Number of the process within the run.
    pub process: u32,
    /// Number of its block. Processes of the same block were alternated.
    pub block: u32,
    /// Index into the run's variants.
    pub variant: u32,
    /// Warm-up, measured and rejected turns in time order.
    pub turns: Vec<TurnPoint>,
}

/// One turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TurnPoint {
    /// Start of the turn, in ns since the start of the run.
    pub at_ns: u64,
    /// Value of the turn, in ns per operation.
    pub value: f64,
    /// Fastest and slowest batch of the turn, in ns per operation.
    pub range: (f64, f64),
    /// Purpose of the turn.
    pub phase: crate::Phase,
    /// Events during the turn, as bits in the order of [`TurnPoint::CAUSES`], the lowest first.
    pub causes: u8,
}

impl TurnPoint {
    /// Names of the events, each with the counter that shows the event.
    pub const CAUSES: [(&'static str, &'static str); 4] =
        [("collected", "gc"), ("compiled", "compiled"), ("loaded", "classes"), ("preempted", "preempted")];
}
