//! The sides of a comparison, and its options.

use derny_model::{Document, Records};

/// One side of a comparison.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    /// Display name, unique among the sides.
    pub name: String,
    /// Results of the run.
    pub document: &'a Document,
    /// Records of the run. `None` if only the document is available, which has process values but no rounds.
    pub records: Option<&'a Records>,
    /// Index into the run's variants.
    pub variant: u32,
}

/// Options of a comparison.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// Margin δ as a share: 0.01 is 1 %.
    pub margin: f64,
    /// Margin of mean time; `None` uses the run's, or else derives it from `margin`.
    pub mean_margin: Option<f64>,
    /// Confidence of the intervals over all looks together, 0 to 1.
    pub confidence: f64,
    /// Quantities to compare (`time` for both times, or a metric's name); empty for all.
    pub metrics: &'a [String],
    /// True if the pairs are examined at arbitrary times and without an end (`--watch`). Intervals then form
    /// a confidence sequence instead of following a plan of looks.
    pub anytime: bool,
    /// Groups of runs of the same code on one machine, to learn how much runs differ.
    pub history: &'a [Vec<&'a Document>],
}

impl Default for Options<'_> {
    /// Returns the documented defaults: a margin of 1 %, 95 % confidence, all quantities, no history.
    fn default() -> Self {
        let (margin, confidence) = (0.01, 0.95);
        Options { margin, mean_margin: None, confidence, metrics: &[], anytime: false, history: &[] }
    }
}

pub(super) fn variant_name<'a>(input: &'a Input) -> &'a str {
    let variants = &input.document.run.variants;
    variants.get(input.variant as usize).map_or("", |variant| variant.name.as_str())
}

pub(super) fn apart(inputs: &[Input]) -> u64 {
    let starts = || inputs.iter().map(|input| input.document.run.started_ms);
    let (first, last) = (starts().min().unwrap_or(0), starts().max().unwrap_or(0));
    last.abs_diff(first)
}
