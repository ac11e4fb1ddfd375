//! Wording that all formats of a comparison share: names, figures and verdicts.

use super::quantities::shown;
use crate::style::Paint;
use crate::{Style, numbers, subject};
use derny_model::{
    Change, ComparedCase, ComparedSide, Comparison, Direction, Estimate, Interval, Quantity, Reason,
    TimeSummary, Verdict,
};

/// A forecast of more pairs or processes than this is not useful.
const REACH: usize = 1000;

/// Returns the sides whose cases have rows. Controls share a separate line, and have rows only if there are
/// no other sides.
pub(crate) fn sides(comparison: &Comparison) -> Vec<u32> {
    let after = 1..comparison.sides.len() as u32;
    let proper: Vec<u32> = after.clone().filter(|side| !comparison.sides[*side as usize].control).collect();
    if proper.is_empty() { after.collect() } else { proper }
}

pub(crate) fn compared<'a>(case: &'a ComparedCase, sides: &[u32]) -> Vec<&'a ComparedSide> {
    case.sides.iter().filter(|side| sides.contains(&side.side)).collect()
}

/// Returns true if a time was not compared because it or the base's time is at the floor.
fn at_floor(side: &ComparedSide, change: &Change) -> bool {
    let for_floor = [side.reason, change.reason].contains(&Some(Reason::AtFloor));
    for_floor && !matches!(change.quantity, Quantity::Metric(_))
}

/// Returns the values of the base and of the side, each with the digits that its interval justifies. A time
/// at the floor is given as an upper bound.
pub(crate) fn values(case: &ComparedCase, side: u32, change: &Change, style: &Style) -> [String; 2] {
    let alone = change.new_alone.unwrap_or(change.new);
    [(0, change.base, change.base), (side, change.new, alone)].map(|(side, value, alone)| {
        let time = case.times.get(side as usize).and_then(Option::as_ref);
        let interval = time.and_then(|time| own(time, &change.quantity)).and_then(|own| own.interval);
        // An interval does not determine the digits of a value outside it, such as a value from only some of
        // the turns.
        let interval = interval.filter(|interval| (interval.lo..=interval.hi).contains(&alone));
        let off = value - alone;
        let interval = interval.map(|own| Interval { lo: own.lo + off, hi: own.hi + off });
        let of_time = time.filter(|time| own(time, &change.quantity).is_some());
        let text = match of_time.and_then(|time| numbers::floor_above(time, value, case.case.ops)) {
            Some(floor) => numbers::duration(floor, style),
            None => numbers::quantity(&Estimate { value, interval }, &change.unit, style).value,
        };
        if of_time.is_some_and(numbers::is_at_floor) { numbers::at_most(&text, style) } else { text }
    })
}

fn own<'a>(time: &'a TimeSummary, quantity: &Quantity) -> Option<&'a Estimate> {
    match quantity {
        Quantity::Typical => Some(&time.typical),
        Quantity::Mean => Some(&time.mean),
        Quantity::Metric(_) => None,
    }
}

/// Returns the change and its interval: `−15.3 %` and `−16.0 … −14.5`, or `exact`. If one of the values is 0,
/// returns the difference: `+32 B`. Empty at the floor, where a ratio is meaningless.
pub(crate) fn figures(side: &ComparedSide, change: &Change, style: &Style) -> [String; 2] {
    if at_floor(side, change) {
        return [String::new(), String::new()];
    }
    let exact = if change.exact { "exact" } else { "" };
    match &change.change {
        Some(estimate) => {
            let figure = numbers::relative(estimate, style);
            let none = if change.exact { "exact" } else { numbers::NO_INTERVAL };
            [figure.value, figure.interval.unwrap_or_else(|| none.to_owned())]
        }
        None if change.base == 0.0 && change.new == 0.0 => {
            ["+0.0".to_owned() + style.pick(" %", "%"), exact.to_owned()]
        }
        None => match &change.difference {
            Some(difference) => {
                let signed = |value: f64| signed(value, &change.unit, style);
                let ends = difference.interval.map(|i| format!("{} … {}", signed(i.lo), signed(i.hi)));
                let none = if change.exact { "exact" } else { numbers::NO_INTERVAL };
                let ends =
                    ends.map_or_else(|| none.to_owned(), |ends| ends.replace('…', style.pick("…", "..")));
                [signed(difference.value), ends]
            }
            None => [String::new(), exact.to_owned()],
        },
    }
}

fn signed(value: f64, unit: &str, style: &Style) -> String {
    let sign = if value < 0.0 { style.pick("−", "-") } else { "+" };
    let size = Estimate { value: value.abs(), interval: None };
    format!("{sign}{}", numbers::quantity(&size, unit, style).value)
}

pub(crate) fn figures_on_one_line(side: &ComparedSide, change: &Change, style: &Style) -> String {
    if at_floor(side, change) {
        return "no ratio".to_owned();
    }
    let [value, interval] = figures(side, change, style);
    let interval = if interval == numbers::NO_INTERVAL { "no interval" } else { &interval };
    let parts = [value, if interval.is_empty() { String::new() } else { format!("({interval})") }];
    parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// Returns the verdict in words: `faster` and `slower` for a time, `better` and `worse` for other quantities.
pub(crate) fn word(comparison: &Comparison, side: &ComparedSide, change: &Change, style: &Style) -> String {
    if at_floor(side, change) {
        return "at the floor".to_owned();
    }
    if has_no_direction(change) {
        return "no verdict".to_owned();
    }
    verdict(change.verdict, !is_time(change), margin(comparison, change), style)
}

/// Returns true if neither direction of the metric is better.
fn has_no_direction(change: &Change) -> bool {
    let is_metric = matches!(change.quantity, Quantity::Metric(_));
    is_metric && change.direction == Direction::None && change.verdict == Verdict::Unclear
}

/// Returns true for a change of time, which is described as faster or slower. Other changes are better or
/// worse.
pub(crate) fn is_time(change: &Change) -> bool {
    !matches!(change.quantity, Quantity::Metric(_)) || change.unit == "ns"
}

pub(crate) fn has_only_metrics(comparison: &Comparison) -> bool {
    let is_metric = |change: &Change| matches!(change.quantity, Quantity::Metric(_));
    judged(comparison).all(|(_, side)| side.changes.iter().all(is_metric))
}

/// Describes an uncertain mean time if the verdict `same` covers only typical time: `mean ±4 %`, or
/// `mean unknown` if it may be twice as long.
pub(crate) fn beside(
    comparison: &Comparison,
    side: &ComparedSide,
    change: &Change,
    style: &Style,
) -> Option<String> {
    let of_typical = change.quantity == Quantity::Typical && change.verdict == Verdict::Same;
    let half = loose_mean(comparison, side).filter(|_| of_typical && !at_floor(side, change))?;
    Some(match half < 1.0 {
        true => {
            let half = numbers::confidence((1000.0 * half).round() / 1000.0, style);
            format!("mean {}{half}", style.pick("±", "+-"))
        }
        false => "mean unknown".to_owned(),
    })
}

/// Returns the verdict, followed by the note of [`beside`]: `same; mean ±4 %`.
pub(crate) fn words(comparison: &Comparison, side: &ComparedSide, change: &Change, style: &Style) -> String {
    let parts = [Some(word(comparison, side, change, style)), beside(comparison, side, change, style)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Returns the half-width of mean time's interval as a share. `None` unless the mean is only shown and its
/// interval is wider than the margin.
fn loose_mean(comparison: &Comparison, side: &ComparedSide) -> Option<f64> {
    let mean = side.changes.iter().find(|change| change.quantity == Quantity::Mean && change.only_shown)?;
    let interval = mean.change?.interval?;
    let is_within = interval.lo > -comparison.mean_margin && interval.hi < comparison.mean_margin;
    (!is_within).then_some((interval.hi - interval.lo) / 2.0)
}

pub(crate) fn margin(comparison: &Comparison, change: &Change) -> f64 {
    match change.quantity {
        Quantity::Mean => comparison.mean_margin,
        _ => comparison.margin,
    }
}

/// Returns the words of a verdict, such as `faster`, or `faster by < 1 %` for a change within the margin.
/// Uses `better` and `worse` for a `metric`.
pub(crate) fn verdict(verdict: Verdict, metric: bool, margin: f64, style: &Style) -> String {
    let (faster, slower) = if metric { ("better", "worse") } else { ("faster", "slower") };
    let within = |word: &str| format!("{word} by < {}", numbers::confidence(margin, style));
    match verdict {
        Verdict::Better => faster.to_owned(),
        Verdict::Worse => slower.to_owned(),
        Verdict::BetterWithinMargin => within(faster),
        Verdict::WorseWithinMargin => within(slower),
        other => other.token().to_owned(),
    }
}

/// Returns a sort key. The order is: worse, better, unclear, within the margin, same. Among equal verdicts,
/// larger changes come first.
pub(crate) fn urgency(change: &Change) -> f64 {
    const SIZE: f64 = 1e9;
    let size = change.change.as_ref().map_or(0.0, |change| change.value.abs()).min(SIZE);
    match change.verdict {
        Verdict::Worse => -size - 6.0 * SIZE,
        Verdict::Better => -size - 4.0 * SIZE,
        Verdict::Unclear => -size - 2.0 * SIZE,
        Verdict::WorseWithinMargin | Verdict::BetterWithinMargin => -size,
        Verdict::Same => 0.0,
    }
}

pub(crate) fn rank(case: &ComparedCase, sides: &[u32]) -> f64 {
    let deciding = |side: &&ComparedSide| deciding(side, side.verdict).map(urgency);
    compared(case, sides).iter().filter_map(deciding).fold(0.0, f64::min)
}

/// Returns the change to show for a side: the one that determines its verdict, or else the first with an
/// estimate, or else the first.
pub(crate) fn decisive(side: &ComparedSide) -> Option<&Change> {
    let estimated = || side.changes.iter().find(|change| change.change.is_some());
    deciding(side, side.verdict)
        .filter(|own| own.change.is_some())
        .or_else(estimated)
        .or(side.changes.first())
}

/// Returns true if a case is the same on every side and has no other row to show.
pub(crate) fn is_same(comparison: &Comparison, case: &ComparedCase, sides: &[u32]) -> bool {
    let same = |side: &&ComparedSide| {
        let mut rows = shown(comparison, case, side, false).into_iter();
        side.verdict == Verdict::Same && !side.split && rows.all(|change| change.verdict == Verdict::Same)
    };
    let compared = compared(case, sides);
    !compared.is_empty() && compared.iter().all(same)
}

pub(crate) fn paint(verdict: Verdict) -> Option<Paint> {
    match verdict {
        Verdict::Better => Some(Paint::Better),
        Verdict::Worse => Some(Paint::Worse),
        Verdict::Unclear => Some(Paint::Warning),
        _ => None,
    }
}

/// Returns the footnote of a verdict: its reason, and a way to decide it. An unclear verdict always has one,
/// unless its row already shows a time at the floor.
pub(crate) fn footnote(comparison: &Comparison, change: &Change, style: &Style) -> Option<String> {
    // The row already shows that there is no verdict.
    if has_no_direction(change) {
        return None;
    }
    let mut parts = Vec::new();
    if !change.because.is_empty() {
        parts.push(style.prose(change.because.trim_end_matches('.')));
    } else if let Some(reason) = change.reason.filter(|reason| tells(*reason, change)) {
        parts.push(reason_words(reason));
    }
    // The sentences for these reasons already contain the number of pairs, and the margin does not matter.
    let is_said = matches!(change.reason, Some(Reason::MultipleComparisons | Reason::TooFewPairs));
    if change.verdict == Verdict::Unclear
        && !is_said
        && let Some(needed) = change.needed
    {
        let more = needed.saturating_sub(change.replicates).max(1) as usize;
        let (one, many) = match comparison.pairing {
            derny_model::Pairing::Paired => ("more pair of processes", "more pairs of processes"),
            derny_model::Pairing::Unpaired => ("more process on each side", "more processes on each side"),
        };
        let margin = numbers::confidence(margin(comparison, change), style);
        parts.push(match more {
            0..=REACH => {
                format!(
                    "needs about {} to decide (margin {margin})",
                    numbers::counted(rounded(more), one, many)
                )
            }
            _ => format!("too noisy: even {REACH} {many} would not decide (margin {margin})"),
        });
    }
    if parts.is_empty() && change.verdict == Verdict::Unclear && change.reason != Some(Reason::AtFloor) {
        parts.push(reason_words(change.reason.unwrap_or(Reason::Noise)));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Returns true if the footnote should state the reason. A forecast already explains noise, and the row
/// already shows a time at the floor.
fn tells(reason: Reason, change: &Change) -> bool {
    match reason {
        Reason::Noise => change.needed.is_none(),
        Reason::AtFloor => false,
        _ => true,
    }
}

/// Returns a clause for a reason that has no full sentence.
fn reason_words(reason: Reason) -> String {
    match reason {
        Reason::Noise => "too noisy".to_owned(),
        Reason::Budget => "time ran out before there was a verdict".to_owned(),
        Reason::GateDecided => "measuring stopped once the gate was decided".to_owned(),
        Reason::NotAsked => "mean time was not requested: add --set mean=always to judge it".to_owned(),
        Reason::Interrupted => "the run was interrupted before there was a verdict".to_owned(),
        other => other.token().replace('-', " "),
    }
}

/// Rounds a forecast of 100 or more to a multiple of ten.
fn rounded(count: usize) -> usize {
    match count {
        0..100 => count,
        _ => (count + 5) / 10 * 10,
    }
}

pub(crate) fn name(comparison: &Comparison, side: u32, style: &Style) -> String {
    comparison.sides.get(side as usize).map_or(String::new(), |side| style.prose(&side.name))
}

/// Returns the number of each verdict, the most important verdict first.
pub(crate) fn tally(comparison: &Comparison) -> Vec<(Verdict, usize)> {
    let order = [
        Verdict::Worse,
        Verdict::Better,
        Verdict::WorseWithinMargin,
        Verdict::BetterWithinMargin,
        Verdict::Same,
        Verdict::Unclear,
    ];
    let all: Vec<Verdict> = judged(comparison).map(|(_, side)| side.verdict).collect();
    let counts = order.map(|verdict| (verdict, all.iter().filter(|other| **other == verdict).count()));
    counts.into_iter().filter(|(_, count)| *count > 0).collect()
}

fn judged(comparison: &Comparison) -> impl Iterator<Item = (&ComparedCase, &ComparedSide)> {
    let sides = sides(comparison);
    let all = comparison.cases.iter().flat_map(move |case| {
        compared(case, &sides).into_iter().map(move |side| (case, side)).collect::<Vec<_>>()
    });
    all.filter(|(_, side)| !side.changes.is_empty())
}

pub(crate) fn unclear(comparison: &Comparison) -> impl Iterator<Item = &Change> {
    let open = judged(comparison).filter(|(_, side)| side.verdict == Verdict::Unclear);
    open.filter_map(|(_, side)| deciding(side, Verdict::Unclear).or_else(|| side.changes.first()))
}

/// Counts the sides with this verdict whose mean time is unclear, unless the verdict itself is unclear.
fn mean_unclear(comparison: &Comparison, of: Verdict) -> usize {
    let sides = sides(comparison);
    let all = comparison.cases.iter().flat_map(|case| compared(case, &sides));
    let is_open = |change: &Change| change.quantity == Quantity::Mean && change.verdict == Verdict::Unclear;
    let split = all.filter(|side| of != Verdict::Unclear && side.verdict == of && side.split);
    split.filter(|side| side.changes.iter().any(is_open)).count()
}

/// Returns the parts of the summary: `2 of 14 slower, worst: parse n=1000 +9.8 %`, `1 faster`,
/// `11 same (mean of 1 unclear)`. The first part contains the total. A single verdict becomes
/// `parse n=1000: slower +9.8 %`, or `new is 1.13× slower than old` for two benchmarks or commands.
pub(crate) fn tally_words(comparison: &Comparison, style: &Style) -> Vec<String> {
    let total = judged(comparison).count();
    let words = tally(comparison).into_iter().enumerate().map(|(at, (of, count))| {
        let word = verdict(of, has_only_metrics(comparison), comparison.margin, style);
        let mut text = match (at, count == total) {
            (0, true) if total == 1 => match against(comparison, of, style) {
                Some(sentence) => sentence,
                None => format!("{}: {word}", only(comparison, style)),
            },
            (0, true) if total == 2 => format!("both {word}"),
            (0, true) => format!("all {total} {word}"),
            (0, false) => format!("{count} of {total} {word}"),
            _ => format!("{count} {word}"),
        };
        match mean_unclear(comparison, of) {
            0 => {}
            1 if count == 1 => text.push_str(" (mean unclear)"),
            open => text.push_str(&format!(" (mean time of {open} unclear)")),
        }
        if at == 0
            && let Some((name, change)) = most(comparison, of, style)
        {
            text.push_str(&match (total, of) {
                (1, _) if replaces(comparison) => String::new(),
                (1, _) => format!(" {change}"),
                (_, Verdict::Worse) => format!(", worst: {name} {change}"),
                _ => format!(", best: {name} {change}"),
            });
        }
        text
    });
    words.collect()
}

fn only(comparison: &Comparison, style: &Style) -> String {
    judged(comparison)
        .next()
        .map_or(String::new(), |(case, side)| subject::name(comparison, case, side.side, style))
}

fn replaces(comparison: &Comparison) -> bool {
    judged(comparison).next().is_some_and(|(case, side)| subject::differs(comparison, case, side.side))
}

/// Compares sides of different benchmarks by name: `new is 1.13× slower than old`.
fn against(comparison: &Comparison, of: Verdict, style: &Style) -> Option<String> {
    let (case, side) = judged(comparison).next().filter(|_| replaces(comparison))?;
    let [new, base] = [side.side, 0].map(|side| subject::name(comparison, case, side, style));
    let decisive = deciding(side, of);
    let ratio = decisive.and_then(|change| change.change).map(|change| 1.0 + change.value);
    let mean = match decisive.is_some_and(|change| change.quantity == Quantity::Mean) {
        true => " in mean time",
        false => "",
    };
    let margin = numbers::confidence(comparison.margin, style);
    if let Some(text) = decisive.and_then(|change| of_metric(change, [&new, &base], comparison, style)) {
        return Some(text);
    }
    let times = |ratio: Option<f64>| ratio.map_or(String::new(), |ratio| numbers::times(ratio, style) + " ");
    Some(match of {
        Verdict::Worse => format!("{new} is {}slower than {base}{mean}", times(ratio)),
        Verdict::Better => format!("{new} is {}faster than {base}{mean}", times(ratio.map(f64::recip))),
        Verdict::WorseWithinMargin => format!("{new} is slower than {base} by < {margin}"),
        Verdict::BetterWithinMargin => format!("{new} is faster than {base} by < {margin}"),
        Verdict::Same | Verdict::Unclear => format!("{new} against {base}: {}", of.token()),
    })
}

/// Compares two sides by name in a metric: `new is worse than old: qps −3.1 %`. `None` for a time.
fn of_metric(change: &Change, sides: [&str; 2], comparison: &Comparison, style: &Style) -> Option<String> {
    let Quantity::Metric(name) = &change.quantity else { return None };
    let [new, base] = sides;
    let name = style.prose(name);
    let figure =
        change.change.map(|estimate| format!("{name} {}", numbers::relative(&estimate, style).value));
    let figure = figure.unwrap_or(name);
    let margin = numbers::confidence(comparison.margin, style);
    Some(match change.verdict {
        Verdict::Worse => format!("{new} is worse than {base}: {figure}"),
        Verdict::Better => format!("{new} is better than {base}: {figure}"),
        Verdict::WorseWithinMargin => format!("{new} is worse than {base} by < {margin}: {figure}"),
        Verdict::BetterWithinMargin => format!("{new} is better than {base} by < {margin}: {figure}"),
        Verdict::Unclear if has_no_direction(change) => {
            format!("{new} against {base}: no verdict")
        }
        Verdict::Same | Verdict::Unclear => format!("{new} against {base}: {}", change.verdict.token()),
    })
}

/// Returns the change that determines the verdict `of`: the first with this verdict among the side's first
/// change, typical time and mean time. Without times, it is the first metric with a direction.
fn deciding(side: &ComparedSide, of: Verdict) -> Option<&Change> {
    let timed = side.changes.iter().any(|change| change.quantity == Quantity::Typical);
    let is_time = |change: &Change| matches!(change.quantity, Quantity::Typical | Quantity::Mean);
    let decides = |(at, change): &(usize, &Change)| {
        let counts = *at == 0 || is_time(change) || (!timed && change.direction != Direction::None);
        change.verdict == of && counts
    };
    side.changes.iter().enumerate().find(decides).map(|(_, change)| change)
}

/// Returns the name and the change of the case that changed most among those with this verdict:
/// `parse n=1000`, `+9.8 %`. `None` for verdicts without a change.
fn most(comparison: &Comparison, of: Verdict, style: &Style) -> Option<(String, String)> {
    if !matches!(of, Verdict::Worse | Verdict::Better) {
        return None;
    }
    let several = sides(comparison).len() > 1;
    let changes = judged(comparison).filter(|(_, side)| side.verdict == of).filter_map(|(case, side)| {
        let change = deciding(side, of)?;
        Some((case, side, change, change.change?))
    });
    let (case, side, change, own) = changes.max_by(|a, b| a.3.value.abs().total_cmp(&b.3.value.abs()))?;
    let mut name = subject::name(comparison, case, side.side, style);
    if let Some(own) = subject::beside(comparison, side.side, style).filter(|_| several) {
        name = format!("{name} ({own})");
    }
    let mean = if change.quantity == Quantity::Mean { ", mean" } else { "" };
    Some((name, format!("{}{mean}", numbers::relative(&own, style).value)))
}
