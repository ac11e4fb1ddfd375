//! The state of a run's progress display, and the messages that harnesses have sent.

use derny_estimate::level::Levels;
use derny_model::Progress;
use std::collections::HashSet;
use std::time::Instant;

pub struct Watch {
    /// Numbers of complete processes at which the plan has a look.
    pub looks: Vec<u32>,
    pub(super) levels: Levels,
    pub(super) told: Option<Instant>,
    pub last: Option<Box<Progress>>,
    said: HashSet<String>,
}

impl Watch {
    pub fn new(looks: Vec<u32>, levels: Levels) -> Watch {
        Watch { looks, levels, told: None, last: None, said: HashSet::new() }
    }

    /// Returns true if no harness of the run has sent this message before. All processes of a program
    /// may send the same message.
    pub fn is_new(&mut self, message: &str) -> bool {
        self.said.insert(message.to_owned())
    }

    /// Returns the number of complete processes at the next look.
    pub(super) fn next(&self, complete: u32) -> u32 {
        self.looks.iter().copied().find(|&look| look > complete).unwrap_or(complete.max(1))
    }
}
