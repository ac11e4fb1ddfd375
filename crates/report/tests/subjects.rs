//! Tests sides that measure another benchmark than the case's own. Every format names the benchmark that a
//! result belongs to.

use crate::build::comparison::{change, compared, comparison, side};
use crate::build::{ASCII, UNICODE, case, table};
use derny_model::*;
use derny_report::comparison::{annotations, csv, failing, junit, markdown};

/// Returns a comparison of commands. The first is the base, and the others differ from it by `changes` per
/// cent.
fn commands(names: &[&str], params: &[(&str, &str)], changes: &[f64]) -> Comparison {
    let of = |name: &&str| Side {
        variant: (*name).to_owned(),
        benchmark: Some((*name).to_owned()),
        ..side(name, "h81q", "41bc9f2aaaa", false)
    };
    let own = changes.iter().zip(1..).map(|(share, side)| {
        let figures = [*share, share - 0.4, share + 0.4];
        (side, vec![change(10_100_000.0, 10_100_000.0 * (1.0 + share / 100.0), figures, 0.01)])
    });
    let cases = vec![compared(case("command", names[0], params), own.collect())];
    comparison(names.iter().map(of).collect(), cases)
}

fn headline(comparison: &Comparison) -> String {
    table(comparison, &UNICODE, true).lines().next().unwrap().to_owned()
}

#[test]
fn the_slower_command_is_the_one_that_is_called_slower() {
    let slower = commands(&["sleep 0.01", "sleep 0.012"], &[], &[12.6]);
    assert_eq!(headline(&slower), "sleep 0.012 is 1.13× slower than sleep 0.01");
    assert!(table(&slower, &ASCII, true).starts_with("sleep 0.012 is 1.13x slower than sleep 0.01\n"));
    let rows = table(&slower, &UNICODE, true);
    let row = rows.lines().find(|line| line.contains("─ ")).unwrap();
    assert!(row.contains("─ sleep 0.012  ") && row.ends_with("slower"), "{row}");
    let said = annotations::comparison(&slower);
    assert!(said.contains("title=slower%3A command/sleep 0.012::"), "{said}");
    assert!(said.contains("sleep 0.012 is 1.13× slower than sleep 0.01"), "{said}");
    let tests = junit::comparison(&slower);
    assert!(tests.contains("classname=\"command\" name=\"sleep 0.012\""), "{tests}");
    let text = markdown::comparison(&slower, false, &UNICODE);
    assert!(
        text.lines().any(|line| line.starts_with("| command/sleep 0.012 |") && line.contains("**slower**")),
        "{text}"
    );
    let lines = failing(&slower, |outcome| outcome == CaseOutcome::Worse, &UNICODE);
    assert!(lines[0].starts_with("worse: command/sleep 0.012  time  +12.6 %"), "{lines:?}");
    // Formats for programs contain the case's own name, and the side's benchmark next to it.
    assert!(
        csv::comparison(&slower).contains("command,sleep 0.01,sleep 0.01,sleep 0.012,"),
        "{}",
        csv::comparison(&slower)
    );
}

#[test]
fn every_verdict_of_two_commands_is_a_sentence_about_the_second() {
    let of = |share: f64| headline(&commands(&["old", "new"], &[("n", "10")], &[share]));
    assert_eq!(of(-20.0), "new n=10 is 1.25× faster than old n=10");
    assert_eq!(of(1.7), "new n=10 is 1.017× slower than old n=10");
    assert_eq!(of(0.5), "new n=10 is slower than old n=10 by < 1 %");
    assert_eq!(of(-0.5), "new n=10 is faster than old n=10 by < 1 %");
    assert_eq!(of(0.0), "new n=10 against old n=10: same");
    let mut open = commands(&["old", "new"], &[], &[1.2]);
    open.cases[0].sides[0].verdict = Verdict::Unclear;
    assert_eq!(headline(&open), "new against old: unclear");
}

#[test]
fn several_commands_are_rows_under_their_own_names() {
    let three = commands(&["a", "b", "c"], &[], &[50.0, -30.0]);
    let text = table(&three, &UNICODE, true);
    assert!(text.starts_with("1 of 2 slower, worst: b +50.0 %; 1 faster\n"), "{text}");
    let label = |line: &str| line.split_whitespace().nth(1).unwrap_or_default().to_owned();
    let rows: Vec<(String, bool)> = text
        .lines()
        .filter(|line| line.contains("─ "))
        .map(|line| (label(line), line.contains("slower")))
        .collect();
    assert_eq!(rows, [("b".to_owned(), true), ("c".to_owned(), false)], "{text}");
    let tests = junit::comparison(&three);
    assert!(
        tests.contains("name=\"b\"") && tests.contains("name=\"c\"") && !tests.contains("name=\"a"),
        "{tests}"
    );
}

#[test]
fn a_benchmark_in_the_place_of_another_is_named_with_its_side() {
    let mut own = commands(&["quick sort", "merge sort"], &[], &[12.6]);
    for (side, name) in own.sides.iter_mut().zip(["old", "new"]) {
        side.name = name.to_owned();
    }
    assert_eq!(headline(&own), "merge sort is 1.13× slower than quick sort");
    let text = table(&own, &UNICODE, true);
    assert!(text.contains("old:quick sort") && text.contains("new:merge sort"), "{text}");
    // The same benchmark on both sides makes an ordinary case.
    own.sides[0].benchmark = Some("merge sort".to_owned());
    assert_eq!(headline(&own), "merge sort: slower +12.6 %");
    own.sides.iter_mut().for_each(|side| side.benchmark = None);
    assert_eq!(headline(&own), "quick sort: slower +12.6 %");
}
