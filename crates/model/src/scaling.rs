//! The dependence of results on a parameter: curves of points, steps between them, and fitted growth. The
//! types contain plain numbers, without formatting.

use crate::{Estimate, RunId, Verdict};
use serde::{Deserialize, Serialize};

/// The results of a run along one parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scaling {
    /// Version of this format.
    pub format: u32,
    /// Id of the run.
    pub run: RunId,
    /// Name of the parameter.
    pub over: String,
    /// Names of the parameters that distinguish the curves.
    pub by: Vec<String>,
    /// The quantity: `time`, or the name of a metric.
    pub quantity: String,
    /// Unit of the quantity: `ns` per operation, or that of the metric.
    pub unit: String,
    /// True if more of the quantity is better.
    pub more_is_better: bool,
    /// Base of the parameter's logarithmic axis. Absent for a linear axis.
    pub log: Option<u32>,
    /// Confidence level of intervals. For steps, it applies to all of them together.
    pub confidence: f64,
    /// Largest change that does not matter, as a share.
    pub margin: f64,
    /// Curves: one per benchmark, variant and combination of values of `by`.
    pub curves: Vec<Curve>,
    /// Names of cases without a curve, each with the reason.
    pub left_out: Vec<(String, String)>,
}

impl Scaling {
    /// Version of the JSON form.
    pub const FORMAT: u32 = 2;
}

/// The points of a benchmark, in ascending order of the parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Curve {
    /// Name of the suite.
    pub suite: String,
    /// Name of the benchmark.
    pub benchmark: String,
    /// Values of the parameters that distinguish the curves.
    pub by: Vec<(String, String)>,
    /// Name of the variant. Empty if there is only one.
    pub variant: String,
    /// Names and values of the parameters over which the points are geometric means.
    pub aggregated: Vec<(String, Vec<String>)>,
    /// The points.
    pub points: Vec<Point>,
    /// Fitted growth. Absent if there are fewer than four points.
    pub growth: Option<Growth>,
    /// Slope of all points on logarithmic axes, by the method of Theil and Sen. Absent if there are fewer
    /// than three points.
    pub exponent: Option<Estimate>,
}

/// The results for one value of the parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    /// Value of the parameter as a number.
    pub x: f64,
    /// Value of the parameter as written.
    pub text: String,
    /// Value of the quantity.
    pub estimate: Estimate,
    /// Operations per second, if the quantity is time.
    pub per_second: Option<f64>,
    /// Bytes per second, if the number of bytes is declared.
    pub bytes_per_second: Option<f64>,
    /// Number of cases that the point averages.
    pub cases: u32,
    /// Number of processes of all these cases.
    pub processes: u32,
    /// Step from the previous point.
    pub step: Option<Step>,
    /// Value that the fit predicts, in the unit of the quantity.
    pub fitted: Option<f64>,
    /// True if the point deviates from the fit by more than the scatter of the other points allows.
    pub off: bool,
}

/// The step from one point of a curve to the next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    /// Value of this point divided by that of the previous one.
    pub ratio: Estimate,
    /// Logarithm of the ratio, divided by the logarithm of the parameter's ratio. Absent if the parameter is
    /// not positive.
    pub exponent: Option<Estimate>,
    /// Verdict on the change of the quantity.
    pub verdict: Verdict,
}

/// A growth law fitted to the points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Growth {
    /// Form of the law: `1`, `log n`, `n`, `n log n`, `n²`, `n³` or `n^k`.
    pub law: String,
    /// The constant in `constant + factor × law(n)`. Logarithms are natural.
    pub constant: f64,
    /// The factor in `constant + factor × law(n)`.
    pub factor: f64,
    /// Exponent k of `n^k`, with its interval.
    pub exponent: Option<Estimate>,
    /// Mean relative error of predictions for points excluded from the fit, as a share.
    pub error: f64,
    /// Other laws that fit the points equally well.
    pub also: Vec<String>,
}
