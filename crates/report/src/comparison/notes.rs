//! The lines around a comparison's table: what was compared and how, a summary of the verdicts, other
//! differences between the sides, and limits.

use super::{rows, unclear};
use crate::style::{Paint, wrap};
use crate::{Style, numbers};
use derny_model::{
    CaseOutcome, Commit, ComparedSide, Comparison, Pairing, Reason, SameCode, Side, Unmeasured,
};

/// Maximum number of names in a list.
const LISTED: usize = 6;

pub(crate) fn line(text: &str, style: &Style) -> String {
    format!("{}\n", style.paint(Paint::Dim, &wrap(text, style, 2)))
}

/// Formats the header, such as `main 41bc9f2 (h81q) → HEAD 9d31e0a+ (k3fz) · unpaired, against stored run
/// h81q of 3 days earlier · same machine · margin 1 %`.
pub(crate) fn header(comparison: &Comparison, style: &Style) -> String {
    line(&facts(comparison, style).join(style.dot()), style)
}

pub(crate) fn facts(comparison: &Comparison, style: &Style) -> Vec<String> {
    let sides = &comparison.sides;
    let Some(base) = sides.first() else { return Vec::new() };
    let one_run = sides.iter().all(|side| side.run == base.run);
    let one_commit = sides.iter().all(|side| side.commit == base.commit);
    let named: Vec<String> = sides.iter().map(|side| named(side, one_run, one_commit, style)).collect();
    let arrow = style.pick(" → ", " -> ");
    let mut facts = vec![[named[0].clone(), named[1..].join(", ")].join(arrow)];
    if one_run {
        let commit = base.commit.as_ref().filter(|_| one_commit).map(short);
        facts.push(style.prose(&["run", &base.run, &commit.unwrap_or_default()].join(" ")).trim().to_owned());
    }
    facts.push(together(comparison, style));
    if !one_run {
        let moved = comparison.context.iter().any(|other| matches!(other.what.as_str(), "machine" | "cpu"));
        let nameless = sides.iter().any(|side| side.unnamed_machine);
        let machine = match (moved, nameless) {
            (true, _) => "another machine",
            (false, true) => "machine unknown",
            (false, false) => "same machine",
        };
        facts.push(machine.to_owned());
    }
    facts.push(format!("margin {}", numbers::confidence(comparison.margin, style)));
    facts
}

/// Describes how the sides were measured: `main (41bc9f2) measured again, in pairs`, or against a stored run.
pub(crate) fn together(comparison: &Comparison, style: &Style) -> String {
    let before = match comparison.apart_ms {
        0 => String::new(),
        ms => format!(" of {} earlier", span(ms)),
    };
    match (comparison.pairing, &comparison.against) {
        (Pairing::Paired, None) => "paired".to_owned(),
        (Pairing::Paired, Some(against)) => {
            let commit =
                against.commit.as_ref().map_or(String::new(), |commit| format!(" ({})", short(commit)));
            style.prose(&format!("{}{commit} measured again, in pairs", comparison.sides[0].name))
        }
        (Pairing::Unpaired, None) => "unpaired".to_owned(),
        (Pairing::Unpaired, Some(against)) => {
            format!("unpaired, against stored run {}{before}", style.prose(&against.run))
        }
    }
}

/// Returns the name of a side, with its run and commit if those differ between sides.
fn named(side: &Side, one_run: bool, one_commit: bool, style: &Style) -> String {
    let mut text = style.prose(&side.name);
    if let Some(own) = side.benchmark.as_ref().filter(|own| **own != side.name) {
        text = format!("{text}:{}", style.prose(own));
    }
    if let Some(commit) = side.commit.as_ref().filter(|_| !one_commit || !one_run) {
        text = format!("{text} {}", style.prose(&short(commit)));
    }
    if !one_run && side.run != side.name {
        text = format!("{text} ({})", style.prose(&side.run));
    }
    text
}

fn short(commit: &Commit) -> String {
    let hash: String = commit.hash.chars().take(7).collect();
    format!("{hash}{}", if commit.dirty { "+" } else { "" })
}

fn span(ms: u64) -> String {
    const DAY: u64 = 86_400_000;
    match ms / DAY {
        0 => numbers::wall(ms * 1_000_000),
        days => numbers::counted(days as usize, "day", "days"),
    }
}

/// Returns a sentence for each side with the same code as the base:
/// `base and head are the same shop 1.0, byte for byte`.
pub(crate) fn same(comparison: &Comparison, style: &Style) -> Vec<String> {
    let base = rows::name(comparison, 0, style);
    let sentence = |same: &SameCode| {
        format!("{base} and {} {}", rows::name(comparison, same.side, style), style.prose(&same.how))
    };
    comparison.same.iter().map(sentence).collect()
}

pub(crate) fn first_lines(comparison: &Comparison, style: &Style) -> Vec<String> {
    same(comparison, style).into_iter().chain([headline(comparison, style)]).collect()
}

/// Returns a one-line summary, such as `2 of 14 slower, worst: parse n=1000 +9.8 %; 1 faster; 11 same`.
pub(crate) fn headline(comparison: &Comparison, style: &Style) -> String {
    if comparison.cases.is_empty() {
        return nothing(comparison).to_owned();
    }
    let mut parts = rows::tally_words(comparison, style);
    let open = comparison.unmeasured.iter().filter(|case| case.outcome != CaseOutcome::Skipped).count();
    if open > 0 {
        parts.push(format!("{open} not measured"));
    }
    parts.extend(unclear::why_all(comparison, style));
    if parts.is_empty() {
        return "nothing to compare: no case has the requested metrics on both sides".to_owned();
    }
    parts.join("; ")
}

/// Returns a sentence about multiple comparisons: `4 comparisons, false-discovery rate controlled at 5 %`.
/// `None` for a single comparison.
pub(crate) fn family(comparison: &Comparison, style: &Style) -> Option<String> {
    let rate = numbers::confidence(1.0 - comparison.confidence, style);
    (comparison.family > 1)
        .then(|| format!("{} comparisons, false-discovery rate controlled at {rate}", comparison.family))
}

pub(crate) fn nothing(comparison: &Comparison) -> &'static str {
    let any = |outcome: CaseOutcome| comparison.unmeasured.iter().any(|case| case.outcome == outcome);
    match (any(CaseOutcome::NotMeasured) || any(CaseOutcome::Failed), comparison.alone.is_empty()) {
        (true, _) => "nothing to compare: no case was measured on both sides",
        (false, false) => "nothing to compare: no case is on both sides",
        (false, true) if any(CaseOutcome::Skipped) => "nothing to compare: harnesses skipped every case",
        (false, true) => "nothing to compare: no case was measured",
    }
}

/// Explains why a case was not measured: `the time ran out before it was measured (new)`. Names the sides,
/// unless no side measured it.
pub(crate) fn why(comparison: &Comparison, case: &Unmeasured, style: &Style) -> String {
    let because = style.prose(&case.because);
    if case.sides.len() == comparison.sides.iter().filter(|side| !side.control).count() {
        return because;
    }
    let names: Vec<String> = case.sides.iter().map(|side| rows::name(comparison, *side, style)).collect();
    format!("{because} ({})", names.join(", "))
}

/// Lists the cases that were not measured, with a line per reason that ends in a remedy.
pub(crate) fn unmeasured(comparison: &Comparison, style: &Style) -> Vec<String> {
    let mut reasons: Vec<(String, &'static str, Vec<String>)> = Vec::new();
    for case in comparison.unmeasured.iter().filter(|case| case.outcome != CaseOutcome::Skipped) {
        let (why, name) = (why(comparison, case, style), style.prose(&case.case.id.to_string()));
        match reasons.iter_mut().find(|(other, ..)| *other == why) {
            Some((.., names)) => names.push(name),
            None => reasons.push((why, remedy(case), vec![name])),
        }
    }
    let line = |(why, remedy, names): &(String, &str, Vec<String>)| {
        format!("not measured: {}: {why}; {remedy}", listed(names))
    };
    reasons.iter().map(line).chain(lacking(comparison, style)).collect()
}

/// Names the requested metrics that only one side has: `only one side has the metric requests`. `None` if
/// there are none.
pub(crate) fn lacks(side: &ComparedSide, style: &Style) -> Option<String> {
    let names: Vec<String> = side.lacks.iter().map(|name| style.prose(name)).collect();
    let word = if names.len() > 1 { "metrics" } else { "metric" };
    (!names.is_empty()).then(|| format!("only one side has the {word} {}", names.join(", ")))
}

/// Lists the cases in which one side lacks a metric, with a line per metric.
fn lacking(comparison: &Comparison, style: &Style) -> Vec<String> {
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    let sides = comparison.cases.iter().flat_map(|case| case.sides.iter().map(move |side| (case, side)));
    for (case, side) in sides.filter(|(_, side)| side.outcome == CaseOutcome::NotMeasured) {
        let (Some(why), name) = (lacks(side, style), style.prose(&case.case.id.to_string())) else {
            continue;
        };
        match reasons.iter_mut().find(|(other, _)| *other == why) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => reasons.push((why, vec![name])),
        }
    }
    reasons.iter().map(|(why, names)| format!("not measured: {}: {why}", listed(names))).collect()
}

fn remedy(case: &Unmeasured) -> &'static str {
    match (case.outcome, case.reason) {
        (CaseOutcome::Failed, _) => "fix it and run it again",
        (_, Reason::Budget) => "use a larger --total or --budget, or fewer cases",
        (_, Reason::Interrupted) => "continue with `derny run --resume`",
        (_, Reason::Skipped) => "make it run on every side, or exclude it with --exclude",
        _ => "run it again",
    }
}

pub(crate) fn verdicts(comparison: &Comparison, style: &Style) -> String {
    let parts = [Some(headline(comparison, style)), family(comparison, style)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Returns everything below the verdicts. `all` adds the number of comparisons.
pub(crate) fn below(comparison: &Comparison, all: bool, style: &Style) -> String {
    let all = [
        family(comparison, style).filter(|_| all).into_iter().collect(),
        unmeasured(comparison, style),
        control(comparison, style),
        context(comparison, style),
        alone(comparison, style),
    ];
    let unknown = comparison.unknown.iter().map(|sentence| style.prose(sentence));
    all.into_iter().flatten().chain(unknown).map(|text| line(&text, style)).collect()
}

pub(crate) fn control(comparison: &Comparison, style: &Style) -> Vec<String> {
    let Some(control) = &comparison.control else { return Vec::new() };
    let base = rows::name(comparison, 0, style);
    let mut text =
        format!("control: {} against itself differs in {} of {}", base, control.alarms, control.comparisons);
    if control.alarms > 0 {
        text.push_str(&format!(", {} beyond the margin", control.material));
    }
    let (floor, half) = (numbers::percent(control.floor, style), numbers::percent(control.half_width, style));
    text.push_str(&format!(
        "; largest change seen {floor}, widest interval {} {half}",
        style.pick("±", "+-")
    ));
    vec![text]
}

pub(crate) fn context(comparison: &Comparison, style: &Style) -> Vec<String> {
    let several = comparison.sides.len() > 2;
    let value = |text: &str| if text.is_empty() { "none".to_owned() } else { style.prose(text) };
    let lines = comparison.context.iter().map(|other| {
        let side =
            if several { format!(" ({})", rows::name(comparison, other.side, style)) } else { String::new() };
        let arrow = style.pick(" → ", " -> ");
        format!(
            "also differs{side}: {} {}{arrow}{}",
            style.prose(&other.what),
            value(&other.base),
            value(&other.new)
        )
    });
    lines.collect()
}

pub(crate) fn alone(comparison: &Comparison, style: &Style) -> Vec<String> {
    let lines = (0..comparison.sides.len() as u32).filter_map(|side| {
        let own = comparison.alone.iter().filter(|(of, _)| *of == side);
        let names: Vec<String> = own.map(|(_, name)| style.prose(name)).collect();
        let text = format!("only in {}: {}", rows::name(comparison, side, style), listed(&names));
        (!names.is_empty()).then_some(text)
    });
    lines.collect()
}

fn listed(names: &[String]) -> String {
    let rest = match names.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {}", numbers::counted(more, "more case", "more cases")),
    };
    format!("{}{rest}", names[..names.len().min(LISTED)].join(", "))
}
