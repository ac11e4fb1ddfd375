//! The state of the progress display of a run.

use derny_estimate::level::Levels;
use derny_model::Progress;
use std::collections::HashSet;
use std::time::Instant;

/// The state of the progress display.
pub struct Watch {
    /// Numbers of complete processes at the looks of the plan.
    pub looks: Vec<u32>,
    pub(super) levels: Levels,
    pub(super) told: Option<Instant>,
    /// The last progress event.
    pub last: Option<Box<Progress>>,
    said: HashSet<String>,
}

impl Watch {
    /// Returns the state before the first event.
    pub fn new(looks: Vec<u32>, levels: Levels) -> Watch {
        Watch { looks, levels, told: None, last: None, said: HashSet::new() }
    }

    /// Returns true if no harness of the run has sent this message before: all of its processes may send the
    /// same.
    pub fn is_new(&mut self, message: &str) -> bool {
        self.said.insert(message.to_owned())
    }

    /// Returns the number of complete processes at the next look.
    pub(super) fn next(&self, complete: u32) -> u32 {
        self.looks.iter().copied().find(|&look| look > complete).unwrap_or(complete.max(1))
    }
}
