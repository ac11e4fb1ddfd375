//! Charts over the position of a case in its suite, or over another quantity of the result.

use super::facts::{capital, facts, name, value, variants, wide};
use super::quantity::Quantified;
use derny_model::picture::{Picture, Scatter, ScatterPoint, Shape};
use derny_model::{CaseResult, Document, VariantResult};

pub(super) const PLACE: &str = "place";

/// Charts with more points have no intervals, which would hide the points.
const MANY: usize = 60;

/// Returns a chart of every result over the position of its case, or over another quantity. Neighbouring
/// points are unrelated, so no lines connect them. Returns `None` if no result has the quantity.
pub(super) fn against(
    document: &Document,
    over: &str,
    by: Option<&str>,
    quantity: &Quantified,
) -> Option<Picture> {
    let axis = Quantified::new(over, false);
    let several = variants(document).len() > 1;
    let suites = document.suites.iter().filter(|suite| !suite.cases.is_empty()).count() > 1;
    let mut series: Vec<String> = Vec::new();
    let mut marks: Vec<(f64, ScatterPoint)> = Vec::new();
    for suite in &document.suites {
        for (index, case) in suite.cases.iter().enumerate() {
            for result in &case.variants {
                let at = |result: &VariantResult| match over {
                    PLACE => Some((index + 1) as f64),
                    _ => axis.of(case, result).map(|estimate| estimate.value),
                };
                let (Some(x), Some(estimate)) = (at(result), quantity.of(case, result)) else { continue };
                let label = label(case, result, by, (suites, several));
                let place = series.iter().position(|known| *known == label).unwrap_or_else(|| {
                    series.push(label);
                    series.len() - 1
                });
                marks.push((x, ScatterPoint { tick: 0, series: place, estimate, name: name(case, suites) }));
            }
        }
    }
    let mut numbers: Vec<f64> = marks.iter().map(|(x, _)| *x).filter(|x| x.is_finite()).collect();
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.dedup();
    let place = |(x, point): (f64, ScatterPoint)| {
        Some(ScatterPoint { tick: numbers.iter().position(|number| *number == x)?, ..point })
    };
    let mut points: Vec<ScatterPoint> = marks.into_iter().filter_map(place).collect();
    if points.is_empty() {
        return None;
    }
    let mut facts = facts(document);
    if points.len() > MANY {
        points.iter_mut().for_each(|point| point.estimate.interval = None);
        facts.push("without intervals".to_owned());
    }
    let unit = if over == PLACE { String::new() } else { axis.unit(document) };
    let lines = vec![Vec::new(); series.len()];
    let words = if over == PLACE { "position in the suite".to_owned() } else { axis.words() };
    Some(Picture {
        title: format!("{} against {words}", capital(&quantity.words())),
        facts,
        quantity: quantity.words(),
        unit: quantity.unit(document),
        log: wide(points.iter().map(|point| point.estimate.value)),
        series,
        shape: Shape::Scatter(Scatter {
            over: if unit.is_empty() { words } else { format!("{words}, {unit}") },
            ticks: numbers.iter().map(|number| rounded(*number)).collect(),
            log: over != PLACE && wide(numbers.iter().copied()),
            numbers: Some(numbers),
            points,
            lines,
        }),
    })
}

fn label(case: &CaseResult, result: &VariantResult, by: Option<&str>, more: (bool, bool)) -> String {
    let (suites, several) = more;
    let suite = suites.then(|| case.case.id.suite.clone());
    let by = by.map(|key| value(case, key).unwrap_or("without").to_owned());
    let variant = several.then(|| result.variant.clone());
    [suite, by, variant].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn rounded(number: f64) -> String {
    if number.fract() == 0.0 {
        return number.to_string();
    }
    let decimals = (2.0 - libm::log10(number.abs()).floor()).clamp(0.0, 12.0) as usize;
    format!("{number:.decimals$}")
}
