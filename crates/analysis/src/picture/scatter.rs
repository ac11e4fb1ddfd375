//! Charts of values over a parameter.

use super::against::{PLACE, against};
use super::facts::{capital, facts, name, value, variants, wide};
use super::quantity::Quantified;
use derny_model::picture::{Picture, Scatter, ScatterPoint, Shape};
use derny_model::{CaseResult, Document};
use derny_stats::location::geometric_mean;

/// Returns a chart of the cases over the parameter `over`. If `over` is `None`, uses the parameter with the
/// most values, preferably numbers.
///
/// Each combination of benchmark, values of `by`, and variant has a colour. Other parameters are merged
/// and named below the chart. Every case keeps its point, and lines connect geometric means. `over` may also
/// be `place`, or another quantity of the result such as the metric `heap`.
///
/// # Errors
///
/// Returns a sentence for the user if `over` or `by` is unknown, if no parameter has several values, or if no
/// case has both the parameter and the quantity.
pub fn scatter(
    document: &Document,
    over: Option<&str>,
    by: Option<&str>,
    quantity: &Quantified,
) -> Result<Picture, String> {
    let keys = parameters(document);
    let known = || keys.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>().join(", ");
    let is_known = |name: &str| keys.iter().any(|(key, _)| key == name);
    let unknown = |name: &str| {
        let known = if keys.is_empty() { "none".to_owned() } else { known() };
        format!("`{name}` is not a parameter of any case, `{PLACE}` or a quantity; parameters: {known}")
    };
    if let Some(name) = by.filter(|name| !is_known(name)) {
        return Err(unknown(name));
    }
    if let Some(name) = over.filter(|name| !is_known(name)) {
        return against(document, name, by, quantity).ok_or_else(|| unknown(name));
    }
    let over = match over {
        Some(name) => name.to_owned(),
        None => likely(&keys, by).ok_or("the cases have no parameter with several values")?,
    };
    let by = by.map(str::to_owned).filter(|name| *name != over);
    let ticks = ordered(document, &over);
    let numbers: Option<Vec<f64>> = ticks.iter().map(|text| text.parse().ok()).collect();
    let (series, points) = points(document, &over, by.as_deref(), &ticks, quantity);
    if points.is_empty() {
        return Err(format!("no case along `{over}` has the requested quantity"));
    }
    let lines = lines(&points, series.len(), ticks.len());
    let mut facts = facts(document);
    let rest: Vec<&str> = keys
        .iter()
        .filter(|(key, values)| *key != over && Some(key) != by.as_ref() && values.len() > 1)
        .map(|(key, _)| key.as_str())
        .collect();
    if !rest.is_empty() {
        facts.push(format!("all values of {} together; lines through geometric means", rest.join(", ")));
    }
    let log = numbers.as_ref().is_some_and(|numbers| wide(numbers.iter().copied()));
    Ok(Picture {
        title: format!(
            "{} over {over}{}",
            capital(&quantity.words()),
            by.map_or(String::new(), |by| format!(" by {by}"))
        ),
        facts,
        quantity: quantity.words(),
        unit: quantity.unit(document),
        log: wide(points.iter().map(|point| point.estimate.value)),
        series,
        shape: Shape::Scatter(Scatter { over, ticks, numbers, log, points, lines }),
    })
}

fn parameters(document: &Document) -> Vec<(String, Vec<String>)> {
    let mut keys: Vec<(String, Vec<String>)> = Vec::new();
    for (key, value) in document.cases().flat_map(|case| &case.case.id.params) {
        match keys.iter_mut().find(|(name, _)| name == key) {
            Some((_, values)) if values.contains(value) => {}
            Some((_, values)) => values.push(value.clone()),
            None => keys.push((key.clone(), vec![value.clone()])),
        }
    }
    keys
}

fn likely(keys: &[(String, Vec<String>)], by: Option<&str>) -> Option<String> {
    let numeric = |values: &[String]| values.iter().all(|value| value.parse::<f64>().is_ok());
    let usable = keys.iter().filter(|(key, values)| values.len() > 1 && Some(key.as_str()) != by);
    let best = usable.rev().max_by_key(|(_, values)| (numeric(values), values.len()));
    best.map(|(key, _)| key.clone())
}

/// Returns the values of `over`. Numbers are sorted, and other values are in order of appearance.
fn ordered(document: &Document, over: &str) -> Vec<String> {
    let mut ticks: Vec<String> = Vec::new();
    for value in document.cases().filter_map(|case| value(case, over)) {
        if !ticks.iter().any(|tick| tick == value) {
            ticks.push(value.to_owned());
        }
    }
    let numbers: Option<Vec<f64>> = ticks.iter().map(|text| text.parse().ok()).collect();
    if numbers.is_some_and(|numbers| numbers.iter().all(|number| number.is_finite())) {
        ticks.sort_by(|a, b| {
            let number = |text: &str| text.parse::<f64>().unwrap_or(0.0);
            number(a).total_cmp(&number(b))
        });
    }
    ticks
}

fn points(
    document: &Document,
    over: &str,
    by: Option<&str>,
    ticks: &[String],
    quantity: &Quantified,
) -> (Vec<String>, Vec<ScatterPoint>) {
    let several = variants(document).len() > 1;
    let along: Vec<&CaseResult> = document.cases().filter(|case| value(case, over).is_some()).collect();
    let suites = along.iter().any(|case| case.case.id.suite != along[0].case.id.suite);
    let benchmarks = suites || along.iter().any(|case| case.case.id.benchmark != along[0].case.id.benchmark);
    let (mut series, mut points): (Vec<String>, Vec<ScatterPoint>) = (Vec::new(), Vec::new());
    for case in along {
        let Some(tick) = value(case, over).and_then(|value| ticks.iter().position(|tick| tick == value))
        else {
            continue;
        };
        for result in &case.variants {
            let Some(estimate) = quantity.of(case, result) else { continue };
            let id = &case.case.id;
            let mut words: Vec<String> = Vec::new();
            if suites {
                words.push(format!("{}/{}", id.suite, id.benchmark));
            } else if benchmarks {
                words.push(id.benchmark.clone());
            }
            words.extend(by.map(|key| value(case, key).unwrap_or("without").to_owned()));
            if several {
                words.push(result.variant.clone());
            }
            let label = words.join(" · ");
            let place = series.iter().position(|name| *name == label).unwrap_or_else(|| {
                series.push(label);
                series.len() - 1
            });
            points.push(ScatterPoint { tick, series: place, estimate, name: name(case, suites) });
        }
    }
    (series, points)
}

fn lines(points: &[ScatterPoint], series: usize, ticks: usize) -> Vec<Vec<(usize, f64)>> {
    let mean = |of: usize, tick: usize| {
        let here = points.iter().filter(|point| point.series == of && point.tick == tick);
        let values: Vec<f64> = here.map(|point| point.estimate.value).collect();
        match values.as_slice() {
            [] => None,
            [only] => Some((tick, *only)),
            values if values.iter().all(|value| *value > 0.0) => Some((tick, geometric_mean(values))),
            _ => None,
        }
    };
    (0..series).map(|of| (0..ticks).filter_map(|tick| mean(of, tick)).collect()).collect()
}
