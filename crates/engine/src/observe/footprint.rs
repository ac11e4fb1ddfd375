//! What a process takes beside time: resident memory, and what it prints. Both are noted, and held against their limits.

use crate::observe::memory::Resident;

/// How often a process's memory is held against its limit: after so many ns of its turns, since between them it sleeps.
const WEIGH_EVERY_NS: u64 = 20_000_000;
/// A process that prints more than this, in bytes, measures its printing.
const MOST_PRINTED: u64 = 512 << 20;

/// The first and the last note of one process.
#[derive(Debug)]
pub struct Footprint {
    memory: Option<Resident>,
    resident: Option<(u64, u64)>,
    printed: Option<(u64, u64)>,
    /// Ns of turns since its memory was read.
    unweighed_ns: u64,
}

/// A limit that is passed, and by what.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Excess {
    /// Resident set, and the limit, in bytes.
    #[allow(missing_docs)]
    Memory { now: u64, limit: u64 },
    /// Printed, in bytes.
    Printed(u64),
}

impl Footprint {
    /// Of process `pid`.
    pub fn open(pid: u32) -> Footprint {
        Footprint { memory: Resident::open(pid), resident: None, printed: None, unweighed_ns: 0 }
    }

    /// Notes the resident set and what was printed so far; gives back the former, in bytes, where the system tells it.
    pub fn note(&mut self, printed: u64) -> Option<u64> {
        self.printed = Some((self.printed.map_or(printed, |(first, _)| first), printed));
        let now = self.memory.as_ref()?.bytes()?;
        self.resident = Some((self.resident.map_or(now, |(first, _)| first), now));
        Some(now)
    }

    /// The limit that is passed, if one is: asked after every turn, which took `turn_ns`, since a leak may fill the machine
    /// within one visit.
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

    /// Resident set at the first and at the last note, in bytes.
    pub fn resident(&self) -> Option<(u64, u64)> {
        self.resident
    }

    /// Bytes printed between the first and the last note.
    pub fn printed(&self) -> Option<u64> {
        self.printed.map(|(first, last)| last - first)
    }
}
