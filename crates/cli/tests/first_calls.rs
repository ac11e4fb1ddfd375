//! Tests benchmarks written for another program that reports the first call in a fresh process. Derny
//! reports that call in addition to the steady time.
#![cfg(unix)]

use crate::place::{self, Place, number};
use serde_json::Value;

fn run(place: &Place, flags: &[&str], harness: &[&str]) {
    let case = ["--set", "warmup=300ms", "fake/sized", "-p", "n=100000", "--", "--made-up", "--noise=1"];
    place.tiny(&[flags, &case[..], harness].concat()).expect(0);
}

/// Returns the result of the only case of the last run.
fn result(place: &Place) -> Value {
    place.document()["suites"][0]["cases"][0]["variants"][0].clone()
}

/// Flags for a benchmark of another program whose first call takes four times as long.
const FOREIGN: [&str; 3] = ["--scale=0", "--runner=Node", "--cold=300"];

/// Returns the cells of a table's header and of its only row. At least two spaces separate columns.
fn cells(table: &str) -> (Vec<String>, Vec<String>) {
    let split = |line: &str| -> Vec<String> {
        line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
    };
    let head = table.lines().find(|line| line.contains("/op")).unwrap();
    let row = table.lines().find(|line| line.contains("sized n=100000")).unwrap();
    (split(head), split(row))
}

#[test]
fn the_first_call_and_the_steady_time_are_two_columns() {
    let place = Place::new();
    run(&place, &[], &FOREIGN);
    let shown = place.derny(&["show"]).expect(0).out;
    let (head, row) = cells(&shown);
    assert_eq!(head[0], "as Node runs it/op", "{shown}");
    let steady = head.iter().position(|cell| cell == "steady/op").unwrap_or_else(|| panic!("{shown}"));
    // The row begins with the name of the case.
    let ns = |at: usize| row[at + 1].trim_end_matches(" ns").parse::<f64>().unwrap();
    assert!((180.0..220.0).contains(&ns(0)), "{shown}");
    assert!((48.0..52.0).contains(&ns(steady)), "{shown}");
    assert!(!head.iter().any(|cell| cell.starts_with("time/")), "{shown}");
    // The document contains both times.
    let result = result(&place);
    let first = result["metrics"]
        .as_array()
        .unwrap()
        .iter()
        .find(|m| m["metric"]["name"] == "as Node runs it")
        .unwrap();
    assert!((180.0..220.0).contains(&number(&first["estimate"]["value"])));
    assert!((48.0..52.0).contains(&number(&result["time"]["typical"]["value"])));
    // Other harnesses report no first-call time.
    run(&place, &[], &["--scale=0", "--cold=300"]);
    let shown = place.derny(&["show"]).expect(0).out;
    assert!(cells(&shown).0[0] == "time/op" && !shown.contains("runs it"), "{shown}");
}

#[test]
fn a_body_that_is_called_once_in_a_process_has_no_steady_time() {
    let place = Place::new();
    run(&place, &[], &[&FOREIGN[..], &["--fault=fail-on-second-run"]].concat());
    let shown = place.derny(&["show"]).expect(0).out;
    let (_, row) = cells(&shown);
    assert!(row.iter().any(|cell| cell == "one call"), "{shown}");
    assert_eq!(result(&place)["time"]["unwarmed"], true);
}

/// Returns the rates in a file for Node's scripts, with the text before each.
fn rates(text: &str, separator: char) -> Vec<(String, f64)> {
    let row = |line: &str| {
        let mut fields = line.rsplitn(3, separator);
        let rate = fields.nth(1)?.trim().parse::<f64>().ok()?;
        Some((fields.next()?.to_owned(), rate))
    };
    text.lines().filter_map(row).collect()
}

#[test]
fn files_for_nodes_own_scripts_have_what_node_would_report() {
    let place = Place::new();
    let harness = place::harness();
    // The steady time is the same. Only the first call is slower.
    let words = |cold: &str| format!("{harness} --made-up --noise=1 --scale=0 --runner=Node --cold={cold}");
    let (old, new) = (format!("old={}", words("300")), format!("new={}", words("700")));
    run(&place, &["-x", &old, "-x", &new, "--set", "processes=4"], &[]);
    let compared = place.derny(&["export", "-f", "node-compare"]).expect(0).out;
    let rates_of = |text: &str, name: &str| -> Vec<f64> {
        rates(text, ',')
            .into_iter()
            .filter(|(before, _)| before.contains(name))
            .map(|(_, rate)| rate)
            .collect()
    };
    for (name, first) in [("\"old\"", 200.0), ("\"new\"", 400.0)] {
        let rates = rates_of(&compared, name);
        assert_eq!(rates.len(), 4, "{compared}");
        assert!(rates.iter().all(|rate| (1e9 / rate / first - 1.0).abs() < 0.1), "{name} {rates:?}");
    }
    let run = place.derny(&["export", "-f", "node-run", "--variant", "old"]).expect(0).out;
    let rates = rates_of(&run, "sized");
    assert_eq!(rates.len(), 4, "{run}");
    assert!(rates.iter().all(|rate| (1e9 / rate / 200.0 - 1.0).abs() < 0.1), "{run}");
    // The table in Node's format shows the same change.
    let view = place.derny(&["compare", "--view", "node"]).expect(0).out;
    let row = view.lines().find(|line| line.contains("sized n=100000")).unwrap();
    let change = row.split(" %").next().unwrap().rsplit(' ').next().unwrap();
    assert!((-55.0..-45.0).contains(&change.parse::<f64>().unwrap()), "{view}");
}
