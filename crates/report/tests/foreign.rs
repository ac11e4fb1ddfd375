//! The files of other tools.

mod build;

use build::{ASCII, UNICODE, expect};
use derny_model::*;
use derny_report::{foreign, views};

fn of(value: f64, lo: f64, hi: f64) -> Estimate {
    Estimate { value, interval: Some(Interval { lo, hi }) }
}

fn fib(name: &str, ladder: bool) -> CriterionCase {
    let row = |n: f64| CriterionRow {
        time_s: n * 24e-9,
        iterations: n,
        allocated_bytes: Some(48.0 * n),
        ..CriterionRow::default()
    };
    let regression = |responder: &str, slope, intercept| CriterionRegression {
        responder: responder.to_owned(),
        slope,
        intercept,
        r_squared: of(0.994, 0.991, 0.997),
    };
    let regressions = vec![
        regression("time", of(23.91e-9, 23.3e-9, 24.54e-9), of(1e-6, 0.0, 2e-6)),
        regression("allocated", of(48.0, 48.0, 48.0), of(0.012_345_6, -1.0, 2e8)),
    ];
    CriterionCase {
        index: 0,
        name: name.to_owned(),
        rows: vec![row(1000.0), row(1050.0)],
        regressions: if ladder { regressions } else { Vec::new() },
        mean: of(24.36e-9, 23.77e-9, 24.97e-9),
        deviation: of(2.033e-9, 1.699e-9, 2.47e-9),
        values: vec![24e-9, 24e-9],
        outliers: TukeyCounts { high_mild: 1, ..TukeyCounts::default() },
        outlier_variance: if ladder { 0.88 } else { 0.05 },
        confidence: if ladder { 0.95 } else { 0.99 },
        density: (vec![23e-9, 25e-9], vec![0.0, 1e8]),
    }
}

#[test]
fn the_blocks_of_criterion() {
    let cases = [fib("fib/1", true), fib("fib/\x1b[31m", false)];
    expect("view.criterion.txt", &views::criterion::criterion(&cases, &UNICODE));
    assert!(views::criterion::criterion(&cases, &ASCII).is_ascii());
}

#[test]
fn the_report_of_criterion() {
    let text = foreign::criterion::json(&[fib("fib/1", true), fib("a \"b\"", false)]);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&value[0], value.as_array().unwrap().len()), (&"criterion".into(), 3));
    let report = &value[2][0];
    assert_eq!(report["reportKeys"].as_array().unwrap().len(), 12);
    let row = &report["reportMeasured"][1];
    assert_eq!(row.as_array().unwrap().len(), 12);
    // Time may be null nowhere, cycles and iterations are whole, what was not measured is null.
    assert_eq!((row[2].as_i64(), row[3].as_i64(), row[4].as_i64()), (Some(0), Some(1050), Some(50_400)));
    assert!(row[1].is_null() && row[5].is_null() && row[11].is_null());
    let error = &report["reportAnalysis"]["anMean"]["estError"];
    assert_eq!(error["confIntCL"], 0.05);
    assert!((error["confIntLDX"].as_f64().unwrap() - 0.59e-9).abs() < 1e-15);
    assert_eq!(value[2][1]["reportName"], "a \"b\"");
    assert_eq!(value[2][1]["reportAnalysis"]["anRegress"], serde_json::json!([]));
    assert_eq!(value[2][1]["reportAnalysis"]["anMean"]["estError"]["confIntCL"], 0.01);
}

#[test]
fn the_summary_of_criterion_has_one_head() {
    let text = foreign::criterion::csv(&[fib("fib/1", true), fib("a,\"b\"", false)]);
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert_eq!(lines[0], "Name,Mean,MeanLB,MeanUB,Stddev,StddevLB,StddevUB");
    assert_eq!(lines[1], "fib/1,2.436e-8,2.377e-8,2.497e-8,2.033e-9,1.699e-9,2.47e-9");
    assert!(lines[2].starts_with("\"a,\"\"b\"\"\",2.436e-8"), "{}", lines[2]);
    assert_eq!(lines.len(), 4);
}
