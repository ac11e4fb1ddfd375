//! Figures of whole commands, as hyperfine shows them: mean, standard deviation, range, processor time, and
//! number of runs.

use crate::style::visible;
use crate::table::{self, Line};
use crate::{Style, numbers};
use derny_model::{CaseResult, Document, VariantResult};

/// Returns a row per timed command, after a blank line. Empty if no command was timed.
pub fn commands(document: &Document, style: &Style) -> String {
    let several = document.run.variants.len() > 1;
    let rows = document.cases().flat_map(|case| case.variants.iter().map(move |variant| (case, variant)));
    let lines: Vec<Line> = rows.filter_map(|(case, variant)| line(case, variant, several, style)).collect();
    if lines.is_empty() {
        return String::new();
    }
    let heads = [style.pick("mean ± σ", "mean +- s"), "range", "user", "system", "runs"];
    format!("\n{}", table::render(&heads.map(str::to_owned), &lines, style))
}

fn line(case: &CaseResult, variant: &VariantResult, several: bool, style: &Style) -> Option<Line> {
    let time = |name: &str| Some(numbers::duration(variant.figure(name)?.value, style));
    let of_processor = |name: &str| {
        let own = variant.metric(name).or_else(|| variant.metric(&format!("stated {name}")));
        own.map(|figure| numbers::duration(figure.value, style)).unwrap_or_default()
    };
    let mean = variant.figure("batch_mean")?.value;
    let mean = match variant.figure("standard_deviation").filter(|_| variant.batches > 1) {
        Some(deviation) => numbers::deviating(mean, deviation.value, style),
        None => numbers::duration(mean, style),
    };
    let range = format!("{} {} {}", time("minimum")?, style.pick("…", ".."), time("maximum")?);
    let name = if several { &variant.variant } else { &case.case.id.benchmark };
    let params = case.case.id.params.iter().map(|(key, value)| format!(" {key}={value}"));
    Some(Line {
        label: style.prose(&visible(&(name.clone() + &params.collect::<String>()))),
        cells: vec![mean, range, of_processor("user"), of_processor("system"), variant.batches.to_string()],
        ..Line::default()
    })
}
