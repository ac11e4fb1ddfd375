//! Tests comparisons with long names on a terminal of 80 columns: every figure and verdict stays visible.

use crate::build::comparison::{change, compared, comparison, exact, side};
use crate::build::{case, wide};
use derny_model::{Change, ComparedCase, Comparison, Quantity};
use derny_report::comparison::{Parts, table};

/// Returns a name of `length` characters. Names with different `at` differ only in two digits at the start,
/// in the middle or at the end.
fn name(length: usize, at: usize) -> String {
    let mut name: String =
        "bench/test_words.py::TestWords::test_join[1000-unicode-".chars().cycle().take(length).collect();
    let place = [2, length / 2, length - 3][at % 3];
    name.replace_range(place..place + 2, &format!("{at:02}"));
    name
}

/// Returns cases with names of `length` characters, whose times are about `ns`.
fn cases(length: usize, ns: f64) -> Vec<ComparedCase> {
    let changes: [[f64; 3]; 5] = [
        [250.1, 238.6, 270.4],
        [-15.3, -16.0, -14.5],
        [0.36, 0.31, 0.41],
        [1.6, -2.7, 6.2],
        [0.0, -0.4, 0.3],
    ];
    let one = |(at, figures): (usize, [f64; 3])| {
        let time = change(ns, ns * (1.0 + figures[0] / 100.0), figures, 0.01);
        let mean = Change { quantity: Quantity::Mean, ..time.clone() };
        let own = if at == 0 { vec![time, mean, exact("allocated", 48.0, 96.0)] } else { vec![time] };
        let mut case = compared(case("tests", &name(length, at), &[]), vec![(1, own)]);
        case.sides[0].split = at == 0;
        case
    };
    changes.into_iter().enumerate().map(one).collect()
}

fn designed(length: usize, ns: f64, names: [&str; 2]) -> Comparison {
    let sides = names.map(|name| side(name, "k3fz", "9d31e0a", false));
    comparison(sides.to_vec(), cases(length, ns))
}

#[test]
fn names_of_any_length_leave_room_for_base_new_change_interval_and_verdict() {
    let long = ["a-branch-with-a-long-name", "another-branch-with-a-long-name"];
    for names in [["main", "head"], long] {
        for length in 20..=120 {
            for ns in [0.4312, 41.31, 999.9, 1312.0, 41_300.0, 7.3e6, 812e6, 41.3e9] {
                for all in [false, true] {
                    holds(&designed(length, ns, names), length, all);
                }
            }
        }
    }
}

/// Asserts that the table fits, contains all figures of all rows, and has distinct names.
fn holds(comparison: &Comparison, length: usize, all: bool) {
    let parts = Parts { header: false, all };
    let text = table(comparison, &wide(80), parts);
    let head = text.lines().find(|line| line.ends_with("verdict")).unwrap();
    let rows = || text.lines().skip_while(|line| *line != head);
    let widest = rows().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 80, "{widest}\n{text}");
    assert!(head.contains("change  95 % interval  verdict"), "{text}");
    let sides: Vec<&str> = head.split("change").next().unwrap().split_whitespace().collect();
    assert!(sides.len() == 2 && sides[0] != sides[1], "{text}");
    let figures = |line: &str| -> Vec<String> {
        let cells = line.trim().split("  ").map(str::trim).filter(|cell| !cell.is_empty());
        let cells: Vec<String> = cells.map(str::to_owned).collect();
        cells.into_iter().rev().take(5).collect()
    };
    let is_row = |line: &&str| line.contains('%') && (line.contains('…') || line.contains("exact"));
    let rows: Vec<&str> = rows().skip(1).filter(is_row).collect();
    let rows: Vec<Vec<String>> = rows.into_iter().map(figures).collect();
    assert_eq!(rows.len(), 7, "{text}");
    for row in &rows {
        let [verdict, interval, change, new, base] = &row[..] else { panic!("{row:?}\n{text}") };
        assert!(
            ["slower", "faster", "same", "unclear", "worse"].iter().any(|v| verdict.starts_with(v)),
            "{row:?}"
        );
        assert!(change.ends_with('%') && (interval.contains('…') || interval == "exact"), "{row:?}");
        assert!([new, base].iter().all(|value| value.ends_with('s') || value.ends_with('B')), "{row:?}");
    }
    if length <= 76 {
        for at in 0..5 {
            assert!(
                text.contains(&name(length, at)),
                "{at}: a name that a terminal can show is whole\n{text}"
            );
        }
    } else {
        let mut names: Vec<&str> = text.lines().filter(|line| line.contains("─ ")).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 5, "{text}");
    }
}

#[test]
fn a_long_name_has_a_line_of_its_own() {
    let mut comparison = designed(58, 1312.0, ["main", "head"]);
    comparison.cases.truncate(2);
    comparison.cases[1].case.id.benchmark = "test_split".to_owned();
    let text = table(&comparison, &wide(80), Parts::default());
    let expected = "\
                                main      head    change  95 % interval  verdict
tests   time/op
├─ be00h/test_words.py::TestWords::test_join[1000-unicode-ben
│                           1.312 µs   4.59 µs    +250 %    +239 … +270  slower
│  mean/op                  1.312 µs   4.59 µs    +250 %    +239 … +270  slower
│  alloc/op                     48 B      96 B  +100.0 %          exact  worse
└─ test_split               1.312 µs  1.111 µs   −15.3 %  −16.0 … −14.5  faster
";
    assert!(text.contains(expected), "{text}");
}
