//! Charts with a row per case, and a box or an interval per variant.

use super::facts::{facts, named, variants, wide};
use super::quantity::Quantified;
use derny_model::picture::{Picture, PictureRow, Shape, Spread};
use derny_model::{CaseResult, Document, VariantResult};
use derny_stats::quantile;

/// Returns a chart of box plots over process values, as Node core's `compare.R` draws them.
pub fn boxes(document: &Document, quantity: &Quantified) -> Picture {
    let rows = rows(document, |case, result| spread(case, result, quantity));
    let log = wide(rows.iter().flat_map(|row| row.marks.iter().flatten()).map(|spread| spread.median));
    let mut facts = facts(document);
    facts.push("boxes over processes; one dot per process".to_owned());
    Picture {
        title: "Processes".to_owned(),
        facts,
        quantity: quantity.words(),
        unit: quantity.unit(document),
        series: variants(document),
        log,
        shape: Shape::Boxes(rows),
    }
}

/// Returns a chart of estimates with intervals, as Node core's `bar.R` draws them.
pub fn intervals(document: &Document, quantity: &Quantified) -> Picture {
    let rows = rows(document, |case, result| quantity.of(case, result));
    let log = wide(rows.iter().flat_map(|row| row.marks.iter().flatten()).map(|estimate| estimate.value));
    let mut facts = facts(document);
    facts.push(format!("{} % intervals", (document.run.settings.confidence * 1e4).round() / 1e2));
    Picture {
        title: "Estimates".to_owned(),
        facts,
        quantity: quantity.words(),
        unit: quantity.unit(document),
        series: variants(document),
        log,
        shape: Shape::Intervals(rows),
    }
}

fn rows<T>(
    document: &Document,
    mark: impl Fn(&CaseResult, &VariantResult) -> Option<T>,
) -> Vec<PictureRow<T>> {
    let series = variants(document);
    let row = |(name, case): (String, &CaseResult)| {
        let one = |series: &String| {
            let result = case.variants.iter().find(|result| result.variant == *series)?;
            mark(case, result)
        };
        PictureRow { name, marks: series.iter().map(one).collect() }
    };
    let rows = named(document).into_iter().map(row);
    rows.filter(|row| row.marks.iter().any(Option::is_some)).collect()
}

/// Returns Tukey's box of the process values. Without process values, returns the quartiles and the 95th
/// percentile of the batches.
fn spread(case: &CaseResult, result: &VariantResult, quantity: &Quantified) -> Option<Spread> {
    let time = result.time.as_ref()?;
    let on_axis = |value: f64| quantity.on_axis(case, value);
    let values: Vec<f64> = time.processes.iter().filter_map(|process| on_axis(process.time_ns)).collect();
    let sorted = quantile::sorted(&values);
    let [Some(first), Some(last)] = [sorted.first(), sorted.last()] else {
        let at = |name: &str| on_axis(result.figure(name)?.value);
        let (q1, median, q3, high) = (at("q1")?, at("median")?, at("q3")?, at("p95")?);
        return Some(Spread { low: q1, q1, median, q3, high, values });
    };
    let at = |p: f64| quantile::quantile(&sorted, p);
    let (q1, median, q3) = (at(0.25), at(0.5), at(0.75));
    let reach = 1.5 * (q3 - q1);
    let low = sorted.iter().copied().find(|value| *value >= q1 - reach).unwrap_or(*first);
    let high = sorted.iter().rev().copied().find(|value| *value <= q3 + reach).unwrap_or(*last);
    Some(Spread { low: low.min(q1), q1, median, q3, high: high.max(q3), values })
}
