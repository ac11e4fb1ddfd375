//! Formats the points of curves as CSV.

use crate::csv;
use derny_model::{Estimate, Scaling};

const HEAD: [&str; 21] = [
    "variant",
    "parameter",
    "x",
    "value",
    "lo",
    "hi",
    "unit",
    "per_second",
    "bytes_per_second",
    "cases",
    "processes",
    "step",
    "step_lo",
    "step_hi",
    "exponent",
    "exponent_lo",
    "exponent_hi",
    "verdict",
    "fitted",
    "off",
    "growth",
];

/// Returns one row per point.
pub fn csv(scaling: &Scaling) -> String {
    let parameters = csv::Parameters::of(scaling.curves.iter().map(|curve| curve.by.as_slice()));
    let mut out = csv::row(&parameters.head(&HEAD));
    for curve in &scaling.curves {
        for point in &curve.points {
            let step = point.step.as_ref();
            let ends = |estimate: Option<&Estimate>| {
                let interval = estimate.and_then(|estimate| estimate.interval);
                [estimate.map(|e| e.value), interval.map(|i| i.lo), interval.map(|i| i.hi)].map(csv::number)
            };
            let mut fields = parameters.row(&curve.suite, &curve.benchmark, &curve.by);
            fields.extend([curve.variant.clone(), point.text.clone(), csv::number(Some(point.x))]);
            fields.extend(ends(Some(&point.estimate)));
            fields.push(scaling.unit.clone());
            fields.extend([point.per_second, point.bytes_per_second].map(csv::number));
            fields.extend([point.cases, point.processes].map(|count| count.to_string()));
            fields.extend(ends(step.map(|step| &step.ratio)));
            fields.extend(ends(step.and_then(|step| step.exponent.as_ref())));
            fields.push(step.map_or(String::new(), |step| step.verdict.token().to_owned()));
            fields.push(csv::number(point.fitted));
            fields.push(point.off.to_string());
            fields.push(curve.growth.as_ref().map_or(String::new(), |growth| growth.law.clone()));
            out.push_str(&csv::row(&fields));
        }
    }
    out
}
