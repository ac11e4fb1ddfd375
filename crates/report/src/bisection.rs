//! The answer of `derny bisect`, and its measurements one by one.

use crate::Style;
use crate::numbers;
use crate::style::{Paint, columns, visible, wrap};
use derny_model::{BisectedCommit, Bisection, BisectionOutcome, BisectionProbe, Direction, Estimate};

/// Number of digits of a hash.
const SHORT: usize = 10;
/// Width of a change with its interval.
const CHANGE: usize = 28;
/// Width of a verdict.
const VERDICT: usize = 9;

fn short(hash: &str) -> &str {
    hash.get(..SHORT).unwrap_or(hash)
}

/// Returns a measurement as one line.
pub fn probe(probe: &BisectionProbe, style: &Style) -> String {
    let (hash, verdict) = (short(&probe.commit.hash), probe.verdict.words());
    let line = match &probe.change {
        Some(change) => {
            format!("{hash}  {}  {}", padded(&of(change, style), CHANGE), padded(verdict, VERDICT))
        }
        None => format!("{hash}  {verdict}: {}", visible(first_line(&probe.why))),
    };
    format!("{line}  {}", style.paint(Paint::Dim, &visible(&probe.commit.subject))).trim_end().to_owned()
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Returns a change with its interval.
fn of(change: &Estimate, style: &Style) -> String {
    let is_exact = change.interval.is_some_and(|own| own.lo.total_cmp(&own.hi).is_eq());
    let interval = change.interval.filter(|own| !is_exact && own.lo.is_finite());
    let figure = numbers::relative(&Estimate { interval, ..*change }, style);
    match figure.interval {
        Some(interval) => format!("{} ({interval})", figure.value),
        None => figure.value,
    }
}

/// Returns the result of a bisection as text.
pub fn text(bisection: &Bisection, style: &Style) -> String {
    let word = style.paint(paint(bisection), bisection.outcome.token());
    let because = visible(&bisection.because);
    let change = bisection.change.as_ref().filter(|_| bisection.found.is_some());
    let change = change.map_or_else(String::new, |change| format!(": {}", of(change, style)));
    let mut out = format!("{word}: {because}{change}\n");
    if let Some(found) = &bisection.found {
        out.push_str(&commit(found, style));
    }
    if !bisection.probes.is_empty() {
        let good = &bisection.good;
        let head = format!("against {} ({})", short(&good.hash), visible(&good.subject));
        out.push_str(&format!("\n{}\n", style.paint(Paint::Dim, &head)));
    }
    for one in &bisection.probes {
        let is_confirmation = one.base != bisection.good.hash;
        let against = if is_confirmation { format!("  against {}", short(&one.base)) } else { String::new() };
        out.push_str(&format!("  {}{}\n", probe(one, style), style.paint(Paint::Dim, &against)));
    }
    out.push_str(&rest(bisection, style));
    for note in &bisection.notes {
        let text = format!("note: {}", visible(note));
        out.push_str(&style.paint(Paint::Dim, &wrap(&text, style, 6)));
        out.push('\n');
    }
    out
}

fn paint(bisection: &Bisection) -> Paint {
    let change = bisection.change.map_or(0.0, |change| change.value);
    match (bisection.outcome, bisection.better) {
        (BisectionOutcome::Found, Direction::Less) if change > 0.0 => Paint::Worse,
        (BisectionOutcome::Found, Direction::More) if change < 0.0 => Paint::Worse,
        (BisectionOutcome::Found, Direction::Less | Direction::More) => Paint::Better,
        _ => Paint::Strong,
    }
}

fn commit(commit: &BisectedCommit, style: &Style) -> String {
    let subject = style.paint(Paint::Strong, &visible(&commit.subject));
    format!("  {}  {}  {subject}\n", commit.hash, commit.date)
}

/// Returns the parts of the range that remain to be searched, each with its command.
fn rest(bisection: &Bisection, style: &Style) -> String {
    let (Some(total), Some(change)) = (&bisection.total, &bisection.change) else { return String::new() };
    if bisection.rest.is_empty() {
        return String::new();
    }
    let share = |value: f64| numbers::change(value, style);
    let mut out =
        format!("\nthis is {} of {}; the rest is elsewhere:\n", share(change.value), share(total.value));
    for part in &bisection.rest {
        let case = visible(&bisection.case).replace('\'', "'\\''");
        let command = format!("derny bisect {}..{} '{case}'", short(&part.good), short(&part.bad));
        out.push_str(&format!("  {}  {command}\n", padded(&share(part.change), 8)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_model::{BisectionRest, Interval, ProbeVerdict};

    fn commit(hash: &str, subject: &str) -> BisectedCommit {
        let date = "2026-11-29".to_owned();
        BisectedCommit { hash: hash.repeat(40), subject: subject.to_owned(), date, is_merge: false }
    }

    fn probe_of(
        base: &str,
        commit: BisectedCommit,
        change: Option<f64>,
        verdict: ProbeVerdict,
    ) -> BisectionProbe {
        let interval = |value: f64| Some(Interval { lo: value - 0.005, hi: value + 0.005 });
        let change = change.map(|value| Estimate { value, interval: interval(value) });
        let why = if change.is_some() { String::new() } else { "it does not build\nline 2".to_owned() };
        BisectionProbe { base: base.repeat(40), commit, change, verdict, run: None, why }
    }

    fn bisection() -> Bisection {
        let (good, bad) = (commit("a", "Begin"), commit("b", "End"));
        let found = commit("c", "Clear \u{1b}[2J the screen");
        let probes = vec![
            probe_of("a", bad.clone(), Some(0.17), ProbeVerdict::Differs),
            probe_of("a", commit("d", "Break"), None, ProbeVerdict::Skipped),
            probe_of("e", found.clone(), Some(0.1), ProbeVerdict::Differs),
        ];
        let [total, change] = [0, 2].map(|at| probes[at].change);
        let rest = vec![BisectionRest { good: good.hash.clone(), bad: "e".repeat(40), change: 0.07 }];
        Bisection {
            format: Bisection::FORMAT,
            outcome: BisectionOutcome::Found,
            because: "cccccccccc changes `it's`".into(),
            case: "it's".into(),
            quantity: "typical".into(),
            better: Direction::Less,
            good,
            bad,
            commits: 60,
            margin: 0.01,
            confidence: 0.99,
            total,
            before: Some(commit("e", "Before")),
            found: Some(found),
            change,
            rest,
            probes,
            notes: vec!["a note".into()],
        }
    }

    #[test]
    fn the_answer_names_the_commit_its_probes_and_the_rest() {
        let style = Style { width: Some(100), ascii: true, colour: false };
        let text = text(&bisection(), &style);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "found: cccccccccc changes `it's`: +10.0% (+9.5 .. +10.5)");
        assert!(lines[1].starts_with(&format!("  {}  2026-11-29  Clear ", "c".repeat(40))), "{text}");
        assert!(!text.contains('\u{1b}'), "a subject changes nothing on the screen: {text}");
        assert!(text.contains("dddddddddd  skipped: it does not build  Break\n"), "{text}");
        assert!(text.contains("against eeeeeeeeee\n"), "{text}");
        assert!(text.contains("this is +10.0% of +17.0%; the rest is elsewhere:\n"), "{text}");
        assert!(text.contains("  +7.0%     derny bisect aaaaaaaaaa..eeeeeeeeee 'it'\\''s'\n"), "{text}");
        assert!(text.ends_with("note: a note\n"), "{text}");
    }
}
