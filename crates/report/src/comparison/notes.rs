//! The lines around a comparison's table: who was compared with whom and how, what the verdicts come to, what else differs
//! and what cannot be known.

use super::rows;
use crate::style::{Paint, wrap};
use crate::{Style, numbers};
use derny_model::{Commit, Comparison, Pairing, Side};

/// Names are listed up to this many.
const LISTED: usize = 6;

/// A dim line of prose, wrapped.
pub(crate) fn line(text: &str, style: &Style) -> String {
    format!("{}\n", style.paint(Paint::Dim, &wrap(text, style, 2)))
}

/// `main 41bc9f2 (h81q) → HEAD 9d31e0a+ (k3fz) · unpaired, against stored run h81q of 3 days before · same machine · margin 1 %`.
pub(crate) fn header(comparison: &Comparison, style: &Style) -> String {
    line(&facts(comparison, style).join(style.dot()), style)
}

/// The facts of the header.
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
        facts.push(if moved { "another machine" } else { "same machine" }.to_owned());
    }
    facts.push(format!("margin {}", numbers::confidence(comparison.margin, style)));
    facts
}

/// Whether the sides were measured together: `main (41bc9f2) measured again, in pairs`, or against what.
pub(crate) fn together(comparison: &Comparison, style: &Style) -> String {
    let before = match comparison.apart_ms {
        0 => String::new(),
        ms => format!(" of {} before", span(ms)),
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

/// A side with what tells it from the others.
fn named(side: &Side, one_run: bool, one_commit: bool, style: &Style) -> String {
    let mut text = style.prose(&side.name);
    if let Some(commit) = side.commit.as_ref().filter(|_| !one_commit || !one_run) {
        text = format!("{text} {}", style.prose(&short(commit)));
    }
    if !one_run && side.run != side.name {
        text = format!("{text} ({})", style.prose(&side.run));
    }
    text
}

/// `9d31e0a+`.
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

/// `1 faster, 1 slower, 1 same, 1 unclear; 4 comparisons, false-discovery rate controlled at 5 %`.
pub(crate) fn summary(comparison: &Comparison, style: &Style) -> String {
    let text = match comparison.cases.len() {
        0 => nothing(comparison).to_owned(),
        _ => verdicts(comparison, style),
    };
    format!("{}\n", wrap(&text, style, 2))
}

/// Why a comparison has no cases.
pub(crate) fn nothing(comparison: &Comparison) -> &'static str {
    match comparison.alone.is_empty() {
        true => "nothing to compare: no case was measured",
        false => "nothing to compare: no case is on both sides",
    }
}

/// The same without line breaks.
pub(crate) fn verdicts(comparison: &Comparison, style: &Style) -> String {
    let tally = rows::tally_words(comparison, style);
    if comparison.family < 2 {
        return tally;
    }
    let rate = numbers::confidence(1.0 - comparison.confidence, style);
    format!("{tally}; {} comparisons, false-discovery rate controlled at {rate}", comparison.family)
}

/// Everything below the verdicts.
pub(crate) fn below(comparison: &Comparison, style: &Style) -> String {
    let all = [control(comparison, style), context(comparison, style), alone(comparison, style)];
    let unknown = comparison.unknown.iter().map(|sentence| style.prose(sentence));
    all.into_iter().flatten().chain(unknown).map(|text| line(&text, style)).collect()
}

/// What the base against itself came to.
pub(crate) fn control(comparison: &Comparison, style: &Style) -> Vec<String> {
    let Some(control) = &comparison.control else { return Vec::new() };
    let base = rows::name(comparison, 0, style);
    let mut text = format!(
        "control: {} against itself called different in {} of {}",
        base, control.alarms, control.comparisons
    );
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

/// What else differs, a line each.
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

/// Cases that only one side has, a line per side.
pub(crate) fn alone(comparison: &Comparison, style: &Style) -> Vec<String> {
    let lines = (0..comparison.sides.len() as u32).filter_map(|side| {
        let names: Vec<&str> =
            comparison.alone.iter().filter(|(of, _)| *of == side).map(|(_, name)| name.as_str()).collect();
        let listed: Vec<String> = names.iter().take(LISTED).map(|name| style.prose(name)).collect();
        let rest = match names.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {}", numbers::counted(more, "more case", "more cases")),
        };
        let text = format!("only in {}: {}{rest}", rows::name(comparison, side, style), listed.join(", "));
        (!names.is_empty()).then_some(text)
    });
    lines.collect()
}
