//! What every part of a run needs at hand: settings, the sources of time and chance, the stream of events.

use crate::catalogue::Catalogue;
use crate::reaper::Reaper;
use derny_model::{Event, Settings, Variant};
use derny_stats::Rng;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Shared by the stages of one run.
pub struct Context<'a> {
    /// What is measured.
    pub catalogue: &'a Catalogue,
    /// How.
    pub settings: &'a Settings,
    /// Ways to launch.
    pub variants: &'a [Variant],
    /// The one stream of events.
    pub sink: &'a mut dyn FnMut(&Event),
    /// The person's wish to stop.
    pub stop: &'a AtomicBool,
    /// The watcher.
    pub reaper: Option<&'a Reaper>,
    /// Chance, seeded.
    pub rng: Rng,
    /// The run's start.
    pub start: Instant,
    /// When all must be over.
    pub deadline: Option<Instant>,
    /// Show what programs print.
    pub echo: bool,
    /// Show the protocol.
    pub trace: bool,
    /// Next process number.
    pub next_process: u32,
    /// Next visit number.
    pub next_visit: u32,
}

impl Context<'_> {
    /// Tells.
    pub fn tell(&mut self, event: Event) {
        (self.sink)(&event);
    }

    /// Since the run's start.
    pub fn now_ns(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    /// The person wants to stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The run's time is spent.
    pub fn over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The time-out of one answer: as set, but not far beyond the end of the run.
    pub fn timeout(&self) -> Duration {
        let set = Duration::from_nanos(self.settings.timeout_ns);
        self.deadline.map_or(set, |deadline| {
            set.min(deadline.saturating_duration_since(Instant::now()) + Duration::from_secs(2))
        })
    }

    /// A processor to measure on, at random.
    pub fn processor(&mut self) -> Option<u32> {
        let allowed = &self.settings.pin;
        (!allowed.is_empty()).then(|| allowed[self.rng.below(allowed.len() as u64) as usize])
    }
}
