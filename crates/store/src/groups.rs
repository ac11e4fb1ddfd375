//! The events of a file in groups, each of which goes to the database at once. Knows no database.

use crate::backend::SealedTurns;
use crate::codec::blob::encode;
use derny_model::{Event, Turn};

/// Bytes of turns that are written although their visits are few.
const BYTES: usize = 1 << 24;

/// What goes to the database together.
pub struct Group {
    /// Events other than turns, in order.
    pub events: Vec<Event>,
    /// The turns of the visits that end among them.
    pub sealed: Vec<SealedTurns>,
    /// Events until here, with turns.
    pub taken: u64,
}

/// Makes groups out of events. A visit is in one group with its turns, which are packed as it ends.
pub struct Groups<I> {
    events: I,
    /// Events of a group, turns apart.
    size: usize,
    taken: u64,
    /// Those of the visit that came last.
    turns: Vec<Turn>,
}

impl Groups<()> {
    /// Events of a group: fewer are less memory, and more are less waiting for the disk.
    pub const USUAL: usize = 1 << 15;
    /// The same of a run that is much.
    pub const MUCH: usize = 1 << 17;

    /// Groups of about so many events.
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
