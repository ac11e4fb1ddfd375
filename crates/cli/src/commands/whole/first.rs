//! Display of the first runs of commands.

use crate::args::Global;
use crate::output;
use derny_command::calls::Call;
use derny_command::first::Watcher;
use derny_command::harness;
use derny_command::plan::Plan;
use derny_report::{Style, numbers};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Duration after which a running command is reported, and the interval of further reports.
const LONG: Duration = Duration::from_secs(5);
/// Number of process starts whose median is the cost of a start.
const STARTS: usize = 21;
/// Duration above which the cost of starting a command is negligible.
const SHORT_NS: u64 = 20_000_000;

/// Observer of first runs that prints their progress.
pub struct Terminal<'a> {
    quiet: u8,
    style: Style,
    stop: &'a AtomicBool,
    next: Duration,
    ignores_stop: bool,
}

impl<'a> Terminal<'a> {
    /// Returns an observer that has printed nothing yet.
    pub fn new(global: &Global, stop: &'a AtomicBool) -> Terminal<'a> {
        let style = output::error_style(global);
        Terminal { quiet: global.quiet, style, stop, next: LONG, ignores_stop: false }
    }

    /// Returns an observer for commands that must run even after the user has stopped everything else.
    pub fn to_the_end(&self) -> Terminal<'a> {
        Terminal { ignores_stop: true, ..*self }
    }

    /// Prints on which processors the commands run. If times are judged and a command is short, also prints
    /// what starting a command costs.
    pub fn tell_start(&self, plan: &Plan, is_single: bool, timed: bool) {
        if self.quiet > 0 {
            return;
        }
        let where_to = match is_single {
            true => "pinned to one processor, because none of them runs two threads at once",
            false => "free to use all processors",
        };
        let shortest = plan.entries.iter().map(|entry| entry.seen.about_ns).min().unwrap_or(u64::MAX);
        let start = if timed && shortest < SHORT_NS { self.start(plan) } else { None };
        output::note(&format!("commands are {where_to}{}", start.unwrap_or_default()));
    }

    /// Returns `; starting sh takes 612 µs ± 4 %, which is subtracted`: the median of several starts, and
    /// half of their interquartile range. `None` if a start fails.
    fn start(&self, plan: &Plan) -> Option<String> {
        let nothing = Call {
            text: "true".to_owned(),
            words: vec!["true".to_owned()],
            directory: plan.entries.first()?.run.directory.clone(),
            env: Vec::new(),
        };
        let call = plan.empty.as_ref().unwrap_or(&nothing);
        let mut times: Vec<u64> = (0..STARTS).filter_map(|_| harness::start(call).ok()).collect();
        times.sort_unstable();
        let [low, middle, high] = [1, 2, 3].map(|quarter| times.get(STARTS * quarter / 4).copied());
        let (low, middle, high) = (low?, middle?, high?);
        let spread = numbers::percent((high - low) as f64 / 2.0 / middle.max(1) as f64, &self.style);
        let middle = numbers::duration(middle as f64, &self.style);
        let sign = if self.style.ascii { "+-" } else { "±" };
        Some(match &plan.empty {
            Some(shell) => {
                format!("; starting {} takes {middle} {sign} {spread}, which is subtracted", shell.words[0])
            }
            None => format!("; starting a process takes {middle} {sign} {spread}, which every time includes"),
        })
    }
}

impl Watcher for Terminal<'_> {
    fn is_stopped(&self) -> bool {
        !self.ignores_stop && self.stop.load(Ordering::Relaxed)
    }

    fn runs(&mut self, text: &str, since: Duration) {
        if since < LONG {
            self.next = LONG;
        } else if since >= self.next && self.quiet == 0 {
            output::note(&format!("first run of `{text}`: {} s so far", since.as_secs()));
            self.next = since * 2;
        }
    }

    fn notes(&mut self, text: &str) {
        output::note(&format!("warning: {text}"));
    }
}
