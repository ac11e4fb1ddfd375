//! Histories as text: a line for each case, or a line for each point of one case.

use crate::Style;
use crate::csv;
use crate::json;
use crate::markdown;
use crate::numbers::{self, counted};
use crate::style::{Paint, visible, wrap};
use crate::table::{self, Line};
use derny_model::words::date;
use derny_model::{ChangeState, Estimate, History, HistoryChange, HistoryPlace};
use std::collections::HashMap;

/// Maximum width of a sparkline in columns.
const SPARKS: usize = 24;

/// Returns the histories as a table with a line for each. A single history has a line for each point.
pub fn text(histories: &[History], style: &Style) -> String {
    let mut out = match histories {
        [one] => points(one, style),
        all => lines(all, style),
    };
    match histories {
        [one] => {
            let lines = one.changes.iter().map(|change| change_text(change, style));
            lines.for_each(|line| out.push_str(&format!("{}\n", wrap(&line, style, 2))));
        }
        all => out.push_str(&changes(all, style)),
    }
    let mut said: Vec<&str> = Vec::new();
    for remark in histories.iter().flat_map(|history| &history.remarks) {
        if !said.contains(&remark.as_str()) {
            said.push(remark);
            out.push_str(&style.paint(Paint::Dim, &wrap(&format!("note: {}", visible(remark)), style, 6)));
            out.push('\n');
        }
    }
    out
}

/// Returns the histories as JSON.
pub fn json(histories: &[History]) -> String {
    json::pretty(&histories)
}

/// Returns the changes as a Markdown table, the newest last. Returns a sentence if there are none.
pub fn markdown(histories: &[History], style: &Style) -> String {
    let style = Style { width: None, colour: false, ..*style };
    let hosts = hosts(histories);
    let mut all: Vec<(&History, &HistoryChange)> =
        histories.iter().flat_map(|own| own.changes.iter().map(move |change| (own, change))).collect();
    if all.is_empty() {
        return "No change of the level was found.\n".to_owned();
    }
    all.sort_by_key(|(_, change)| change.at_ms);
    let mut out = markdown::line(&["case", "change", "commit", "date", "state"]);
    out.push_str("| --- | --: | --- | --- | --- |\n");
    for (history, change) in all {
        let estimate = Estimate { value: change.change, interval: change.interval };
        let figure = numbers::relative(&estimate, &style);
        let interval = figure.interval.map_or_else(String::new, |interval| format!(" [{interval}]"));
        let run = change.run.as_ref().map_or_else(String::new, |run| format!(" in run {run}"));
        let note = change.note.as_ref().map_or_else(String::new, |note| format!("; {note}"));
        let cells = [
            label(history, &hosts),
            format!("{}{interval}", figure.value),
            change.to.clone(),
            date(change.at_ms),
            format!("{}{run}{note}", state(change.state)),
        ];
        out.push_str(&markdown::line(&cells.map(|cell| markdown::escape(&cell))));
    }
    out
}

fn state(state: ChangeState) -> &'static str {
    match state {
        ChangeState::New => "not yet confirmed",
        ChangeState::Confirmed => "confirmed",
        ChangeState::NotConfirmed => "not confirmed",
        ChangeState::Accepted => "accepted",
        ChangeState::Fixed => "fixed",
        ChangeState::Unknown => "unknown state",
    }
}

/// Returns a row for each point, as CSV.
pub fn csv(histories: &[History]) -> String {
    let parameters = csv::Parameters::of(histories.iter().map(|own| own.case.params.as_slice()));
    let head = parameters.head(&[
        "figure", "unit", "host", "cpu", "runtime", "tool", "date", "measured", "commit", "releases", "run",
        "value", "lo", "hi",
    ]);
    let mut out = csv::row(&head);
    for own in histories {
        for point in &own.points {
            let conditions = &own.conditions[point.conditions as usize];
            let id = &own.case;
            let mut fields = parameters.row(&id.suite, &id.benchmark, &id.params);
            let texts =
                [&own.figure, &own.unit, &own.host, &conditions.cpu, &conditions.runtime, &conditions.tool];
            fields.extend(texts.map(|text| visible(text).into_owned()));
            fields.extend([
                date(point.at_ms),
                date(point.measured_ms),
                visible(&point.commit).into_owned(),
                visible(&point.releases.join(" ")).into_owned(),
                point.run.clone().unwrap_or_default(),
                point.value.to_string(),
                csv::number(point.interval.map(|interval| interval.lo)),
                csv::number(point.interval.map(|interval| interval.hi)),
            ]);
            out.push_str(&csv::row(&fields));
        }
    }
    out
}

fn hosts(histories: &[History]) -> Vec<&str> {
    let mut all: Vec<&str> = histories.iter().map(|history| history.host.as_str()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the name of a case. It includes the machine if there are several, the reason why the points are
/// kept apart, and the release that they are compared with.
fn label(history: &History, hosts: &[&str]) -> String {
    let mut text = visible(&history.case.to_string()).into_owned();
    if hosts.len() > 1 {
        text.push_str(&format!(" @{}", visible(&history.host)));
    }
    if let Some(apart) = &history.apart {
        text.push_str(&format!(" ({})", visible(apart)));
    }
    if let Some(against) = &history.against {
        text.push_str(&format!(" (against {})", visible(against)));
    }
    text
}

fn lines(histories: &[History], style: &Style) -> String {
    let heads = ["", "last", "since first", "points", "first", "last"].map(str::to_owned);
    let hosts = hosts(histories);
    let line = |history: &History| {
        let (first, last) = (history.points.first(), history.points.last());
        Line {
            label: label(history, &hosts),
            cells: vec![
                sparkline(history, style),
                last.map_or_else(String::new, |last| value(history, last, style)),
                since_first(history).map_or_else(String::new, |share| numbers::change(share, style)),
                history.points.len().to_string(),
                first.map_or_else(String::new, place),
                last.map_or_else(String::new, place),
            ],
            ..Line::default()
        }
    };
    table::render(&heads, &histories.iter().map(line).collect::<Vec<_>>(), style)
}

fn points(history: &History, style: &Style) -> String {
    let name = label(history, &hosts(std::slice::from_ref(history)));
    let count = counted(history.points.len(), "point", "points");
    let host =
        if history.host.is_empty() { String::new() } else { format!(" on {}", visible(&history.host)) };
    let mut out = format!("{}: {count}{host}\n", style.paint(Paint::Strong, &name));
    if history.points.len() > 1 {
        out.push_str(&format!("{}\n", sparkline(history, style)));
    }
    let heads = ["value", "interval", "release", "run", ""].map(str::to_owned);
    let mut before = history.points.first().map(|point| point.conditions);
    let mut lines = Vec::new();
    for point in &history.points {
        let is_new = before.replace(point.conditions) != Some(point.conditions);
        let figure = figure(history, point, style);
        lines.push(Line {
            label: place(point),
            cells: vec![
                figure.value,
                figure.interval.unwrap_or_default(),
                visible(&point.releases.join(" ")).into_owned(),
                point.run.clone().unwrap_or_default(),
                if is_new { conditions(history, point) } else { String::new() },
            ],
            ..Line::default()
        });
    }
    out.push_str(&table::render(&heads, &lines, style));
    out
}

/// Returns the conditions of a point that differ between points, in words.
fn conditions(history: &History, point: &HistoryPlace) -> String {
    let own = &history.conditions[point.conditions as usize];
    let differs = |of: fn(&derny_model::HistoryConditions) -> &str| {
        history.conditions.iter().any(|other| of(other) != of(own)).then(|| of(own).to_owned())
    };
    let all = [differs(|one| &one.cpu), differs(|one| &one.runtime), differs(|one| &one.tool)];
    let texts: Vec<String> = all.into_iter().flatten().filter(|text| !text.is_empty()).collect();
    visible(&texts.join(", ")).into_owned()
}

fn value(history: &History, point: &HistoryPlace, style: &Style) -> String {
    figure(history, point, style).value
}

fn figure(history: &History, point: &HistoryPlace, style: &Style) -> numbers::Figure {
    let estimate = Estimate { value: point.value, interval: point.interval };
    match history.against {
        Some(_) => numbers::relative(&estimate, style),
        None => numbers::quantity(&estimate, &history.unit, style),
    }
}

/// Returns the change of a case since a release or an age, and the part of it that no known change explains.
pub fn accumulated(case: &str, change: &Estimate, rest: f64, style: &Style) -> String {
    let figure = numbers::relative(change, style);
    let interval = figure.interval.map_or_else(String::new, |interval| format!(" [{interval}]"));
    let known = (1.0 + change.value) / (1.0 + rest) - 1.0;
    let explained = match known.abs() < 1e-9 {
        true => "no known change explains it".to_owned(),
        false => format!(
            "known changes explain {}, and {} accumulated besides",
            numbers::change(known, style),
            numbers::change(rest, style)
        ),
    };
    format!("  {}: {}{interval}; {explained}\n", visible(case), figure.value)
}

/// Returns the change from the first point under the conditions of the last one.
fn since_first(history: &History) -> Option<f64> {
    let last = history.points.last()?;
    let first = history.points.iter().find(|point| point.conditions == last.conditions)?;
    if history.against.is_some() {
        return None;
    }
    let share = last.value / first.value - 1.0;
    (!std::ptr::eq(first, last) && share.is_finite()).then_some(share)
}

/// Returns the date and the commit of a point.
fn place(point: &HistoryPlace) -> String {
    let commit: String = point.commit.chars().take(7).collect();
    format!("{} {}", date(point.at_ms), visible(&commit)).trim_end().to_owned()
}

/// Returns a sparkline of the points. If there are more points than fit, each character shows the median of
/// several.
fn sparkline(history: &History, style: &Style) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const ASCII: [char; 8] = ['_', '.', ':', '-', '=', '+', '*', '#'];
    let signs = if style.ascii { ASCII } else { BARS };
    let values: Vec<f64> = history.points.iter().map(|point| point.value).collect();
    let count = values.len().min(SPARKS);
    let median = |at: usize| {
        let mut own = values[at * values.len() / count..(at + 1) * values.len() / count].to_vec();
        own.sort_by(f64::total_cmp);
        own[own.len() / 2]
    };
    let medians: Vec<f64> = (0..count).map(median).collect();
    let (lo, hi) =
        medians.iter().fold((f64::MAX, f64::MIN), |(lo, hi), value| (lo.min(*value), hi.max(*value)));
    // Do not draw a difference of less than 1 % as if it were large.
    let span = (hi - lo).max(0.01 * hi.abs());
    let sign = |value: &f64| match span > 0.0 {
        true => signs[((value - lo) / span * 7.0).round().clamp(0.0, 7.0) as usize],
        false => signs[0],
    };
    medians.iter().map(sign).collect()
}

/// Returns a change of a case as one line.
pub fn change(case: &str, change: &HistoryChange, style: &Style) -> String {
    format!("{}: {}", visible(case), change_text(change, style))
}

/// Returns a change in words.
fn change_text(change: &HistoryChange, style: &Style) -> String {
    let estimate = Estimate { value: change.change, interval: change.interval };
    let figure = numbers::relative(&estimate, style);
    let interval = figure.interval.map_or_else(String::new, |interval| format!(" [{interval}]"));
    let commit: String = change.to.chars().take(7).collect();
    let state = state(change.state);
    let run = change.run.as_ref().map_or_else(String::new, |run| format!(" in run {run}"));
    let machine = if change.is_machine { "; the machine changed here" } else { "" };
    let note = change.note.as_ref().map_or_else(String::new, |note| format!("; {}", visible(note)));
    let at = if commit.is_empty() { String::new() } else { format!(" at {}", visible(&commit)) };
    format!("{}{interval}{at} ({}), {state}{run}{machine}{note}", figure.value, date(change.at_ms))
}

/// Maximum number of commits with changes to list, the newest ones.
const COMMITS: usize = 20;

/// The changes of all histories at one commit.
struct At<'a> {
    at_ms: i64,
    commit: &'a str,
    all: Vec<(&'a History, &'a HistoryChange)>,
}

/// Returns a line for each commit with changes, the newest last.
fn changes(histories: &[History], style: &Style) -> String {
    let mut commits: Vec<At<'_>> = Vec::new();
    let mut known: HashMap<(&str, i64), usize> = HashMap::new();
    for history in histories {
        let own = history.changes.iter().filter(|change| change.state != ChangeState::NotConfirmed);
        for change in own {
            let key = (change.to.as_str(), if change.to.is_empty() { change.at_ms } else { 0 });
            let at = *known.entry(key).or_insert_with(|| {
                commits.push(At { at_ms: change.at_ms, commit: &change.to, all: Vec::new() });
                commits.len() - 1
            });
            commits[at].all.push((history, change));
        }
    }
    commits.sort_by_key(|at| at.at_ms);
    let left = commits.len().saturating_sub(COMMITS);
    let mut out = String::new();
    if left > 0 {
        let earlier = counted(left, "earlier commit has", "earlier commits have");
        out.push_str(&format!("{earlier} changes too: see -f json\n"));
    }
    let hosts = hosts(histories);
    for at in &commits[left..] {
        out.push_str(&format!("{}\n", wrap(&commit_text(at, &hosts, style), style, 2)));
    }
    out
}

fn commit_text(at: &At<'_>, hosts: &[&str], style: &Style) -> String {
    if let [(history, change)] = at.all[..] {
        return format!("{}: {}", label(history, hosts), change_text(change, style));
    }
    let size = |(_, change): &&(&History, &HistoryChange)| change.change.abs();
    let largest = at.all.iter().max_by(|one, other| size(one).total_cmp(&size(other)));
    let largest = largest.map_or_else(String::new, |(history, change)| {
        format!("most {} in {}", numbers::change(change.change, style), label(history, hosts))
    });
    let confirmed = at.all.iter().filter(|(_, change)| change.state != ChangeState::New).count();
    let state = if confirmed == 0 {
        "not yet confirmed".to_owned()
    } else {
        format!("{confirmed} confirmed or marked")
    };
    let is_machine = at.all.iter().all(|(_, change)| change.is_machine);
    let machine = if is_machine { "; the machine changed here" } else { "" };
    let commit: String = at.commit.chars().take(7).collect();
    let cases = counted(at.all.len(), "case", "cases");
    format!("{cases} at {} ({}): {largest}, {state}{machine}", visible(&commit), date(at.at_ms))
}
