//! The turns of a visit. They are in memory, or stored elsewhere and read on access.
//!
//! A run of ten thousand cases has gigabytes of turns. Code that processes a run case by case loads
//! each visit with its turns ([`VisitRecord::at_hand`](crate::VisitRecord::at_hand)), and drops them
//! after the case. All other code can treat them as a list.

use crate::{Phase, Turn};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::{self, Debug};
use std::ops::{Deref, DerefMut, RangeInclusive};
use std::sync::{Arc, OnceLock};

/// The storage of turns that are not in memory.
pub trait KeptTurns: Send + Sync {
    /// Returns the turns of a visit as they were when its [`Turns`] were created. `visit` is the number that
    /// the visit had then. If the first read fails, returns an empty list, and [`KeptTurns::trouble`] returns
    /// the reason.
    ///
    /// # Panics
    /// Panics if a read fails after another one has succeeded.
    fn turns(&self, visit: u32) -> Vec<Turn>;

    /// Returns the reason why turns could not be read on first access. Results computed without them
    /// are invalid.
    fn trouble(&self) -> Option<String> {
        None
    }

    /// Returns the turns in the encoding of the storage, if available.
    fn packed(&self, _visit: u32) -> Option<Vec<u8>> {
        None
    }

    /// Passes the encoded turns of each visit in the range to `take`. Returns false if the turns of a
    /// visit were not available.
    fn each_packed(&self, visits: RangeInclusive<u32>, take: &mut dyn FnMut(u32, &[u8])) -> bool {
        for visit in visits {
            let Some(bytes) = self.packed(visit) else { return false };
            take(visit, &bytes);
        }
        true
    }
}

/// Facts about turns that are available without reading the turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TurnFacts {
    /// Start of the first turn, in ns since the start of the run.
    pub begun_ns: Option<u64>,
    /// Number of warm-up turns.
    pub warm_up: u32,
    /// Number of measured turns.
    pub measured: u32,
    /// Number of rejected turns.
    pub rejected: u32,
    /// True if at least one turn has times.
    pub timed: bool,
    /// True if at least one turn ran pinned to a processor.
    pub pinned: bool,
}

impl TurnFacts {
    /// Computes the facts of turns in memory.
    pub fn of(turns: &[Turn]) -> TurnFacts {
        let count = |phase| turns.iter().filter(|turn| turn.phase == phase).count() as u32;
        TurnFacts {
            begun_ns: turns.iter().map(|turn| turn.at_ns).min(),
            warm_up: count(Phase::WarmUp),
            measured: count(Phase::Measured),
            rejected: count(Phase::Rejected),
            timed: turns.iter().any(|turn| !turn.times_ns.is_empty()),
            pinned: turns.iter().any(|turn| turn.cpu.is_some()),
        }
    }
}

/// Turns, in order of time.
#[derive(Clone)]
pub struct Turns(Storage);

#[derive(Clone)]
enum Storage {
    Here(Vec<Turn>),
    Elsewhere(Box<Elsewhere>),
}

struct Elsewhere {
    visit: u32,
    /// The current number of the visit.
    number: u32,
    facts: TurnFacts,
    kept: Arc<dyn KeptTurns>,
    read: OnceLock<Box<[Turn]>>,
}

impl Elsewhere {
    fn turns(&self) -> Vec<Turn> {
        let mut turns = self.kept.turns(self.visit);
        turns.iter_mut().for_each(|turn| turn.visit = self.number);
        turns
    }
}

/// Does not clone turns that were already read. The clone reads them again.
impl Clone for Elsewhere {
    fn clone(&self) -> Self {
        let kept = Arc::clone(&self.kept);
        Elsewhere { kept, read: OnceLock::new(), ..*self }
    }
}

impl Turns {
    /// Creates the turns of a visit that `kept` stores, with their facts.
    pub fn elsewhere(kept: Arc<dyn KeptTurns>, visit: u32, facts: TurnFacts) -> Turns {
        Turns(Storage::Elsewhere(Box::new(Elsewhere {
            visit,
            number: visit,
            facts,
            kept,
            read: OnceLock::new(),
        })))
    }

    /// Changes the number of the visit to `visit`, without reading turns that are stored elsewhere.
    pub fn renumber(&mut self, visit: u32) {
        match &mut self.0 {
            Storage::Here(turns) => turns.iter_mut().for_each(|turn| turn.visit = visit),
            Storage::Elsewhere(place) => {
                place.number = visit;
                place.read = OnceLock::new();
            }
        }
    }

    /// Returns the facts, without reading turns that are stored elsewhere.
    pub fn facts(&self) -> TurnFacts {
        match &self.0 {
            Storage::Here(turns) => TurnFacts::of(turns),
            Storage::Elsewhere(place) => place.facts,
        }
    }

    /// Returns turns that are stored elsewhere, in the encoding of that storage ([`KeptTurns::packed`]).
    pub fn packed(&self) -> Option<Vec<u8>> {
        match &self.0 {
            Storage::Here(_) => None,
            Storage::Elsewhere(place) => place.kept.packed(place.visit),
        }
    }

    /// Returns the storage of the turns and the number of the visit there, if they are not in memory.
    pub fn kept(&self) -> Option<(&Arc<dyn KeptTurns>, u32)> {
        match &self.0 {
            Storage::Here(_) => None,
            Storage::Elsewhere(place) => Some((&place.kept, place.visit)),
        }
    }

    /// Returns true if the turns are in memory.
    pub fn are_here(&self) -> bool {
        match &self.0 {
            Storage::Here(_) => true,
            Storage::Elsewhere(place) => place.read.get().is_some(),
        }
    }

    /// Returns the turns for modification. They remain in memory afterwards.
    pub fn to_mut(&mut self) -> &mut Vec<Turn> {
        if let Storage::Elsewhere(_) = self.0 {
            self.0 = Storage::Here(std::mem::take(self).into_iter().collect());
        }
        match &mut self.0 {
            Storage::Here(turns) => turns,
            Storage::Elsewhere(_) => unreachable!("they were brought here"),
        }
    }
}

impl Deref for Turns {
    type Target = [Turn];

    fn deref(&self) -> &[Turn] {
        match &self.0 {
            Storage::Here(turns) => turns,
            Storage::Elsewhere(place) => place.read.get_or_init(|| place.turns().into_boxed_slice()),
        }
    }
}

impl DerefMut for Turns {
    fn deref_mut(&mut self) -> &mut [Turn] {
        self.to_mut()
    }
}

impl Default for Turns {
    fn default() -> Turns {
        Vec::new().into()
    }
}

impl From<Vec<Turn>> for Turns {
    fn from(turns: Vec<Turn>) -> Turns {
        Turns(Storage::Here(turns))
    }
}

impl FromIterator<Turn> for Turns {
    fn from_iter<T: IntoIterator<Item = Turn>>(turns: T) -> Turns {
        turns.into_iter().collect::<Vec<Turn>>().into()
    }
}

impl IntoIterator for Turns {
    type Item = Turn;
    type IntoIter = std::vec::IntoIter<Turn>;

    fn into_iter(self) -> Self::IntoIter {
        match self.0 {
            Storage::Here(turns) => turns,
            Storage::Elsewhere(mut place) => {
                let read = std::mem::take(&mut place.read).into_inner();
                read.map_or_else(|| place.turns(), |turns| turns.into_vec())
            }
        }
        .into_iter()
    }
}

impl<'a> IntoIterator for &'a Turns {
    type Item = &'a Turn;
    type IntoIter = std::slice::Iter<'a, Turn>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Turns {
    type Item = &'a mut Turn;
    type IntoIter = std::slice::IterMut<'a, Turn>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl AsRef<[Turn]> for Turns {
    fn as_ref(&self) -> &[Turn] {
        self
    }
}

impl<T: AsRef<[Turn]> + ?Sized> PartialEq<T> for Turns {
    fn eq(&self, other: &T) -> bool {
        **self == *other.as_ref()
    }
}

impl Debug for Turns {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(to)
    }
}

impl Serialize for Turns {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Turns {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Turns, D::Error> {
        Vec::deserialize(from).map(Turns::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Kept(Vec<Turn>);

    impl KeptTurns for Kept {
        fn turns(&self, visit: u32) -> Vec<Turn> {
            self.0.iter().filter(|turn| turn.visit == visit).cloned().collect()
        }
    }

    fn turn(visit: u32, round: u32) -> Turn {
        Turn {
            visit,
            phase: Phase::Measured,
            round,
            iterations: 1,
            times_ns: vec![1],
            ops: None,
            counters: Vec::new(),
            cpu: None,
            at_ns: 0,
            wall_ns: 1,
            hash: None,
            thread: None,
            reported: Vec::new(),
            outside: None,
        }
    }

    #[test]
    fn turns_take_the_number_of_their_visit_wherever_they_are() {
        let all = [turn(3, 0), turn(3, 1)];
        let kept: Arc<dyn KeptTurns> = Arc::new(Kept(all.to_vec()));
        let mut elsewhere = Turns::elsewhere(kept, 3, TurnFacts::of(&all));
        assert_eq!(elsewhere, all, "read once before");
        elsewhere.renumber(7);
        assert!(!elsewhere.are_here());
        let mut here = Turns::from(all.to_vec());
        here.renumber(7);
        for turns in [elsewhere.clone(), elsewhere, here] {
            assert_eq!(
                (turns.facts().measured, turns.into_iter().collect::<Vec<Turn>>()),
                (2, vec![turn(7, 0), turn(7, 1)])
            );
        }
    }
}
