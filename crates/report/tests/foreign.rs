//! Tests files in the formats of other tools.

use crate::build::{self, ASCII, UNICODE, expect};
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
        coefficients: vec![("iters".to_owned(), slope)],
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
        unfit: if ladder {
            String::new()
        } else {
            "it needs iterations that grow: measure with --set ladder=yes".to_owned()
        },
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
    // Time is never null, cycles and iterations are whole numbers, and unmeasured values are null.
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

#[test]
fn node_files_have_a_row_per_process() {
    let comparison = build::comparison::designed();
    let text = foreign::node::compare(&comparison).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "\"binary\",\"filename\",\"configuration\",\"rate\",\"time\"");
    let processes: usize =
        comparison.cases.iter().flat_map(|case| &case.times).flatten().map(|time| time.processes.len()).sum();
    assert!(processes > 20);
    assert_eq!(lines.len() - 1, processes);
    // Old and new alternate, as in compare.js.
    let binaries: Vec<&str> = lines[1..].iter().map(|line| &line[1..4]).collect();
    assert!(binaries.starts_with(&["old"]) && binaries.contains(&"new"), "{binaries:?}");
    assert!(binaries.windows(2).filter(|pair| pair[0] != pair[1]).count() >= 9, "{binaries:?}");
    let document = build::decoder();
    let rows = foreign::node::run(&document).unwrap();
    assert!(rows.starts_with("\"filename\", \"configuration\", \"rate\", \"time\"\n\""), "{rows}");
    assert!(foreign::node::scatter(&build::mixed()).unwrap_err().contains("variants"));
}

#[test]
fn a_snapshot_has_a_row_per_test() {
    let text = foreign::benchfella::snapshot(&build::decoder()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("duration:") && lines[0].contains(';'), "{text}");
    assert_eq!(lines[1], "module;test;tags;iterations;elapsed");
    for line in &lines[2..] {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(fields.len(), 5, "{line}");
        assert!(fields[3].parse::<u64>().unwrap() > 0 && fields[4].parse::<u64>().is_ok(), "{line}");
    }
    assert!(lines.len() > 2);
}

fn curve() -> Curve {
    let step = |ratio: f64, verdict| Step {
        ratio: of(ratio, ratio * 0.99, ratio * 1.01),
        exponent: Some(of(ratio.log2() / 2.0, 0.9, 1.1)),
        verdict,
    };
    let point = |x: f64, value: f64, step: Option<Step>, off: bool| Point {
        x,
        text: x.to_string(),
        estimate: of(value, value * 0.99, value * 1.01),
        per_second: Some(1e9 / value),
        bytes_per_second: Some(x * 1e9 / value),
        cases: 2,
        processes: 16,
        step,
        fitted: Some(12.0 * x),
        off,
    };
    Curve {
        suite: "sort".to_owned(),
        benchmark: "radix\x1b".to_owned(),
        by: vec![("type".to_owned(), "u32".to_owned())],
        variant: String::new(),
        aggregated: vec![("order".to_owned(), vec![String::new(), "random".to_owned()])],
        points: vec![
            point(1024.0, 12_100.0, None, false),
            point(4096.0, 49_000.0, Some(step(4.05, Verdict::Worse)), false),
            point(16_384.0, 260_000.0, Some(step(5.31, Verdict::Worse)), true),
            point(65_536.0, 259_800.0, Some(step(0.999, Verdict::Same)), false),
        ],
        growth: Some(Growth {
            law: "n".to_owned(),
            constant: 10.0,
            factor: 12.0,
            exponent: None,
            error: 0.006,
            also: vec!["n log n".to_owned()],
        }),
        exponent: Some(of(1.01, 0.98, 1.03)),
    }
}

#[test]
fn points_along_a_parameter() {
    let curve = curve();
    let mut scaling = Scaling {
        format: Scaling::FORMAT,
        run: "k3fz".to_owned(),
        over: "n".to_owned(),
        by: vec!["type".to_owned()],
        quantity: "time".to_owned(),
        unit: "ns".to_owned(),
        more_is_better: false,
        log: Some(2),
        confidence: 0.95,
        margin: 0.01,
        curves: vec![curve.clone(), Curve { by: Vec::new(), growth: None, ..curve }],
        left_out: vec![("sort/quick n=x".to_owned(), "`x` is not a number".to_owned())],
    };
    expect("scaling.txt", &derny_report::scaling::table(&scaling, &UNICODE));
    expect("scaling.md", &derny_report::scaling::markdown(&scaling, &UNICODE));
    expect("scaling.csv", &derny_report::scaling::csv(&scaling));
    assert!(derny_report::scaling::table(&scaling, &ASCII).is_ascii());
    let json = derny_report::scaling::json(&scaling);
    assert_eq!(serde_json::from_str::<Scaling>(&json).unwrap(), scaling);
    scaling.log = None;
    assert!(derny_report::scaling::table(&scaling, &UNICODE).contains("n=1024"));
}
