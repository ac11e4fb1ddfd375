//! The sides and options of a comparison.

use derny_model::{Document, Records};

/// A side of a comparison.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    /// Name to show, unique among the sides.
    pub name: String,
    /// Results of the run.
    pub document: &'a Document,
    /// Records of the run. `None` if there is only a document, which contains process values but no rounds.
    pub records: Option<&'a Records>,
    /// Index into the run's variants.
    pub variant: u32,
}

/// Options of a comparison.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// Margin δ as a share: 0.01 is 1 %.
    pub margin: f64,
    /// Margin of mean time. If `None`, uses that of the run, or derives one from `margin`.
    pub mean_margin: Option<f64>,
    /// Overall confidence level of the intervals, from 0 to 1.
    pub confidence: f64,
    /// Quantities to compare: `time` for both times, or names of metrics. If empty, compares all.
    pub metrics: &'a [String],
    /// True for any number of looks without a planned end (`--watch`). The intervals then form a confidence
    /// sequence.
    pub anytime: bool,
    /// Runs of the same code on one machine, in groups. They show how much repeated runs differ.
    pub history: &'a [Vec<&'a Document>],
}

impl Default for Options<'_> {
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
