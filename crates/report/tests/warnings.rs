//! Tests warnings under a table: their selection, their number of lines, and the marks of rows.

use crate::build::{self, ASCII, UNICODE, decoder, expect, wide};
use derny_model::{Document, Warning, WarningClass};
use derny_report::{csv, detail, markdown, terminal, warning};

fn one(code: &str, case: Option<u32>, class: WarningClass, severity: f64) -> Warning {
    let name = case.map_or("this run".to_owned(), |case| format!("case{case}"));
    Warning {
        code: code.to_owned(),
        case,
        message: format!("{name} is {severity} off"),
        remedy: "use more".to_owned(),
        class,
        effect: String::new(),
        decides: true,
        marks: case.is_some(),
        severity,
    }
}

fn with(warnings: Vec<Warning>) -> Document {
    Document { warnings, ..decoder() }
}

#[test]
fn a_code_has_one_line_that_names_the_worst() {
    use WarningClass::{Design, Meaning, Turns};
    let document = with(vec![
        one("DY101", None, Design, 0.9),
        one("DY201", Some(0), Design, 1.0),
        one("DY201", Some(1), Design, 1.0),
        one("DY202", Some(3), Meaning, 1.0),
        one("DY213", Some(0), Turns, 0.1),
        one("DY213", Some(2), Turns, 0.4),
        one("DY213", Some(3), Turns, 0.2),
    ]);
    let text = warning::of_run(&document, false, &UNICODE);
    let expected = "\
warning DY202: case3 is 1 off; use more
  3 more warnings: -v
";
    assert_eq!(text, expected);
    expect("warnings.40.txt", &warning::of_run(&document, false, &wide(40)));
    expect("warnings.all.txt", &warning::of_run(&document, true, &UNICODE));
}

#[test]
fn what_decides_nothing_is_in_the_details_only() {
    let mut document = with(vec![one("DY213", Some(3), WarningClass::Turns, 0.01)]);
    document.warnings[0].effect = "without these turns it is the same".to_owned();
    (document.warnings[0].decides, document.warnings[0].marks) = (false, false);
    let quiet = [
        terminal::summary(&document, &UNICODE),
        warning::of_run(&document, false, &UNICODE),
        markdown::document(&document, false, &UNICODE),
        csv::document(&document),
    ];
    assert!(quiet.iter().all(|text| !text.contains("DY213")), "{quiet:?}");
    for text in [
        warning::of_run(&document, true, &UNICODE),
        markdown::document(&document, true, &UNICODE),
        detail::case(&document, 3, &UNICODE).unwrap(),
    ] {
        assert!(text.contains("case3 is 0.01 off; without these turns it is the same"), "{text}");
    }
    // The warning appears under the table of the run, and not on the row.
    document.warnings[0].decides = true;
    assert!(!terminal::summary(&document, &UNICODE).contains("DY213"));
    assert!(warning::of_run(&document, false, &UNICODE).contains("DY213"));
}

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0 * 48_271 % 0x7fff_ffff;
        self.0 % most
    }
}

#[test]
fn a_table_has_one_line_of_warnings_and_a_document_at_most_five() {
    let mut numbers = Numbers(7);
    let classes = [WarningClass::Meaning, WarningClass::Turns, WarningClass::Design];
    let mut most = 0;
    for _ in 0..500 {
        let count = numbers.below(60);
        let warnings = (0..count).map(|_| {
            let case = Some(numbers.below(5) as u32).filter(|case| *case < 4);
            let code = format!("DY2{:02}", numbers.below(30));
            let class = classes[numbers.below(3) as usize];
            let decides = numbers.below(3) > 0;
            Warning { decides, ..one(&code, case, class, numbers.below(9) as f64) }
        });
        let document = with(warnings.collect());
        let mut codes: Vec<&str> =
            document.warnings.iter().filter(|own| own.decides).map(|own| own.code.as_str()).collect();
        codes.sort_unstable();
        codes.dedup();
        let mut comparison = build::comparison::designed();
        comparison.warnings = document.warnings.clone();
        let items = |text: String| {
            text.lines().filter(|line| line.starts_with("- **warning") || line.ends_with("more: -v")).count()
        };
        let lines = [
            warning::of_run(&document, false, &UNICODE).lines().count(),
            warning::of_comparison(&comparison, false, &ASCII).lines().count(),
            items(markdown::document(&document, false, &UNICODE)),
            items(derny_report::comparison::markdown::comparison(&comparison, false, &UNICODE)),
        ];
        let [table, markdown] = [2, 5].map(|most| codes.len().min(most));
        assert_eq!(lines, [table, table, markdown, markdown], "{:?}", document.warnings);
        let text = warning::of_run(&document, false, &UNICODE);
        match codes.len() {
            0 | 1 => assert!(!text.contains(": -v"), "{text}"),
            2 => assert!(text.ends_with("\n  1 more warning: -v\n"), "{text}"),
            many => assert!(text.ends_with(&format!("\n  {} more warnings: -v\n", many - 1)), "{text}"),
        }
        let all = warning::of_run(&document, true, &UNICODE);
        assert_eq!(all.matches(" off").count(), document.warnings.len(), "every one of them");
        most = most.max(codes.len());
    }
    assert!(most > 15, "{most}");
}
