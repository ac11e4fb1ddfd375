//! The options for curves, and what distinguishes one curve from another.

/// A request for curves.
#[derive(Debug, Clone)]
pub struct Over<'a> {
    /// Parameter of the x axis.
    pub over: &'a str,
    /// Parameters that split the results into curves.
    pub by: &'a [String],
    /// Metric to plot. If `None`, plots time.
    pub metric: Option<&'a str>,
    /// Base of the logarithmic x axis.
    pub log: Option<u32>,
    /// Largest change that does not matter, as a share.
    pub margin: f64,
    /// Confidence level of the intervals.
    pub confidence: f64,
}

pub(super) type Params = Vec<(String, String)>;

/// Key of a curve: suite, benchmark, values of `by`, and variant.
pub(super) type Key = (String, String, Params, String);
