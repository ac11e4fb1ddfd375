//! Tests output for other programs, and lists.

use crate::build::{UNICODE, case, decoder, expect, header, mixed, variant, wide};
use derny_model::*;
use derny_report::runs::RunRow;
use derny_report::{context, csv, json, list, markdown, plan, raw, runs};

#[test]
fn json_is_the_document() {
    for document in [decoder(), mixed()] {
        let text = json::document(&document);
        assert!(text.starts_with("{\n  \"format\": 2,\n") && text.ends_with("}\n"));
        assert_eq!(serde_json::from_str::<Document>(&text).unwrap(), document);
    }
}

/// Parses CSV text independently of the writer (RFC 4180, section 2).
fn parse(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (quoted, c) {
            (true, '"') if chars.peek() == Some(&'"') => field.push(chars.next().unwrap()),
            (_, '"') => quoted = !quoted,
            (false, ',') => row.push(std::mem::take(&mut field)),
            (false, '\r') if chars.peek() == Some(&'\n') => {
                chars.next();
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            (_, c) => field.push(c),
        }
    }
    assert!(row.is_empty() && field.is_empty() && !quoted, "every record is ended");
    rows
}

#[test]
fn csv_has_a_row_per_case_and_variant() {
    let rows = parse(&csv::document(&mixed()));
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "all rows have the same fields");
    let column = |name: &str| rows[0].iter().position(|head| head == name).unwrap();
    let names: Vec<(&str, &str, &str)> = rows[1..]
        .iter()
        .map(|row| {
            (
                row[column("benchmark")].as_str(),
                row[column("variant")].as_str(),
                row[column("state")].as_str(),
            )
        })
        .collect();
    assert_eq!(
        names,
        [
            ("radix", "old", "precise"),
            ("radix", "new", "precise"),
            ("radix", "old", "precise"),
            ("radix", "new", "precise"),
            ("a|b `c`, \"d\"", "old", "precise"),
            ("parse", "", "failed"),
            ("skipped-here", "", "skipped"),
            ("never-reached", "", "missing"),
        ]
    );
    assert_eq!((rows[1][column("p.n")].as_str(), rows[1][column("p.kind")].as_str()), ("1000", "random"));
    assert_eq!(rows[1][column("time_ns")], "12100");
    assert_eq!(rows[1][column("time_lo_ns")], "11979");
    assert_eq!(rows[1][column("change")], "-0.153");
    assert_eq!(rows[1][column("gc_time (ns/op)")], "363");
    assert_eq!(rows[6][column("time_ns")], "");
    expect("decoder.csv", &csv::document(&decoder()));
}

#[test]
fn markdown_is_a_table() {
    expect("decoder.md", &markdown::document(&decoder(), false, &UNICODE));
    let text = markdown::document(&mixed(), false, &UNICODE);
    expect("mixed.md", &text);
    let pipes = |line: &str| line.replace("\\|", "").matches('|').count();
    let table: Vec<usize> = text.lines().filter(|line| line.starts_with('|')).map(pipes).collect();
    assert!(table.len() > 8 && table.iter().all(|count| *count == table[0]), "{table:?}");
    assert!(!text.contains('\x1b'));
}

fn cases() -> Vec<Case> {
    vec![
        case("string_decoder", "decode", &[("encoding", "ascii"), ("n", "32")]),
        case("string_decoder", "decode", &[("encoding", "utf8"), ("n", "32")]),
        case("string_decoder", "create", &[]),
        case("url", "parse\x07", &[("kind", "short")]),
    ]
}

#[test]
fn lists_for_people_and_programs() {
    expect("list.txt", &list::tree(&cases(), &UNICODE));
    expect("list.24.txt", &list::tree(&cases(), &wide(24)));
    let plain = "string_decoder/decode encoding=ascii n=32\nstring_decoder/decode encoding=utf8 n=32\n\
                 string_decoder/create\nurl/parse\\x07 kind=short\n";
    assert_eq!(list::plain(&cases()), plain);
    let back: Vec<Case> = serde_json::from_str(&list::json(&cases())).unwrap();
    assert_eq!(back, cases());
}

#[test]
fn a_plan_tells_order_and_cost() {
    let launches = (0..4)
        .map(|i| PlannedLaunch {
            block: i / 2,
            variant: i % 2,
            cases: if i < 2 { vec![2] } else { vec![0, 1, 2, 3] },
        })
        .collect();
    let planned = Plan {
        isolation: Isolation::Case,
        reason: "starts cost 4 % of the time".to_owned(),
        launches,
        processes: 8,
        rounds: 12,
        expected_ns: 41_000_000_000,
        bound_ns: 120_000_000_000,
        looks: vec![8, 11, 15, 21, 29, 40],
    };
    let pair = [variant("old"), variant("new")];
    expect("plan.pair.txt", &plan::plan(&planned, &cases(), &pair, &UNICODE));
    expect("plan.txt", &plan::plan(&planned, &cases(), &pair[..1], &wide(60)));
}

#[test]
fn runs_have_ages_and_names() {
    let now = header().started_ms + 125_000;
    let mut old = header();
    old.id = "c0ra".to_owned();
    old.started_ms -= 3 * 86_400_000;
    old.variants = vec![variant("node-22"), variant("node-24")];
    old.status = RunStatus::Partial;
    old.note = Some("before the rewrite".to_owned());
    let rows = [
        RunRow { header: header(), cases: 4, baselines: vec!["main".to_owned()] },
        RunRow { header: old, cases: 112, baselines: Vec::new() },
    ];
    expect("runs.txt", &runs::table(&rows, now, &UNICODE));
    expect("runs.none.txt", &runs::table(&[], now, &UNICODE));
}

#[test]
fn the_circumstances_of_a_run() {
    let mut run = header();
    let now = run.started_ms + 125_000;
    run.machine.facts =
        [("governor", "powersave"), ("turbo", "on")].map(|(k, v)| (k.to_owned(), v.to_owned())).into();
    run.machine.unobserved = vec!["temperature".to_owned()];
    expect("context.txt", &context::context(&run, now, &UNICODE));
    run.variants = vec![variant("old"), Variant { revision: Some("HEAD".to_owned()), ..variant("new") }];
    run.settings.reject = vec!["gc".to_owned()];
    run.settings.quick = true;
    run.note = Some("a\nb".to_owned());
    let text = context::context(&run, now, &wide(60));
    expect("context.60.txt", &text);
    assert!(text.lines().all(|line| line.chars().count() <= 60));
}

fn turn(phase: Phase, iterations: u64, times_ns: &[u64], counters: Vec<Option<f64>>) -> Turn {
    Turn {
        visit: 5,
        phase,
        round: 1,
        iterations,
        times_ns: times_ns.to_vec(),
        ops: None,
        counters,
        cpu: Some(1),
        at_ns: 99,
        wall_ns: 0,
        hash: None,
        thread: None,
        reported: Vec::new(),
        outside: None,
    }
}

fn process() -> ProcessStart {
    ProcessStart {
        process: 3,
        variant: 0,
        block: 0,
        command: Vec::new(),
        pid: 1,
        language: "javascript".to_owned(),
        runtime: "node/22.11".to_owned(),
        harness: "0".to_owned(),
        clock_step_ns: 1,
        launch_ns: 0,
        padding: 0,
        build: 0,
        binary: None,
        settings: Default::default(),
        collector: None,
        place: None,
        machine: None,
        wave: None,
        at_ns: 0,
    }
}

fn visit() -> VisitRecord {
    let metric = |name: &str| Metric {
        name: name.to_owned(),
        unit: "ns".to_owned(),
        kind: Kind::Total,
        direction: Direction::Less,
        exact: false,
    };
    VisitRecord {
        visit: Visit {
            visit: 5,
            process: 3,
            case: 0,
            position: 0,
            open_ns: 0,
            metrics: ["cpu", "gc"].map(metric).into(),
            at_ns: 0,
            mode: None,
        },
        complete: true,
        pruned: false,
        report: None,
        turns: vec![
            turn(Phase::WarmUp, 10, &[100, 101], vec![Some(201.5), None]),
            turn(Phase::Measured, 0, &[], vec![Some(1.0), Some(0.0)]),
        ]
        .into(),
    }
}

fn records() -> Records {
    let mut case = case("s", "a,b", &[("k", "x y")]);
    case.ops = 2.0;
    Records {
        header: header(),
        cases: vec![case],
        ended: Vec::new(),
        processes: vec![process()],
        process_ends: Vec::new(),
        visits: vec![visit()],
        failures: Vec::new(),
        observations: Vec::new(),
        looks: Vec::new(),
    }
}

#[test]
fn raw_rows_are_batches() {
    let records = records();
    let text: String = raw::csv(&records).collect();
    let rows = parse(&text);
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[1].join("|"), "s|a,b|x y|base|3|5|true|1|warm-up|10|0|20|100|1|99|cpu=201.5|");
    assert_eq!(rows[2].join("|"), "s|a,b|x y|base|3|5|true|1|warm-up|10|1|20|101|1|99|cpu=201.5|");
    assert_eq!(rows[3].join("|"), "s|a,b|x y|base|3|5|true|1|measured|0||||1|99|cpu=1 gc=0|");
    let lines: Vec<String> = raw::ndjson(&records).collect();
    assert_eq!(lines.len(), 3);
    let first: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!(
        (first["params"]["k"].as_str(), first["counters"]["cpu"].as_f64()),
        (Some("x y"), Some(201.5))
    );
    assert_eq!((first["phase"].as_str(), first["time_ns"].as_u64()), (Some("warm-up"), Some(100)));
    assert!(lines.iter().all(|line| line.ends_with("}\n") && line.matches('\n').count() == 1));
}
