//! Progress on standard error. On a terminal, it shows a bar, the case being measured and the results so far.
//! Elsewhere, it prints one plain line per finished case. The display changes only when an event arrives, and
//! events arrive only between turns.

use crate::args::Global;
use crate::output;
use derny_model::shown::visible;
use derny_model::{Case, Event, Standing, StopReason};
use derny_report::{Style, numbers};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Time between redraws.
const EVERY: Duration = Duration::from_millis(200);
/// Interval of plain progress lines while no case finishes.
const SILENCE: Duration = Duration::from_secs(30);
/// Width of the progress bar, in columns.
const BAR: usize = 16;
/// Minimum width of a name, in columns. If there is less room, other parts of the progress line are
/// omitted.
const NAME: usize = 20;
/// Maximum number of cases in the table.
const ROWS: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Silent,
    Plain,
    Live,
}

/// Displays progress from events.
pub struct Progress {
    kind: Kind,
    style: Style,
    cases: Vec<Case>,
    /// Current result of each case.
    standings: BTreeMap<u32, Standing>,
    /// Stop reasons of finished cases.
    ended: BTreeMap<u32, StopReason>,
    /// Case of each open visit.
    visits: BTreeMap<u32, u32>,
    /// Cases with a complete visit.
    measured: BTreeSet<u32>,
    /// Cases that were being measured at the last event.
    open: Vec<u32>,
    share: f64,
    left_ns: Option<u64>,
    shown: Option<Instant>,
    start: Instant,
    /// Number of lines on the terminal that are to be redrawn, and width of the last one.
    drawn: (usize, usize),
    launches: bool,
}

impl Progress {
    /// Chooses the kind of display from the flags and the terminal.
    pub fn new(global: &Global, style: Style) -> Progress {
        let ci = std::env::var_os("CI").is_some();
        let live = io::stderr().is_terminal() && !ci && std::env::var("TERM").as_deref() != Ok("dumb");
        let kind = match (global.quiet > 0 || global.no_progress, live) {
            (true, _) => Kind::Silent,
            (_, true) => Kind::Live,
            _ => Kind::Plain,
        };
        Progress {
            kind,
            style,
            cases: Vec::new(),
            standings: BTreeMap::new(),
            ended: BTreeMap::new(),
            visits: BTreeMap::new(),
            measured: BTreeSet::new(),
            open: Vec::new(),
            share: 0.0,
            left_ns: None,
            shown: None,
            start: Instant::now(),
            drawn: (0, 0),
            launches: global.verbose > 0,
        }
    }

    /// Handles an event. Redraws the display if it is out of date.
    pub fn on_event(&mut self, event: &Event) {
        match event {
            Event::RunStarted { cases, .. } => self.cases.clone_from(cases),
            Event::VisitStarted(visit) => {
                self.visits.insert(visit.visit, visit.case);
            }
            Event::VisitEnded { visit } => self.measured.extend(self.visits.remove(visit)),
            Event::Progress(progress) => {
                self.open = progress.open.iter().map(|standing| standing.case).collect();
                (self.share, self.left_ns) = (progress.share.max(self.share), progress.left_ns);
                self.standings.extend(progress.open.iter().map(|standing| (standing.case, standing.clone())));
            }
            Event::CaseEnded { case, reason } => self.case_ended(*case, *reason),
            Event::Log { case, message } => {
                let name =
                    case.and_then(|case| self.cases.get(case as usize)).map(|case| case.id.to_string());
                self.say(&format!("{}{message}", name.map_or_else(String::new, |name| format!("{name}: "))));
            }
            Event::ProcessStarted(process) if self.launches => {
                self.say(&format!("process {}: {}", process.process, process.command.join(" ")));
            }
            Event::RunEnded { .. } => return self.clear(),
            _ => {}
        }
        match self.kind {
            Kind::Live if self.is_due(EVERY) => self.draw(),
            Kind::Plain if self.shown.is_some() && self.is_due(SILENCE) => {
                self.say(&format!(
                    "{} of {} cases, {:.0} % measured{}",
                    self.ended.len(),
                    self.cases.len(),
                    100.0 * self.share,
                    self.left()
                ));
            }
            Kind::Plain => {
                self.shown.get_or_insert_with(Instant::now);
            }
            _ => {}
        }
    }

    fn is_due(&self, after: Duration) -> bool {
        self.shown.is_none_or(|at| at.elapsed() >= after)
    }

    /// Returns text such as `, about 9 s left`, or an empty string if the remaining time is unknown.
    fn left(&self) -> String {
        let left_ns = self.left_ns.filter(|ns| *ns >= 500_000_000);
        left_ns.map_or(String::new(), |ns| format!(", about {} left", numbers::wall(ns)))
    }

    /// Draws the line with the bar and, if the terminal can move the cursor up, the table of cases.
    fn draw(&mut self) {
        self.shown = Some(Instant::now());
        let width = self.style.width.unwrap_or(80).saturating_sub(1);
        let mut lines = if self.style.colour && self.cases.len() > 1 { self.table() } else { Vec::new() };
        lines.push(self.bar_line(width));
        let cut = |line: String| line.chars().take(width).collect::<String>();
        let lines: Vec<String> = lines.into_iter().map(cut).collect();
        let last = lines.last().map_or(0, |line| line.chars().count());
        let mut stderr = io::stderr().lock();
        let _ = self.rewind(&mut stderr);
        let _ = write!(stderr, "{}", lines.join("\n"));
        let _ = stderr.flush();
        self.drawn = (lines.len(), last);
    }

    /// Erases the display. A single line needs only a carriage return, not a control sequence.
    fn rewind(&self, stderr: &mut impl Write) -> io::Result<()> {
        match self.drawn {
            (0, _) => Ok(()),
            (1, columns) => write!(stderr, "\r{}\r", " ".repeat(columns)),
            (lines, _) => write!(stderr, "\r\u{1b}[{}A\u{1b}[J", lines - 1),
        }
    }

    /// Returns `━━━━━╸ 31 %  words/join n=10  pair 3 of 8  131 ns ± 1.2 %  4 s, about 9 s left`. If that is
    /// too wide, shortens the name. If it is still too wide, omits the time spent, the bar, the number of the
    /// pair and the figure, in this order.
    fn bar_line(&self, width: usize) -> String {
        let bar = bar(self.share, &self.style) + " ";
        let share = format!("{:>3.0} %", 100.0 * self.share);
        let spent = numbers::wall(self.start.elapsed().as_nanos() as u64);
        let left = self.left();
        let (name, at, figure) = match self.open.first().and_then(|case| self.standings.get(case)) {
            None if self.share > 0.0 => {
                (format!("{} of {} cases", self.ended.len(), self.cases.len()), String::new(), String::new())
            }
            None => ("starting".to_owned(), String::new(), String::new()),
            Some(standing) => {
                let what = if standing.changes.is_empty() { "process" } else { "pair" };
                let at = (standing.processes.floor() as u32 + 1).min(standing.planned);
                let at = format!("  {what} {at} of {}", standing.planned);
                (self.name(standing.case), at, figure(standing, &self.style))
            }
        };
        let figure = if figure.is_empty() { figure } else { format!("  {}", figure.trim_end()) };
        let both = format!("  {spent}{left}");
        let only_left = if left.is_empty() { both.clone() } else { left.replacen(", ", "  ", 1) };
        let forms = [
            [&*bar, &at, &figure, &both],
            [&*bar, &at, &figure, &only_left],
            ["", &at, &figure, &only_left],
            ["", "", &figure, &only_left],
            ["", "", "", &only_left],
        ];
        let room = |[bar, at, figure, time]: [&str; 4]| {
            let used = [bar, &share, "  ", at, figure, time].map(|part| part.chars().count());
            width.checked_sub(used.iter().sum())
        };
        let wanted = NAME.min(name.chars().count());
        let (room, [bar, at, figure, time]) = forms
            .into_iter()
            .filter_map(|form| Some((room(form)?, form)))
            .find(|(room, _)| *room >= wanted)
            .unwrap_or((width.saturating_sub(share.chars().count() + 2), [""; 4]));
        format!("{bar}{share}  {}{at}{figure}{time}", self.shortened(&name, room))
    }

    /// Returns the table: the cases being measured, and the last of the others.
    fn table(&self) -> Vec<String> {
        let shown: Vec<&Standing> =
            self.standings.values().filter(|standing| standing.typical_ns.is_some()).collect();
        if shown.len() < 2 {
            return Vec::new();
        }
        let hidden = shown.len().saturating_sub(ROWS);
        let mut rows: Vec<&Standing> = shown;
        // Keep the cases being measured. Of the others, drop the first ones.
        let mut left = hidden;
        rows.retain(|standing| {
            let is_hidden = left > 0 && !self.open.contains(&standing.case);
            left -= usize::from(is_hidden);
            !is_hidden
        });
        rows.truncate(ROWS);
        // Remaining width next to a figure such as `12.0 µs ± 0.3 % so far`.
        let room = self.style.width.unwrap_or(80).saturating_sub(28).clamp(20, 60);
        let names: Vec<String> =
            rows.iter().map(|standing| self.shortened(&self.name(standing.case), room)).collect();
        let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let mut lines: Vec<String> = rows
            .iter()
            .zip(&names)
            .map(|(standing, name)| {
                let blanks = " ".repeat(widest - name.chars().count());
                let state = if self.ended.contains_key(&standing.case) { "" } else { "so far" };
                format!("  {name}{blanks}  {}{state}", figure(standing, &self.style))
            })
            .collect();
        if hidden > 0 {
            lines.insert(0, format!("  {hidden} more"));
        }
        lines
    }

    fn name(&self, case: u32) -> String {
        self.cases.get(case as usize).map_or(String::new(), |case| visible(&case.id.to_string()).into_owned())
    }

    /// Returns a name of at most `room` characters. It is shortened in the middle, because its ends
    /// distinguish it from others.
    fn shortened(&self, name: &str, room: usize) -> String {
        let count = name.chars().count();
        if count <= room {
            return name.to_string();
        }
        let mark = if self.style.ascii { ".." } else { "…" };
        let left = room.saturating_sub(mark.chars().count());
        let head = name.chars().take(left.div_ceil(2));
        head.chain(mark.chars()).chain(name.chars().skip(count - left / 2)).collect()
    }

    /// Erases the display before other lines are printed.
    pub fn clear(&mut self) {
        if self.kind == Kind::Live {
            let _ = self.rewind(&mut io::stderr().lock());
            self.drawn = (0, 0);
        }
    }

    fn say(&mut self, text: &str) {
        if self.kind != Kind::Silent {
            self.clear();
            self.shown = (self.kind == Kind::Plain).then(Instant::now);
            // Escape line breaks in foreign text.
            output::note(&visible(text));
        }
    }

    fn case_ended(&mut self, index: u32, reason: StopReason) {
        self.ended.insert(index, reason);
        if self.kind != Kind::Plain {
            return;
        }
        let word = match reason {
            StopReason::Failed => "failed",
            StopReason::Skipped => "skipped",
            StopReason::Once => "passed",
            StopReason::Interrupted => "interrupted",
            StopReason::Budget if self.measured.contains(&index) => "measured (time spent)",
            StopReason::Budget => "not measured (budget exhausted)",
            _ => "measured",
        };
        let count = self.ended.len().min(self.cases.len());
        self.say(&format!("[{count}/{}] {} {word}", self.cases.len(), self.name(index)));
    }
}

/// Returns `131 ns ± 1.2 %` for one variant or `+4.1 % ± 1.2 %` for two, followed by two spaces. Returns an
/// empty string if there is no value yet.
fn figure(standing: &Standing, style: &Style) -> String {
    let value = match &standing.changes[..] {
        [] => standing.typical_ns.map(|ns| numbers::duration(ns, style)),
        changes => {
            Some(changes.iter().map(|change| numbers::change(*change, style)).collect::<Vec<_>>().join(", "))
        }
    };
    let Some(value) = value else { return String::new() };
    let sign = if style.ascii { "+-" } else { "±" };
    let half = standing
        .half_width
        .map_or(String::new(), |half| format!(" {sign} {}", numbers::percent(half, style)));
    format!("{value}{half}  ")
}

/// Returns a bar that is filled to the given fraction.
fn bar(share: f64, style: &Style) -> String {
    let halves = (share.clamp(0.0, 1.0) * 2.0 * BAR as f64).round() as usize;
    let (full, half, empty) = if style.ascii { ("#", "#", ".") } else { ("━", "╸", " ") };
    let filled = format!("{}{}", full.repeat(halves / 2), half.repeat(halves % 2));
    let rest = BAR - halves.div_ceil(2);
    filled + &empty.repeat(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_model::CaseId;

    fn progress(name: &str, changes: &[f64]) -> Progress {
        let id = CaseId { suite: "tests".into(), benchmark: name.into(), params: Vec::new() };
        let standing = Standing {
            case: 0,
            processes: 27.5,
            planned: 29,
            typical_ns: Some(1312.0),
            changes: changes.to_vec(),
            half_width: Some(0.007),
        };
        Progress {
            kind: Kind::Live,
            style: Style { width: Some(80), ascii: false, colour: false },
            cases: vec![Case::new(id)],
            standings: BTreeMap::from([(0, standing)]),
            ended: BTreeMap::new(),
            visits: BTreeMap::new(),
            measured: BTreeSet::new(),
            open: vec![0],
            share: 0.62,
            left_ns: Some(14_000_000_000),
            shown: None,
            start: Instant::now(),
            drawn: (0, 0),
            launches: false,
        }
    }

    #[test]
    fn the_line_fits_and_ends_with_a_whole_word() {
        for length in [1, 10, 20, 40, 80, 120] {
            let name: String = "test_join[1000-unicode]/".chars().cycle().take(length).collect();
            for changes in [&[][..], &[2.596], &[0.001, -0.5, 1.25]] {
                for width in 30..160 {
                    let line = progress(&name, changes).bar_line(width);
                    assert!(line.chars().count() <= width, "{width}: {line}");
                    assert!(line.contains("62 %  "), "{line}");
                    assert!(line.ends_with("about 14 s left") || width < 44, "{width}: {line}");
                }
            }
        }
        let line = progress("bench/test_words.py::test_join[1000-unicode]", &[2.596]).bar_line(79);
        assert_eq!(line, " 62 %  tests/bench…0-unicode]  pair 28 of 29  +259.6 % ± 0.7 %  about 14 s left");
    }
}
