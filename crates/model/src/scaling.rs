//! How results go with one parameter: curves of points, steps between them, fitted growth. Plain numbers, no formatting.

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
    /// Parameters that curves are told apart by.
    pub by: Vec<String>,
    /// What is shown: `time`, or a metric.
    pub quantity: String,
    /// Its unit: `ns` per operation, or the metric's.
    pub unit: String,
    /// More of it is better.
    pub more_is_better: bool,
    /// Base of the logarithm by which the parameter's axis is divided, if it is.
    pub log: Option<u32>,
    /// Confidence of intervals; that of steps holds for all of them together.
    pub confidence: f64,
    /// Changes within this share are of no consequence.
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
    /// Values of the parameters that curves are told apart by.
    pub by: Vec<(String, String)>,
    /// The variant; empty where there is only one.
    pub variant: String,
    /// Parameters that the points are geometric means over, with their values.
    pub aggregated: Vec<(String, Vec<String>)>,
    /// The points.
    pub points: Vec<Point>,
    /// What the points follow; none for fewer than four.
    pub growth: Option<Growth>,
    /// Slope of the logarithms over all points (Theil and Sen); none for fewer than three.
    pub exponent: Option<Estimate>,
}

/// One value of the parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    /// The parameter as a number.
    pub x: f64,
    /// The parameter as it is written.
    pub text: String,
    /// The quantity.
    pub estimate: Estimate,
    /// Operations per second, of times.
    pub per_second: Option<f64>,
    /// Bytes per second, where declared.
    pub bytes_per_second: Option<f64>,
    /// Cases in it.
    pub cases: u32,
    /// Processes of all of them.
    pub processes: u32,
    /// From the point before to this one.
    pub step: Option<Step>,
    /// What the fit says of it, in the quantity's unit.
    pub fitted: Option<f64>,
    /// It lies off the fit by more than the other points' scatter allows.
    pub off: bool,
}

/// From one point to the next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    /// This point over the one before.
    pub ratio: Estimate,
    /// Its logarithm over that of the parameter's ratio; none where the parameter is not above 0.
    pub exponent: Option<Estimate>,
    /// Whether the quantity got better or worse.
    pub verdict: Verdict,
}

/// A law that the points follow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Growth {
    /// `1`, `log n`, `n`, `n log n`, `n²`, `n³`, `n^k`.
    pub law: String,
    /// `constant + factor × law(n)`; logarithms are natural.
    pub constant: f64,
    /// See `constant`.
    pub factor: f64,
    /// k of `n^k`, with its interval.
    pub exponent: Option<Estimate>,
    /// Mean error of points that were left out of the fit and foretold by it, as a share.
    pub error: f64,
    /// Other laws that these points cannot be told apart from.
    pub also: Vec<String>,
}
