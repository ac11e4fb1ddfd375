//! Tests which metrics of a comparison have rows, and how the others are mentioned.

use crate::build::comparison::{change, compared, comparison, exact, side};
use crate::build::{UNICODE, case};
use derny_model::{Change, Comparison};
use derny_report::comparison::{Parts, markdown, table};

/// Returns two slower cases. The first also has more of each metric.
fn with(metrics: &[&str]) -> Comparison {
    let sides = ["main", "head"].map(|name| side(name, "k3fz", "9d31e0a", false));
    let time = || change(100.0, 120.0, [20.0, 19.0, 21.0], 0.01);
    let many: Vec<Change> =
        [time()].into_iter().chain(metrics.iter().map(|name| exact(name, 1.0, 9.0))).collect();
    let cases = [("join", many), ("split", vec![change(100.0, 150.0, [50.0, 49.0, 51.0], 0.01)])];
    comparison(
        sides.to_vec(),
        cases.map(|(name, changes)| compared(case("words", name, &[]), vec![(1, changes)])).to_vec(),
    )
}

fn short(comparison: &Comparison) -> String {
    table(comparison, &UNICODE, Parts::default())
}

#[test]
fn a_metric_that_does_not_decide_is_named_with_its_meaning() {
    let text = short(&with(&["peak", "kept", "allocated", "requests"]));
    let line = "also changed: peak/op (peak memory in use, 1 worse), kept/op (memory not freed, 1 worse); \
                -v has the figures\n";
    assert!(text.contains(line), "{text}");
    assert!(
        text.contains("  alloc/op") && text.contains("  requests/op") && !text.contains("  peak/op"),
        "{text}"
    );
    assert!(text.contains("\nalloc/op: memory allocated\n"), "{text}");
    let all = table(&with(&["peak", "kept"]), &UNICODE, Parts { header: false, all: true });
    assert!(all.contains("  peak/op") && !all.contains("also changed"), "{all}");
    assert!(all.contains("peak/op: peak memory in use; kept/op: memory not freed\n"), "{all}");
}

#[test]
fn a_metric_that_decides_or_was_requested_has_a_row() {
    let mut deciding = with(&["peak"]);
    deciding.cases[0].sides[0].decided_by = Some(1);
    let mut requested = with(&["peak"]);
    requested.metrics = vec!["time".into(), "peak".into()];
    for comparison in [deciding, requested] {
        let text = short(&comparison);
        assert!(text.contains("  peak/op") && !text.contains("also changed"), "{text}");
    }
}

#[test]
fn a_comment_has_time_above_the_other_quantities_of_a_case() {
    for metric in ["cpu_process", "peak", "allocated", "requests"] {
        let comment = markdown::comment(&with(&[metric]), &UNICODE);
        let rows: Vec<&str> = comment.lines().filter(|line| line.starts_with("| words")).collect();
        assert!(rows[0].contains("split | time/op") && rows[1].contains("join | time/op"), "{comment}");
        let has_row = ["allocated", "requests"].contains(&metric);
        assert_eq!(rows.len(), 2 + usize::from(has_row), "{comment}");
        assert_eq!(comment.contains("also changed: peak"), metric == "peak", "{comment}");
        assert!(!comment.contains("cpu_process") && !comment.contains("-v"), "{comment}");
    }
}
