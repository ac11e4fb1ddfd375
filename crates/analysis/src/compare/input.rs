//! The sides and the options of a comparison.

use derny_model::{Document, Records};

/// A side of a comparison.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    /// Name to show, unique among the sides.
    pub name: String,
    /// Results of the run.
    pub document: &'a Document,
    /// Records of the run. `None` if only the document is available, which contains process values but no
    /// rounds.
    pub records: Option<&'a Records>,
    /// Index into the run's variants.
    pub variant: u32,
}

/// Options of a comparison.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// Margin δ as a share: 0.01 is 1 %.
    pub margin: f64,
    /// Margin of mean time. `None` means the margin of the run, or one derived from `margin`.
    pub mean_margin: Option<f64>,
    /// Confidence level of the intervals over all looks together, from 0 to 1.
    pub confidence: f64,
    /// Quantities to compare: `time` for both times, or the name of a metric. If empty, all are compared.
    pub metrics: &'a [String],
    /// True if any number of looks may be taken, without a planned end (`--watch`). The intervals then form a
    /// confidence sequence instead of following a plan of looks.
    pub anytime: bool,
    /// Groups of runs of the same code on one machine. They show how much runs differ.
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
