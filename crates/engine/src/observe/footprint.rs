//! Resident memory and output of a process. Both are recorded and checked against limits.

use crate::observe::memory::Resident;

/// Total time of turns, in ns, after which the memory of a process is checked again. Time between turns
/// does not count, because the process sleeps.
const WEIGH_EVERY_NS: u64 = 20_000_000;
/// Output in bytes above which a process counts as printing endlessly.
const MOST_PRINTED: u64 = 512 << 20;

/// The first and last readings of a process's memory and output.
#[derive(Debug)]
pub struct Footprint {
    memory: Option<Resident>,
    resident: Option<(u64, u64)>,
    printed: Option<(u64, u64)>,
    /// Total time of turns since the memory was last read, in ns.
    unweighed_ns: u64,
}

/// A limit that was exceeded, with the observed value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Excess {
    /// Resident size and its limit, in bytes.
    #[allow(missing_docs)]
    Memory { now: u64, limit: u64 },
    /// Output in bytes.
    Printed(u64),
}

impl Footprint {
    /// Starts observing process `pid`.
    pub fn open(pid: u32) -> Footprint {
        Footprint { memory: Resident::open(pid), resident: None, printed: None, unweighed_ns: 0 }
    }

    /// Records the resident size and the output so far. Returns the resident size in bytes, if the
    /// system reports it.
    pub fn note(&mut self, printed: u64) -> Option<u64> {
        self.printed = Some((self.printed.map_or(printed, |(first, _)| first), printed));
        let now = self.memory.as_ref()?.bytes()?;
        self.resident = Some((self.resident.map_or(now, |(first, _)| first), now));
        Some(now)
    }

    /// Returns the limit that is exceeded, if any. Called after every turn, because a leak can fill the
    /// memory of the machine within one visit. `turn_ns` is the time of the turn.
    pub fn excess(&mut self, turn_ns: u64, printed: u64, memory_limit: Option<u64>) -> Option<Excess> {
        if printed > MOST_PRINTED {
            return Some(Excess::Printed(printed));
        }
        self.unweighed_ns = self.unweighed_ns.saturating_add(turn_ns);
        if self.unweighed_ns < WEIGH_EVERY_NS {
            return None;
        }
        self.unweighed_ns = 0;
        let (limit, now) = (memory_limit?, self.memory.as_ref()?.bytes()?);
        (now > limit).then_some(Excess::Memory { now, limit })
    }

    /// Returns the resident size at the first and at the last reading, in bytes.
    pub fn resident(&self) -> Option<(u64, u64)> {
        self.resident
    }

    /// Returns the number of bytes printed between the first and the last reading.
    pub fn printed(&self) -> Option<u64> {
        self.printed.map(|(first, last)| last - first)
    }
}
