//! Scaling of results with one parameter: curves of points, steps between them, fitted growth. Plain numbers,
//! no formatting.

use crate::{Estimate, RunId, Verdict};
use serde::{Deserialize, Serialize};

/// Results of a run along one parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scaling {
    /// Version of this format.
    pub format: u32,
    /// The run.
    pub run: RunId,
    /// The parameter.
    pub over: String,
    /// Parameters that distinguish the curves.
    pub by: Vec<String>,
    /// The quantity: `time`, or a metric.
    pub quantity: String,
    /// Its unit: `ns` per operation, or the metric's.
    pub unit: String,
    /// More of it is better.
    pub more_is_better: bool,
    /// Base of the logarithmic axis of the parameter, if it is logarithmic.
    pub log: Option<u32>,
    /// Confidence of intervals; for steps it holds for all of them together.
    pub confidence: f64,
    /// Changes within this share do not matter.
    pub margin: f64,
    /// One per benchmark, variant and combination of `by`.
    pub curves: Vec<Curve>,
    /// Cases that are on no curve, with the reason.
    pub left_out: Vec<(String, String)>,
}

impl Scaling {
    /// Version of the JSON form.
    pub const FORMAT: u32 = 2;
}

/// Points of one benchmark, by increasing parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Curve {
    /// The suite.
    pub suite: String,
    /// The benchmark.
    pub benchmark: String,
    /// Values of the parameters that distinguish the curves.
    pub by: Vec<(String, String)>,
    /// The variant; empty if there is only one.
    pub variant: String,
    /// Parameters that the points are geometric means over, with their values.
    pub aggregated: Vec<(String, Vec<String>)>,
    /// The points.
    pub points: Vec<Point>,
    /// The fitted growth; absent for fewer than four points.
    pub growth: Option<Growth>,
    /// Slope of the logarithms over all points (Theil and Sen); absent for fewer than three.
    pub exponent: Option<Estimate>,
}

/// One value of the parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    /// The parameter as a number.
    pub x: f64,
    /// The parameter as written.
    pub text: String,
    /// The quantity.
    pub estimate: Estimate,
    /// Operations per second, for times.
    pub per_second: Option<f64>,
    /// Bytes per second, if declared.
    pub bytes_per_second: Option<f64>,
    /// Number of cases in it.
    pub cases: u32,
    /// Number of processes of all of them.
    pub processes: u32,
    /// The step from the previous point.
    pub step: Option<Step>,
    /// The fitted value, in the quantity's unit.
    pub fitted: Option<f64>,
    /// It deviates from the fit by more than the other points' scatter allows.
    pub off: bool,
}

/// The step from one point to the next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    /// This point divided by the previous one.
    pub ratio: Estimate,
    /// Logarithm of the ratio over that of the parameter's ratio; absent if the parameter is not positive.
    pub exponent: Option<Estimate>,
    /// Whether the quantity got better or worse.
    pub verdict: Verdict,
}

/// A growth law fitted to the points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Growth {
    /// `1`, `log n`, `n`, `n log n`, `n²`, `n³`, `n^k`.
    pub law: String,
    /// The constant in `constant + factor × law(n)`; logarithms are natural.
    pub constant: f64,
    /// See `constant`.
    pub factor: f64,
    /// k of `n^k`, with its interval.
    pub exponent: Option<Estimate>,
    /// Mean error of the prediction for points left out of the fit, as a share.
    pub error: f64,
    /// Other laws that fit these points as well.
    pub also: Vec<String>,
}
