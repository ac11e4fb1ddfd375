//! Formats comparisons as JUnit XML, which CI services show as a list of tests. A case that is slower beyond
//! the margin is a failure. An undecided or unmeasured case is skipped. A failed harness is an error.

use super::{notes, quantities, rows};
use crate::style::visible;
use crate::{Style, numbers, subject};
use derny_model::{CaseOutcome, ComparedCase, ComparedSide, Comparison, Failure, Unmeasured, Verdict};

const STYLE: Style = Style { width: None, ascii: false, colour: false };

/// Returns a test suite per suite, and a test per case and side.
pub fn comparison(comparison: &Comparison) -> String {
    let sides = rows::sides(comparison);
    let several = sides.len() > 1;
    let compared = comparison.cases.iter().map(|case| {
        let tests =
            rows::compared(case, &sides).into_iter().map(|side| test(comparison, case, side, several));
        (case.case.id.suite.as_str(), tests.collect())
    });
    let unmeasured = comparison
        .unmeasured
        .iter()
        .map(|case| (case.case.id.suite.as_str(), unmeasured(comparison, case, several)));
    let mut suites: Vec<(&str, Vec<Test>)> = Vec::new();
    for (suite, tests) in compared.chain(unmeasured) {
        let tests: Vec<Test> = tests;
        match suites.iter_mut().find(|(name, _)| *name == suite) {
            Some((_, all)) => all.extend(tests),
            None => suites.push((suite, tests)),
        }
    }
    if !comparison.failures.is_empty() {
        suites.push(("harnesses", comparison.failures.iter().map(failed).collect()));
    }
    let counts = |tests: &[Test]| {
        let of = |outcome: TestOutcome| tests.iter().filter(|test| test.outcome == outcome).count();
        format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
            tests.len(),
            of(TestOutcome::Failure),
            of(TestOutcome::Error),
            of(TestOutcome::Skipped)
        )
    };
    let all: Vec<Test> = suites.iter().flat_map(|(_, tests)| tests).cloned().collect();
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    out.push_str(&format!("<testsuites name=\"derny compare\" {}>\n", counts(&all)));
    for (name, tests) in &suites {
        out.push_str(&format!("  <testsuite name=\"{}\" {}>\n", escape(name), counts(tests)));
        let measured = [vec![notes::together(comparison, &STYLE)], notes::same(comparison, &STYLE)].concat();
        let measured = escape(&measured.join("; "));
        out.push_str(&format!(
            "    <properties>\n      <property name=\"measured\" value=\"{measured}\"/>\n    </properties>\n"
        ));
        tests.iter().for_each(|test| out.push_str(&element(test)));
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TestOutcome {
    Passed,
    Failure,
    Skipped,
    Error,
}

#[derive(Debug, Clone)]
struct Test {
    class: String,
    name: String,
    file: Option<(String, Option<u32>)>,
    outcome: TestOutcome,
    message: String,
    figures: String,
}

fn test(comparison: &Comparison, case: &ComparedCase, side: &ComparedSide, several: bool) -> Test {
    let name = subject::id(comparison, case, side.side).name();
    let against = subject::beside(comparison, side.side, &STYLE).filter(|_| several);
    let margin = side.decisive().map_or(comparison.margin, |change| rows::margin(comparison, change));
    let margin = numbers::confidence(margin, &STYLE);
    let slower = if side.decisive().is_none_or(rows::is_time) { "slower" } else { "worse" };
    let (outcome, message) = match side.outcome {
        CaseOutcome::NotMeasured => {
            let why = notes::lacks(side, &STYLE).unwrap_or_default();
            (TestOutcome::Skipped, format!("not measured: {why}"))
        }
        _ if side.changes.is_empty() => (TestOutcome::Skipped, "nothing to compare".to_owned()),
        CaseOutcome::Worse => (TestOutcome::Failure, format!("{slower} by more than {margin}")),
        CaseOutcome::Undecided => match side.decisive().map(|change| change.verdict) {
            Some(Verdict::Worse) => {
                (TestOutcome::Skipped, format!("{slower}, perhaps by less than {margin}"))
            }
            _ => (TestOutcome::Skipped, "unclear".to_owned()),
        },
        CaseOutcome::Unjudged => (TestOutcome::Skipped, "unclear".to_owned()),
        _ => (TestOutcome::Passed, String::new()),
    };
    let detail = side.decisive().map_or(String::new(), |change| {
        let footnote =
            rows::footnote(comparison, change, &STYLE).map_or(String::new(), |text| format!("; {text}"));
        format!(": {}{footnote}", rows::figures_on_one_line(side, change, &STYLE))
    });
    Test {
        class: case.case.id.suite.clone(),
        name: against.map_or(name.clone(), |against| format!("{name} ({against})")),
        file: case.case.file.clone().map(|file| (file, case.case.line)),
        outcome,
        message: if message.is_empty() { message } else { message + &detail },
        figures: figures(comparison, case, side),
    }
}

/// Returns a test for each side that lacks the case. Returns a single test if the base lacks the case, or if
/// `several` is false because there is only one side.
fn unmeasured(comparison: &Comparison, case: &Unmeasured, several: bool) -> Vec<Test> {
    let name = case.case.id.name();
    let (outcome, word) = match case.outcome {
        CaseOutcome::Failed => (TestOutcome::Error, "not measured"),
        CaseOutcome::Skipped => (TestOutcome::Skipped, "skipped"),
        _ => (TestOutcome::Skipped, "not measured"),
    };
    let of = |name: String| Test {
        class: case.case.id.suite.clone(),
        name,
        file: case.case.file.clone().map(|file| (file, case.case.line)),
        outcome,
        message: format!("{word}: {}", notes::why(comparison, case, &STYLE)),
        figures: String::new(),
    };
    // Without the base, no side can be compared.
    if !several || case.sides.contains(&0) {
        return vec![of(name.to_string())];
    }
    let side = |side: &u32| of(format!("{name} ({})", rows::name(comparison, *side, &STYLE)));
    case.sides.iter().map(side).collect()
}

fn figures(comparison: &Comparison, case: &ComparedCase, side: &ComparedSide) -> String {
    let lines = quantities::shown(comparison, case, side, true).into_iter().map(|change| {
        let [base, new] = rows::values(case, side.side, change, &STYLE);
        format!(
            "{}: {base} → {new}, {}, {}\n",
            quantities::quantity(case, change, &STYLE),
            rows::figures_on_one_line(side, change, &STYLE),
            rows::words(comparison, side, change, &STYLE)
        )
    });
    lines.collect()
}

fn failed(failure: &Failure) -> Test {
    Test {
        class: "harnesses".to_owned(),
        name: format!("{} {}", failure.code.text(), failure.place.join(" · ")),
        file: None,
        outcome: TestOutcome::Error,
        message: failure.what.clone(),
        figures: failure.why.clone(),
    }
}

fn element(test: &Test) -> String {
    let file = test.file.as_ref().map_or(String::new(), |(file, line)| {
        let line = line.map_or(String::new(), |line| format!(" line=\"{line}\""));
        format!(" file=\"{}\"{line}", escape(file))
    });
    let head = format!(
        "    <testcase classname=\"{}\" name=\"{}\"{file}>\n",
        escape(&test.class),
        escape(&test.name)
    );
    let message = escape(&test.message);
    let outcome = match test.outcome {
        TestOutcome::Passed => String::new(),
        TestOutcome::Failure => format!("      <failure type=\"slower\" message=\"{message}\"/>\n"),
        TestOutcome::Skipped => format!("      <skipped message=\"{message}\"/>\n"),
        TestOutcome::Error => format!("      <error type=\"failed\" message=\"{message}\"/>\n"),
    };
    let figures: Vec<String> = test.figures.trim_end().lines().map(escape).collect();
    format!("{head}{outcome}      <system-out>{}</system-out>\n    </testcase>\n", figures.join("\n"))
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\u{fffe}' | '\u{ffff}' => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_ends_an_attribute_or_an_element() {
        assert_eq!(escape("a\"b'c<d>&e"), "a&quot;b&apos;c&lt;d&gt;&amp;e");
        assert_eq!(escape("]]>\x00\u{ffff}\n"), "]]&gt;\\x00\\u{ffff}\\n");
    }
}
