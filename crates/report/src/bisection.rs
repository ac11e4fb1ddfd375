//! The answer of `derny bisect`, and its measurements one by one.

use crate::Style;
use crate::numbers;
use crate::style::{Paint, columns, visible, wrap};
use derny_model::{
    BisectedCommit, Bisection, BisectionOutcome, BisectionProbe, Direction, Estimate, ProbeVerdict,
};

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
    let change = probe.change.as_ref().map_or_else(|| visible(&probe.why).into_owned(), |own| of(own, style));
    let verdict = probe.verdict.words();
    let mut line = format!("{}  {}", short(&probe.commit.hash), padded(&change, CHANGE));
    line.push_str("  ");
    line.push_str(&padded(verdict, VERDICT));
    if probe.verdict == ProbeVerdict::Skipped {
        line = format!("{}  {verdict}: {}", short(&probe.commit.hash), first_line(&change));
    }
    let line = format!("{line}  {}", style.paint(Paint::Dim, &visible(&probe.commit.subject)));
    line.trim_end().to_owned()
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

/// Returns the answer as text.
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
