//! Shows how a quantity depends on a parameter: points, steps between neighbours, and the fitted law.
//!
//! Errors of times are relative, so all computations use logarithms. Points come from process values. If a
//! point combines several cases, it is their geometric mean with independent errors. Neighbouring points are
//! different cases and never form pairs. Steps therefore use Welch's interval, with Bonferroni's correction
//! over all steps.

mod fit;
mod growth;
mod number;
mod over;
mod points;

use derny_model::{Direction, Document, Scaling};
use over::{Key, Params};
use points::{Draft, Members, draft, metric, value};

pub use number::number;
pub use over::Over;

/// Returns the curves of a run.
pub fn scaling(document: &Document, over: &Over<'_>) -> Scaling {
    let mut left_out = Vec::new();
    let mut groups: Vec<(Key, Members)> = Vec::new();
    let several = document.run.variants.len() > 1;
    let (mut unit, mut more_is_better) = ("ns".to_owned(), false);
    for case in document.cases() {
        let mut leave = |why: String| left_out.push((case.case.id.to_string(), why));
        let params = &case.case.id.params;
        let Some((_, text)) = params.iter().find(|(key, _)| key == over.over) else {
            leave(format!("it has no parameter `{}`", over.over));
            continue;
        };
        let Some(x) = number(text) else {
            leave(format!("`{text}` is not a number"));
            continue;
        };
        if case.variants.is_empty() {
            leave("it was not measured".to_owned());
        }
        for variant in &case.variants {
            let Some(value) = value(case, variant, over.metric) else {
                leave(format!("it has no {}", over.metric.unwrap_or("times")));
                continue;
            };
            if let Some(found) = over.metric.and_then(|name| metric(variant, name)) {
                unit.clone_from(&found.metric.unit);
                more_is_better = found.metric.direction == Direction::More;
            }
            let is_by = |key: &String| over.by.contains(key);
            let value_of = |key: &String| params.iter().find(|(known, _)| known == key).cloned();
            let by: Params = over.by.iter().filter_map(value_of).collect();
            let rest: Params =
                params.iter().filter(|(key, _)| key != over.over && !is_by(key)).cloned().collect();
            let variant = if several { variant.variant.clone() } else { String::new() };
            let key = (case.case.id.suite.clone(), case.case.id.benchmark.clone(), by, variant);
            let member = (x, text.clone(), rest, value);
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, members)) => members.push(member),
                None => groups.push((key, vec![member])),
            }
        }
    }
    let drafts: Vec<Draft> = groups.into_iter().map(|(key, members)| draft(key, members, over)).collect();
    let steps: usize = drafts.iter().map(|draft| draft.places.len().saturating_sub(1)).sum();
    let alpha = (1.0 - over.confidence) / steps.max(1) as f64;
    let curves = drafts.into_iter().map(|draft| draft.curve(over, alpha, more_is_better)).collect();
    Scaling {
        format: Scaling::FORMAT,
        run: document.run.id.clone(),
        over: over.over.to_owned(),
        by: over.by.to_vec(),
        quantity: over.metric.unwrap_or("time").to_owned(),
        unit,
        more_is_better,
        log: over.log,
        confidence: over.confidence,
        margin: over.margin,
        curves,
        left_out,
    }
}
