//! Tests the terminal formats of other tools.

use crate::build::comparison::{designed, mixed};
use crate::build::{self, ASCII, UNICODE, decoder, expect};
use derny_model::*;
use derny_report::views::{ministat, node, plain};

fn sample(name: &str, values: &[f64], against: Option<ClassicTest>) -> ClassicSample {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    ClassicSample {
        name: name.to_owned(),
        values: values.to_vec(),
        minimum: sorted[0],
        q1: sorted[sorted.len() / 4],
        median: sorted[sorted.len() / 2],
        q3: sorted[sorted.len() * 3 / 4],
        maximum: sorted[sorted.len() - 1],
        mean,
        standard_deviation: (values.len() > 1).then(|| (squares / (values.len() as f64 - 1.0)).sqrt()),
        low_outliers: 0,
        high_outliers: 1,
        outlier_variance: (values.len() > 2).then(|| (0.956_377, "severe".to_owned())),
        against,
    }
}

fn tests(p: f64, difference: f64, half: f64) -> ClassicTest {
    let levels = [0.8, 0.9, 0.95, 0.98, 0.99].map(|level| (level, difference.abs() > half * level));
    ClassicTest {
        welch: Welch { improvement: -difference / 41.0, p, accuracy: [0.334_9, 0.448_6, 0.590_04] },
        student: Student { confidence: 0.95, difference, half, pooled: 1.063_65, levels: levels.to_vec() },
    }
}

fn classic(comparison: &Comparison) -> Vec<ClassicCase> {
    let names: Vec<&str> = comparison.sides.iter().map(|side| side.name.as_str()).collect();
    let base = [41.0, 41.4, 40.8, 41.9, 43.5, 41.2, 41.3, 41.0];
    let case = |index: usize, p: f64, difference: f64| ClassicCase {
        case: comparison.cases[index].case.clone(),
        index: index as u32,
        samples: vec![
            sample(names[0], &base, None),
            sample(names[1], &base.map(|value| value + difference), Some(tests(p, difference, 1.1))),
        ],
    };
    vec![case(0, 0.000_2, -6.3), case(1, 0.3, -0.2)]
}

#[test]
fn ministat_with_a_baseline() {
    let comparison = designed();
    let text = ministat::comparison(&comparison, &classic(&comparison), &UNICODE);
    expect("view.ministat.txt", &text);
    assert!(
        text.contains("Difference at 95.0% confidence\n")
            && text.contains("No difference proven at 95.0% confidence\n")
    );
    assert!(text.contains("\nderny: HEAD faster, −15.3 % (−16.0 … −14.5)\n"), "{text}");
    assert!(ministat::comparison(&comparison, &classic(&comparison), &ASCII).is_ascii());
}

#[test]
fn ministat_marks_every_value_once() {
    let comparison = designed();
    let text = ministat::comparison(&comparison, &classic(&comparison)[..1], &UNICODE);
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
    assert!(rows.iter().all(|row| row.chars().count() == 76), "{text}");
    let count = |mark: char| rows.iter().map(|row| row.matches(mark).count()).sum::<usize>();
    assert_eq!((count('x') + count('*'), count('+') + count('*')), (8, 8), "{text}");
    assert_eq!((count('A'), count('*')), (2, 0), "the two samples lie apart\n{text}");
}

#[test]
fn ministat_without_a_baseline() {
    let document = decoder();
    let case = ClassicCase {
        case: document.cases().next().unwrap().case.clone(),
        index: 0,
        samples: vec![sample("base", &[41.0, 41.4, 40.8, 41.9], None)],
    };
    let text = ministat::document(&document, &[case], &UNICODE);
    expect("view.ministat.bare.txt", &text);
    assert!(!text.contains("Relative") && text.ends_with("derny: 41.3 ns, 95 % interval 41.1 … 41.6\n"));
    let single = ClassicCase {
        case: document.cases().next().unwrap().case.clone(),
        index: 0,
        samples: vec![sample("base", &[41.0], None), sample("new", &[42.0], None)],
    };
    let text = ministat::document(&document, &[single], &UNICODE);
    assert!(text.contains("Not enough different values for a test"), "{text}");
}

#[test]
fn node_has_stars_and_three_levels() {
    let comparison = designed();
    let text = node::node(&comparison, &classic(&comparison), &UNICODE);
    expect("view.node.txt", &text);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].ends_with("confidence improvement accuracy (*)    (**)   (***)"), "{text}");
    assert!(lines[1].contains("        *** ") && lines[1].ends_with("    ±33.49% ±44.86% ±59.00%"), "{text}");
    assert!(!lines[2].contains('*'));
    assert!(text.contains("2 cases without times on both sides are not in this table"));
    let mut single = classic(&comparison);
    single[0].samples[1].against = None;
    single[0].case.id.params =
        vec![("kind".to_owned(), "it's".to_owned()), ("n".to_owned(), "1e3".to_owned())];
    let text = node::node(&comparison, &single, &UNICODE);
    assert_eq!(text.lines().nth(1).unwrap().matches("NA").count(), 4, "{text}");
    assert!(
        text.lines().nth(1).unwrap().contains(" kind=\"it's\" n=1000 "),
        "as compare.js writes it: {text}"
    );
}

#[test]
fn plain_is_a_line_per_case() {
    let expected = "
string_decoder/ascii 32
string_decoder/ascii 32: 24,213,075

string_decoder/utf8 32
string_decoder/utf8 32: 16,977,929

string_decoder/utf8 4096
string_decoder/utf8 4096: 311,333

string_decoder/base64 128
string_decoder/base64 128: 4,897,160
";
    assert_eq!(plain::plain(&decoder()), expected);
    let text = plain::plain(&build::mixed());
    assert!(
        text.contains("\nsort/radix\nsort/radix n=1000 kind=\"random\" variant=\"old\": 82,644.6\n"),
        "{text}"
    );
}

#[test]
fn hostile_names_stay_on_their_line() {
    let comparison = mixed();
    let case = ClassicCase {
        case: comparison.cases[2].case.clone(),
        index: 2,
        samples: vec![
            sample("old", &[3e9, 3.1e9, 3.05e9], None),
            sample("new", &[3.6e9, 3.7e9, 3.5e9], Some(tests(0.02, 5.5e8, 1e8))),
        ],
    };
    for text in [
        node::node(&comparison, std::slice::from_ref(&case), &UNICODE),
        ministat::comparison(&comparison, &[case], &UNICODE),
    ] {
        assert!(!text.contains('\x1b') && text.contains("\\x1b[31m\\n"), "{text}");
    }
}
