//! Files of Haskell's criterion: its JSON report, which `criterion-report` turns into HTML, and its CSV.

use crate::csv;
use derny_model::{CriterionCase, CriterionRegression, CriterionRow, Estimate};
use serde_json::{Value, json};

/// Version of criterion that the JSON claims. Since 1.6, a measurement is a row of twelve values.
const VERSION: &str = "1.6.5.0";
const KEYS: [&str; 12] = [
    "time",
    "cpuTime",
    "cycles",
    "iters",
    "allocated",
    "peakMbAllocated",
    "numGcs",
    "bytesCopied",
    "mutatorWallSeconds",
    "mutatorCpuSeconds",
    "gcWallSeconds",
    "gcCpuSeconds",
];

/// Returns `["criterion", version, [report, …]]`, with the measurements, analysis, outliers and density of
/// every case. Missing values are null. Missing cycles are 0, because they may not be null.
pub fn json(cases: &[CriterionCase]) -> String {
    let reports: Vec<Value> = cases.iter().enumerate().map(|(number, case)| report(number, case)).collect();
    format!("{}\n", json!(["criterion", VERSION, reports]))
}

fn report(number: usize, case: &CriterionCase) -> Value {
    let (effect, description) = match case.outlier_variance {
        share if share < 0.01 => ("Unaffected", "no"),
        share if share < 0.1 => ("Slight", "a slight"),
        share if share < 0.5 => ("Moderate", "a moderate"),
        _ => ("Severe", "a severe"),
    };
    let outliers = &case.outliers;
    json!({
        "reportNumber": number,
        "reportName": case.name,
        "reportKeys": KEYS,
        "reportMeasured": case.rows.iter().map(row).collect::<Vec<_>>(),
        "reportAnalysis": {
            "anRegress": case.regressions.iter().map(|r| regression(r, case.confidence)).collect::<Vec<_>>(),
            "anMean": estimate(&case.mean, case.confidence),
            "anStdDev": estimate(&case.deviation, case.confidence),
            "anOutlierVar": { "ovEffect": effect, "ovDesc": description, "ovFraction": case.outlier_variance },
        },
        "reportOutliers": {
            "samplesSeen": case.values.len(),
            "lowSevere": outliers.low_severe,
            "lowMild": outliers.low_mild,
            "highMild": outliers.high_mild,
            "highSevere": outliers.high_severe,
        },
        "reportKDEs": [{ "kdeType": "time", "kdeValues": case.density.0, "kdePDF": case.density.1 }],
    })
}

fn row(row: &CriterionRow) -> Value {
    let whole = |value: Option<f64>| value.map(|value| value.round() as i64);
    json!([
        row.time_s,
        row.cpu_s,
        whole(row.cycles).unwrap_or(0),
        row.iterations.round().max(1.0) as i64,
        whole(row.allocated_bytes),
        whole(row.peak_mb),
        whole(row.collections),
        whole(row.copied_bytes),
        row.mutator_s,
        row.mutator_cpu_s,
        row.gc_s,
        row.gc_cpu_s,
    ])
}

fn regression(regression: &CriterionRegression, confidence: f64) -> Value {
    let slopes =
        regression.coefficients.iter().map(|(name, slope)| (name.clone(), estimate(slope, confidence)));
    let intercept = ("y".to_owned(), estimate(&regression.intercept, confidence));
    json!({
        "regResponder": regression.responder,
        "regCoeffs": slopes.chain([intercept]).collect::<serde_json::Map<_, _>>(),
        "regRSquare": estimate(&regression.r_squared, confidence),
    })
}

/// Formats an estimate, with its bounds as distances. Readers of criterion's format take `confIntCL` as the
/// error level instead of the confidence. They skip the additional key `confidence`, which is unambiguous.
fn estimate(estimate: &Estimate, confidence: f64) -> Value {
    let (below, above) = match estimate.interval {
        Some(i) => (estimate.value - i.lo, i.hi - estimate.value),
        None => (0.0, 0.0),
    };
    let level = ((1.0 - confidence) * 1e12).round() / 1e12;
    json!({
        "estPoint": estimate.value,
        "estError": { "confIntLDX": below, "confIntUDX": above, "confIntCL": level, "confidence": confidence },
    })
}

/// Returns criterion's CSV summary, with times in seconds.
pub fn csv(cases: &[CriterionCase]) -> String {
    let mut out = csv::row(&["Name", "Mean", "MeanLB", "MeanUB", "Stddev", "StddevLB", "StddevUB"]);
    for case in cases {
        let ends = |estimate: &Estimate| match estimate.interval {
            Some(i) => [estimate.value, i.lo, i.hi],
            None => [estimate.value; 3],
        };
        let figures = ends(&case.mean).into_iter().chain(ends(&case.deviation)).map(|v| format!("{v:e}"));
        let fields: Vec<String> = std::iter::once(case.name.clone()).chain(figures).collect();
        out.push_str(&csv::row(&fields));
    }
    out
}
