//! Handmade documents.

pub mod comparison;

use derny_model::*;
use derny_report::{Style, comparison as report};

pub const UNICODE: Style = Style { width: None, ascii: false, colour: false };
pub const ASCII: Style = Style { width: None, ascii: true, colour: false };

pub fn wide(width: usize) -> Style {
    Style { width: Some(width), ..UNICODE }
}

/// Compares the text with a committed file. `DERNY_BLESS=1` rewrites the file instead.
pub fn expect(name: &str, text: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected").join(name);
    if std::env::var_os("DERNY_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "differs from {}", path.display());
}

/// Returns the table with every case and footnote.
pub fn table(comparison: &Comparison, style: &Style, header: bool) -> String {
    report::table(comparison, style, report::Parts { header, all: true })
}

pub fn settings() -> Settings {
    Settings::default()
}

pub fn variant(name: &str) -> Variant {
    Variant { name: name.to_owned(), ..Variant::default() }
}

pub fn header() -> RunHeader {
    RunHeader {
        id: "k3fz".to_owned(),
        started_ms: 1_763_000_000_000,
        ended_ms: Some(1_763_000_041_000),
        status: RunStatus::Complete,
        engine_pid: 1,
        derny: "7.7.7".to_owned(),
        args: vec!["run".to_owned()],
        seed: 7,
        settings: settings(),
        variants: vec![variant("base")],
        machine: Machine {
            os: "linux".to_owned(),
            kernel: "6.1.0-13-amd64".to_owned(),
            cpu: "AMD EPYC 7B13".to_owned(),
            cores: 2,
            memory_bytes: 8_000_000_000,
            host: "bench".to_owned(),
            ..Machine::default()
        },
        commit: Some(Commit {
            hash: "9d31e0a5c0ffee".to_owned(),
            branch: Some("main".to_owned()),
            dirty: true,
        }),
        note: None,
        runtimes: vec!["javascript node/22.11".to_owned()],
        series: None,
        imported: None,
        part: None,
        machines: Vec::new(),
        merged: None,
        preparation: None,
        built: Vec::new(),
    }
}

pub fn case(suite: &str, benchmark: &str, params: &[(&str, &str)]) -> Case {
    Case {
        harness: "javascript".to_owned(),
        file: Some("bench/decoder.bench.js".to_owned()),
        line: Some(12),
        ..Case::new(CaseId {
            suite: suite.to_owned(),
            benchmark: benchmark.to_owned(),
            params: params.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
        })
    }
}

pub fn estimate(value: f64, lo: f64, hi: f64) -> Estimate {
    Estimate { value, interval: Some(Interval { lo, hi }) }
}

pub fn time(typical: Estimate) -> TimeSummary {
    let v = typical.value;
    TimeSummary {
        unwarmed: false,
        typical,
        mean: Estimate { value: v * 1.01, interval: typical.interval },
        median: v,
        floor: Some(Floor { time_ns: 0.31, indistinguishable: false }),
        outliers: TukeyCounts { low_severe: 0, low_mild: 1, high_mild: 4, high_severe: 2 },
        cold: Some(ColdSummary {
            time_ns: v * 38.0,
            range_ns: Interval { lo: v * 30.0, hi: v * 55.0 },
            processes: 10,
        }),
        steady: SteadyState { flat: 8, warm_up: 2, class: "warm-up".to_owned(), ..SteadyState::default() },
        processes: (0..10)
            .map(|process| ProcessValue {
                first: None,
                process,
                time_ns: v * (1.0 + f64::from((process * 7) % 10) * 0.002),
                turns: 12,
                within: 0.012,
                class: if process < 8 { "flat" } else { "warm-up" }.into(),
                measured_ns: 24e6,
            })
            .collect(),
        histogram: Some(Histogram {
            lo: v * 0.97,
            hi: v * 1.2,
            counts: (0..24u32).map(|bin| 600u64 >> bin.abs_diff(5).min(10)).collect(),
            above: 121,
        }),
    }
}

pub fn metric(name: &str, unit: &str, value: f64) -> MetricSummary {
    let total = !unit.ends_with("/s");
    MetricSummary {
        metric: Metric {
            name: name.to_owned(),
            unit: unit.to_owned(),
            kind: if total { Kind::Total } else { Kind::Rate },
            direction: Direction::Less,
            exact: false,
        },
        estimate: Estimate { value, interval: None },
        range: None,
        deviation: None,
        constant: true,
        per_operation: total,
        ladder: None,
    }
}

fn figures(time: &TimeSummary) -> Vec<Figure> {
    let v = time.typical.value;
    let point = |value: f64| Some(Estimate { value, interval: None });
    let all = [
        ("time", "ns", Some(time.typical)),
        ("mean", "ns", Some(time.mean)),
        ("batch_mean", "ns", point(v * 1.02)),
        ("standard_deviation", "ns", point(v * 0.05)),
        ("median", "ns", point(time.median)),
        ("mad", "ns", point(v * 0.004)),
        ("minimum", "ns", point(v * 0.97)),
        ("q1", "ns", point(v * 0.99)),
        ("q3", "ns", point(v * 1.01)),
        ("p95", "ns", point(v * 1.05)),
        ("p99", "ns", point(v * 1.2)),
        ("maximum", "ns", point(v * 3.0)),
        ("within", "share", point(0.012)),
        ("between", "share", point(0.005)),
        ("outlier_variance", "share", point(0.12)),
        ("detectable", "share", point(0.0081)),
        ("ops_per_second", "op/s", point(1e9 / v)),
        ("floor", "ns", time.floor.and_then(|floor| point(floor.time_ns))),
        ("cold", "ns", time.cold.and_then(|cold| point(cold.time_ns))),
        ("collect", "ns", point(2_100_000.0)),
    ];
    all.into_iter().filter_map(|(name, unit, estimate)| Some(figure(name, unit, estimate?))).collect()
}

pub fn figure(name: &str, unit: &str, estimate: Estimate) -> Figure {
    Figure {
        name: name.into(),
        label: name.replace('_', " ").into(),
        metric: false,
        unit: unit.into(),
        kind: Kind::Total,
        per_operation: true,
        better: Direction::Less,
        value: estimate.value,
        interval: estimate.interval,
        range: None,
    }
}

pub fn of_metric(summary: &MetricSummary) -> Figure {
    Figure {
        label: (&summary.metric.name).into(),
        metric: true,
        kind: summary.metric.kind,
        per_operation: summary.per_operation,
        ..figure(&summary.metric.name, &summary.metric.unit, summary.estimate)
    }
}

pub fn result(name: &str, time: Option<TimeSummary>, metrics: Vec<MetricSummary>) -> VariantResult {
    let figures = time.iter().flat_map(figures).chain(metrics.iter().map(of_metric)).collect();
    VariantResult {
        variant: name.to_owned(),
        processes: 10,
        turns: 120,
        batches: 12_000,
        rejected: Vec::new(),
        time,
        metrics: metrics.into(),
        figures,
        texts: Vec::new(),
        suspicions: Vec::new(),
        untested: Vec::new(),
    }
}

pub fn measured(case: Case, variants: Vec<VariantResult>) -> CaseResult {
    CaseResult { case, state: CaseState::Measured(StopReason::Precise), variants, change: None }
}

pub fn document(cases: Vec<CaseResult>) -> Document {
    let mut suites: Vec<SuiteResult> = Vec::new();
    for case in cases {
        match suites.last_mut() {
            Some(suite) if suite.suite == case.case.id.suite => suite.cases.push(case),
            _ => suites.push(SuiteResult { suite: case.case.id.suite.clone(), cases: vec![case] }),
        }
    }
    Document {
        format: Document::FORMAT,
        run: header(),
        suites,
        failures: Vec::new(),
        warnings: Vec::new(),
        baseline: None,
        yardsticks: Vec::new(),
        contention: None,
        rankings: Vec::new(),
        comparison: None,
        stats: None,
    }
}

/// Returns the run of the design document.
pub fn decoder() -> Document {
    let rows = [
        ("ascii 32", estimate(41.3, 41.08, 41.57), 0.0),
        ("utf8 32", estimate(58.9, 58.43, 59.31), 48.0),
        ("utf8 4096", estimate(3212.0, 3197.0, 3236.0), 4096.0),
        ("base64 128", estimate(204.2, 196.3, 213.1), 192.0),
    ];
    let cases = rows.map(|(name, typical, allocated)| {
        let metrics = vec![metric("allocated", "bytes", allocated)];
        measured(case("string_decoder", name, &[]), vec![result("base", Some(time(typical)), metrics)])
    });
    let mut document = document(cases.to_vec());
    document.warnings.push(Warning {
        code: "DY204".to_owned(),
        case: Some(3),
        message: "base64 128 rises 6 % from first to last batch in 7 of 10 processes".to_owned(),
        remedy: "the interval does not cover drift; try --set processes=30".to_owned(),
        class: WarningClass::Design,
        effect: String::new(),
        decides: true,
        marks: true,
        severity: 0.06,
    });
    document.baseline = Some(("main".to_owned(), None));
    document
}

/// Returns a document with parameters, groups, two variants, failures, changes and hostile names.
pub fn mixed() -> Document {
    let mut sort = Vec::new();
    for (n, ns) in [("1000", 12_100.0), ("64000", 812_000.0)] {
        let pair = ["old", "new"].map(|name| {
            result(
                name,
                Some(time(estimate(ns, ns * 0.99, ns * 1.01))),
                vec![metric("gc_time", "ns", ns * 0.03)],
            )
        });
        let mut declared = case("sort", "radix", &[("n", n), ("kind", "random")]);
        declared.bytes = Some(8.0);
        sort.push(measured(declared, pair.to_vec()));
    }
    sort[0].change = Some(PlainChange {
        run: "h81q".to_owned(),
        change: -0.153,
        interval: Some(Interval { lo: -0.2, hi: -0.11 }),
        verdict: Verdict::Better,
        reason: None,
        machine: Some(Interval { lo: -0.04, hi: 0.07 }),
        because: "not measured together; the machine may explain −4 to +7 %".to_owned(),
    });
    let mut slow = time(Estimate { value: 2.4e9, interval: None });
    slow.mean.value = 3.1e9;
    let mut grouped = case("sort", "a|b `c`, \"d\"", &[]);
    grouped.group = Some("hostile\x1b[31m".to_owned());
    let mut others = vec![
        measured(grouped, vec![result("old", Some(slow), Vec::new())]),
        measured(case("url", "parse", &[]), Vec::new()),
        measured(case("url", "skipped-here", &[]), Vec::new()),
        measured(case("url", "never-reached", &[]), Vec::new()),
    ];
    others[1].state = CaseState::Failed;
    others[2].state = CaseState::Skipped;
    others[3].state = CaseState::Missing;
    sort.extend(others);
    let mut document = document(sort);
    document.run.variants = vec![variant("old"), variant("new")];
    document.run.status = RunStatus::Partial;
    document.failures.push(failure());
    document
}

pub fn failure() -> Failure {
    Failure {
        code: FailureCode::DY302,
        what: "harness exited before answering `hello`".to_owned(),
        case: Some(3),
        variant: None,
        place: vec!["bench/path.js".to_owned(), "node 22.11".to_owned(), "process 1".to_owned()],
        why:
            "exit status 1; last lines of its stderr:\n  Error: Cannot find module 'derny'\n      at x\x1b[0m"
                .to_owned(),
        remedy: "npm install --save-dev derny".to_owned(),
    }
}
