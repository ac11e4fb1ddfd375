//! Progress on standard error: one live line on a terminal, one plain line per finished case elsewhere.

use crate::args::Global;
use derny_model::{Case, Event, StopReason};
use derny_report::{Style, numbers};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Silent,
    Plain,
    Live,
}

/// Consumer of events that shows where the run stands.
pub struct Progress {
    kind: Kind,
    style: Style,
    cases: Vec<Case>,
    done: usize,
    /// The case of every visit that is not over.
    visits: BTreeMap<u32, u32>,
    /// Cases with a complete visit.
    measured: BTreeSet<u32>,
    shown: Option<Instant>,
    start: Instant,
    line: usize,
    launches: bool,
}

impl Progress {
    /// Decides from the flags and the terminal.
    pub fn new(global: &Global, style: Style) -> Progress {
        let ci = std::env::var_os("CI").is_some();
        let live = io::stderr().is_terminal() && !ci && std::env::var("TERM").as_deref() != Ok("dumb");
        let kind = match (global.quiet > 0 || global.no_progress, live) {
            (true, _) => Kind::Silent,
            (_, true) => Kind::Live,
            _ => Kind::Plain,
        };
        let (start, launches) = (Instant::now(), global.verbose > 0);
        let (visits, measured) = (BTreeMap::new(), BTreeSet::new());
        Progress {
            kind,
            style,
            cases: Vec::new(),
            done: 0,
            visits,
            measured,
            shown: None,
            start,
            line: 0,
            launches,
        }
    }

    /// Takes an event. Cheap for turns: nothing is written for them.
    pub fn on_event(&mut self, event: &Event) {
        match event {
            Event::RunStarted { cases, .. } => self.cases.clone_from(cases),
            Event::VisitStarted(visit) => {
                self.visits.insert(visit.visit, visit.case);
            }
            Event::VisitEnded { visit } => self.measured.extend(self.visits.remove(visit)),
            Event::Progress { case, processes, estimate, done, left_ns } => {
                self.done = *done as usize;
                self.live(*case, *processes, *estimate, *left_ns);
            }
            Event::CaseEnded { case, reason } => self.ended(*case, *reason),
            Event::Log { case, message } => {
                let name =
                    case.and_then(|case| self.cases.get(case as usize)).map(|case| case.id.to_string());
                self.say(&format!("{}{message}", name.map_or_else(String::new, |name| format!("{name}: "))));
            }
            Event::ProcessStarted(process) if self.launches => {
                self.say(&format!("process {}: {}", process.process, process.command.join(" ")));
            }
            Event::RunEnded { .. } => self.clear(),
            _ => {}
        }
    }

    fn live(&mut self, case: u32, processes: (u32, u32), estimate: Option<(f64, f64)>, left_ns: u64) {
        if self.kind != Kind::Live || self.shown.is_some_and(|at| at.elapsed() < Duration::from_millis(100)) {
            return;
        }
        self.shown = Some(Instant::now());
        let Some(case) = self.cases.get(case as usize) else { return };
        let figure = estimate.map_or_else(String::new, |(ns, half)| {
            let width = if half.is_finite() {
                format!(" ± {}", numbers::percent(half, &self.style))
            } else {
                String::new()
            };
            format!("  {}{width}", numbers::duration(ns, &self.style))
        });
        let spent = self.start.elapsed();
        let before = format!("{}/{} cases  ", self.done, self.cases.len());
        let after = format!(
            "  process {}/{}{figure}  {} of ~{}",
            processes.0,
            processes.1,
            numbers::wall(spent.as_nanos() as u64),
            numbers::wall(spent.as_nanos() as u64 + left_ns)
        );
        let width = self.style.width.unwrap_or(80).saturating_sub(1);
        let room = width.saturating_sub(before.chars().count() + after.chars().count());
        let text = before + &self.shortened(&case.id.to_string(), room) + &after;
        let cut: String = text.chars().filter(|c| !c.is_control()).take(width).collect();
        let blanks = self.line.saturating_sub(cut.chars().count());
        self.line = cut.chars().count();
        let mut stderr = io::stderr().lock();
        let _ = write!(stderr, "\r{cut}{}", " ".repeat(blanks));
        let _ = stderr.flush();
    }

    /// A name in `room` characters: its middle gives way, since the ends tell it from its siblings.
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

    fn clear(&mut self) {
        if self.kind == Kind::Live && self.line > 0 {
            let _ = write!(io::stderr(), "\r{}\r", " ".repeat(self.line));
            self.line = 0;
        }
    }

    fn say(&mut self, text: &str) {
        if self.kind != Kind::Silent {
            self.clear();
            let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            let _ = writeln!(io::stderr(), "{plain}");
        }
    }

    fn ended(&mut self, index: u32, reason: StopReason) {
        self.done += 1;
        if self.kind != Kind::Plain {
            return;
        }
        let Some(case) = self.cases.get(index as usize) else { return };
        let word = match reason {
            StopReason::Failed => "failed",
            StopReason::Skipped => "skipped",
            StopReason::Once => "passed",
            StopReason::Interrupted => "interrupted",
            StopReason::Budget if self.measured.contains(&index) => "measured (time spent)",
            StopReason::Budget => "not measured (time spent)",
            _ => "measured",
        };
        let text = format!("[{}/{}] {} {word}", self.done.min(self.cases.len()), self.cases.len(), case.id);
        self.say(&text);
    }
}
