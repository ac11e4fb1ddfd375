//! Rankings below the table of a run: a bar for each case of a group, and how much faster the fastest case is
//! than each other case.

use crate::style::{Paint, columns, shorten, visible};
use crate::{Style, numbers};
use derny_model::{Document, Interval, RankedCase, Ranking};

const BAR: usize = 20;
const NAME: usize = 28;
/// Maximum number of groups and maximum number of cases for which bars are shown. If there are more of
/// either, each group is one line.
const SHOWN: (usize, usize) = (4, 16);
const LINES: usize = 8;

/// Returns all rankings of a run after a blank line. Empty if there are none.
pub fn rankings(document: &Document, style: &Style) -> String {
    let all = &document.rankings;
    if all.is_empty() {
        return String::new();
    }
    let is_small =
        all.len() <= SHOWN.0 && all.iter().map(|ranking| ranking.places.len()).sum::<usize>() <= SHOWN.1;
    let several = document.suites.len() > 1;
    let mut out = String::new();
    if is_small {
        for ranking in all {
            out.push('\n');
            out.push_str(&bars(ranking, several, style));
        }
        return out;
    }
    out.push('\n');
    for ranking in all.iter().take(LINES) {
        out.push_str(&format!("{}\n", crate::style::wrap(&line(ranking, several, style), style, 2)));
    }
    let is_open =
        |ranking: &Ranking| ranking.places.get(1).is_some_and(|place| place.times.interval.is_none());
    if all.iter().take(LINES).any(is_open) {
        let few = "fastest so far; too few processes for a difference";
        out.push_str(&format!("{}\n", style.paint(Paint::Dim, few)));
    }
    if all.len() > LINES {
        let left =
            format!("{} more groups: `derny show PATTERN` ranks the ones that you select", all.len() - LINES);
        out.push_str(&format!("{}\n", style.paint(Paint::Dim, &left)));
    }
    out
}

/// Formats a ranking with bars: a heading such as `fastest first: n=1000`, then a line per case.
fn bars(ranking: &Ranking, several: bool, style: &Style) -> String {
    let names: Vec<String> = ranking
        .places
        .iter()
        .map(|place| shorten(&style.prose(&visible(&place.name)), NAME, style))
        .collect();
    let times: Vec<String> =
        ranking.places.iter().map(|place| numbers::duration(place.typical, style)).collect();
    let widest = |texts: &[String]| texts.iter().map(|text| columns(text)).max().unwrap_or(0);
    let (name_width, time_width) = (widest(&names), widest(&times));
    let longest = ranking.places.iter().map(|place| place.typical).fold(f64::MIN_POSITIVE, f64::max);
    let room = style.width.unwrap_or(usize::MAX);
    let has_bars = name_width + time_width + BAR + 40 <= room;
    let mut out = format!(
        "{}\n",
        style.paint(
            Paint::Dim,
            &["fastest first".to_owned(), common(ranking, several, style)]
                .into_iter()
                .filter(|text| !text.is_empty())
                .collect::<Vec<_>>()
                .join(": ")
        )
    );
    for (at, ((place, name), time)) in ranking.places.iter().zip(&names).zip(&times).enumerate() {
        let mut text = format!(
            "  {name}{}  {}{time}",
            " ".repeat(name_width - columns(name)),
            " ".repeat(time_width - columns(time))
        );
        if has_bars {
            let bar = bar(place.typical / longest, style);
            text.push_str(&format!("  {bar}{}", " ".repeat(BAR.saturating_sub(columns(&bar)))));
        }
        let remark = match at {
            0 => leads(ranking).to_owned(),
            _ => beside(place, style),
        };
        if !remark.is_empty() {
            text.push_str(&format!("  {remark}"));
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out
}

/// Formats a ranking as one line: `n=1000: join is fastest, 1.20× faster than concat (1.16 … 1.24)`.
fn line(ranking: &Ranking, several: bool, style: &Style) -> String {
    let [first, second, ..] = &ranking.places[..] else { return String::new() };
    let name = |place: &RankedCase| style.prose(&visible(&place.name));
    let common = common(ranking, several, style);
    let before = if common.is_empty() { String::new() } else { format!("{common}: ") };
    match (second.times.interval, second.slower) {
        (Some(interval), true) => format!(
            "{before}{} is fastest, {} faster than {} ({})",
            name(first),
            times(second.times.value, style),
            name(second),
            ends(&interval, style)
        ),
        (Some(_), false) => {
            format!("{before}{} and {} are fastest; no difference found", name(first), name(second))
        }
        (None, _) => format!("{before}{} is fastest so far", name(first)),
    }
}

/// Returns the remark about the first case. It is the fastest only if every other case is shown to be slower.
fn leads(ranking: &Ranking) -> &'static str {
    let others = ranking.places.get(1..).unwrap_or_default();
    if others.iter().all(|place| place.slower) {
        "fastest"
    } else if others.iter().all(|place| place.times.interval.is_some()) {
        "not certainly fastest"
    } else {
        "fastest so far"
    }
}

/// Formats how much slower a case is than the fastest: `1.20× slower (1.16 … 1.24)`.
fn beside(place: &RankedCase, style: &Style) -> String {
    let ratio = times(place.times.value, style);
    match place.times.interval.map(|interval| ends(&interval, style)) {
        Some(ends) if place.slower => format!("{ratio} slower ({ends})"),
        Some(ends) => style.paint(Paint::Dim, &format!("{ratio} ({ends}), not certain")),
        None => style.paint(Paint::Dim, &ratio),
    }
}

/// Returns the suite if the run has several, and the parameters that all cases of the group share.
fn common(ranking: &Ranking, several: bool, style: &Style) -> String {
    let suite = several.then(|| ranking.suite.clone());
    let parts = ranking.common.iter().map(|(key, value)| match key.is_empty() {
        true => value.clone(),
        false => format!("{key}={value}"),
    });
    style.prose(&visible(&suite.into_iter().chain(parts).collect::<Vec<_>>().join(" ")))
}

fn times(ratio: f64, style: &Style) -> String {
    let decimals = decimals(ratio);
    format!("{ratio:.decimals$}{}", style.pick("×", "x"))
}

/// Formats an interval of ratios: `1.16 … 1.24`, with enough decimals to distinguish both bounds.
fn ends(interval: &Interval, style: &Style) -> String {
    let least = decimals(interval.hi);
    let ends = |decimals: usize| [interval.lo, interval.hi].map(|end| format!("{end:.decimals$}"));
    let fine = (least..=4).map(ends).find(|[lo, hi]| lo != hi).unwrap_or_else(|| ends(least));
    fine.join(style.pick(" … ", " .. "))
}

fn decimals(ratio: f64) -> usize {
    if ratio < 10.0 { 2 } else { usize::from(ratio < 100.0) }
}

fn bar(share: f64, style: &Style) -> String {
    let eighths = (share * 8.0 * BAR as f64).round().max(1.0) as usize;
    if style.ascii {
        return "#".repeat(eighths.div_ceil(8));
    }
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNICODE: Style = Style { width: Some(100), ascii: false, colour: false };

    #[test]
    fn ends_of_ratios_differ() {
        let text = |lo, hi| ends(&Interval { lo, hi }, &UNICODE);
        assert_eq!(text(3.4, 3.6), "3.40 … 3.60");
        assert_eq!(text(1.1612, 1.1644), "1.161 … 1.164");
        assert_eq!(text(12.0, 14.44), "12.0 … 14.4");
        assert_eq!(text(120.0, 144.4), "120 … 144");
        assert_eq!([1.2, 12.0, 120.0].map(|ratio| times(ratio, &UNICODE)), ["1.20×", "12.0×", "120×"]);
    }

    #[test]
    fn bars_have_eighths() {
        assert_eq!(bar(1.0, &UNICODE), "█".repeat(20));
        assert_eq!(bar(0.5 + 3.0 / 160.0, &UNICODE), format!("{}▍", "█".repeat(10)));
        assert_eq!(bar(1e-9, &UNICODE), "▏");
        assert_eq!(bar(0.26, &Style { ascii: true, ..UNICODE }), "######");
    }
}
