//! Groups of events that are written to the database in one transaction.

use crate::backend::SealedTurns;
use crate::codec::blob::encode;
use derny_model::{Event, Turn};

/// Size in bytes of encoded turns at which a group ends, even if it has few events.
const BYTES: usize = 1 << 24;

pub struct Group {
    /// Events other than turns, in order.
    pub events: Vec<Event>,
    /// Turns of the visits that end in this group.
    pub sealed: Vec<SealedTurns>,
    /// Number of events up to the end of this group, including turns.
    pub taken: u64,
}

/// An iterator that groups events. A visit and its turns are always in the same group. The turns are encoded
/// when the visit ends.
pub struct Groups<I> {
    events: I,
    /// Maximum number of events in a group, not counting turns.
    size: usize,
    taken: u64,
    /// Turns of the current visit.
    turns: Vec<Turn>,
}

impl Groups<()> {
    /// Default number of events in a group. Smaller groups need less memory. Larger groups wait for the disk
    /// less often.
    pub const USUAL: usize = 1 << 15;
    /// Number of events in a group of a large run.
    pub const MUCH: usize = 1 << 17;

    /// Groups `events`. Each group has about `size` of them.
    pub fn of<I: Iterator<Item = Event>>(events: I, size: usize) -> Groups<I> {
        Groups { events, size, taken: 0, turns: Vec::new() }
    }
}

impl<I: Iterator<Item = Event>> Iterator for Groups<I> {
    type Item = Group;

    fn next(&mut self) -> Option<Group> {
        let (mut events, mut sealed, mut bytes) = (Vec::new(), Vec::new(), 0);
        for event in self.events.by_ref() {
            self.taken += 1;
            let may_end = match event {
                Event::Turn(turn) => {
                    self.turns.push(turn);
                    continue;
                }
                Event::VisitEnded { visit } => {
                    let turns = SealedTurns { visit, bytes: encode(&self.turns) };
                    self.turns.clear();
                    bytes += turns.bytes.len();
                    sealed.push(turns);
                    true
                }
                Event::CaseEnded { .. } => true,
                _ => false,
            };
            events.push(event);
            if may_end && (events.len() >= self.size || bytes >= BYTES) {
                break;
            }
        }
        (!events.is_empty()).then_some(Group { events, sealed, taken: self.taken })
    }
}
