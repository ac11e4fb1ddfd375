//! Tests tables of repeated runs.

use crate::build::{ASCII, UNICODE, case, expect, wide};
use derny_model::StabilityRow;
use derny_report::stability::stability;

fn row(benchmark: &str, mean_ns: f64, deviation: f64, claimed: Option<f64>, narrow: bool) -> StabilityRow {
    StabilityRow {
        case: case("string_decoder", benchmark, &[]).id,
        variant: String::new(),
        runs: 5,
        mean_ns,
        deviation,
        range: deviation * 2.4,
        claimed,
        intervals: if claimed.is_some() { 5 } else { 0 },
        covering: if narrow { 2 } else { 5 },
        apart: if narrow { 6 } else { 0 },
        narrow,
    }
}

#[test]
fn spread_stands_beside_what_was_claimed() {
    let rows = [
        row("ascii 32", 41.3, 0.0042, Some(0.006), false),
        row("utf8 4096", 3212.0, 0.021, Some(0.005), true),
        row("once", 2.4e9, 0.05, None, false),
    ];
    let text = stability(&rows, &UNICODE);
    expect("stability.txt", &text);
    assert!(
        text.contains("stable\n") && text.contains("intervals too narrow\n") && text.contains("1 of 3 cases")
    );
    assert!(stability(&rows, &ASCII).is_ascii());
    assert!(stability(&rows, &wide(60)).lines().all(|line| line.chars().count() <= 60));
    assert!(stability(&rows[..1], &UNICODE).contains("stable: the runs differ no more"));
    assert_eq!(stability(&[], &UNICODE), "");
}
