//! What every part of a run needs at hand: settings, the sources of time and chance, the stream of events.

use crate::aside::Aside;
use crate::attached::Attachment;
use crate::builds::Builds;
use crate::catalogue::Catalogue;
use crate::deck::Deck;
use crate::observe::memory;
use crate::preparer::Preparers;
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
    /// Time for one case in ns: its budget, or an equal part of the run's time where that is less.
    pub case_ns: u64,
    /// Show what programs print.
    pub echo: bool,
    /// Show the protocol.
    pub trace: bool,
    /// Largest resident set of a harness so far, in bytes; a guess at first.
    pub resident_bytes: u64,
    /// Which build every block measures.
    pub builds: Builds,
    /// Next process number.
    pub next_process: u32,
    /// Next visit number.
    pub next_visit: u32,
    /// Languages whose programs are compiled before they run.
    pub ahead_of_time: Vec<String>,
    /// What the first touch of a page of memory costs, in ns.
    pub first_touch_ns: f64,
    /// Complete processes (blocks) at the first look.
    pub first_look: u32,
    /// The processors of rounds.
    pub deck: Deck,
    /// Where the engine's own thread may run.
    pub aside: Aside,
    /// Processes that have prepared what cases need.
    pub preparers: Preparers,
    /// The session that stands in for every process, in attached mode.
    pub attached: Option<&'a mut Attachment>,
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

    /// Blocks alive together: as set, but fewer where all harnesses would take more than half of the memory that is free.
    pub fn wave(&self) -> usize {
        let each = self.resident_bytes.max(1) * self.variants.len() as u64;
        let room = memory::available_bytes().map_or(u64::MAX, |bytes| bytes / 2 / each);
        u64::from(self.settings.wave).min(room).max(1) as usize
    }

    /// The processor of the next round.
    pub fn draw(&mut self) -> Option<u32> {
        self.deck.draw(&self.settings.pin, &mut self.rng)
    }

    /// A processor to measure on, at random.
    pub fn processor(&mut self) -> Option<u32> {
        let allowed = &self.settings.pin;
        (!allowed.is_empty()).then(|| allowed[self.rng.below(allowed.len() as u64) as usize])
    }
}
