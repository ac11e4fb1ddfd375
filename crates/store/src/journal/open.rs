//! The turns of open visits, encoded as in the journal. They take a tenth of the memory of decoded turns, and
//! need no separate allocation for each turn.

use crate::journal::frames::unpack;
use derny_model::Turn;
use std::collections::BTreeMap;

/// Visits that have no blob yet, with their turns in chronological order.
#[derive(Debug, Default)]
pub struct Open {
    visits: BTreeMap<u32, Visit>,
}

#[derive(Debug, Default)]
struct Visit {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Open {
    /// Adds a turn of `visit` in the encoding of [`crate::journal::frames::pack`].
    pub fn push(&mut self, visit: u32, packed: &[u8]) {
        let Visit { bytes, ends } = self.visits.entry(visit).or_default();
        bytes.extend_from_slice(packed);
        ends.push(bytes.len());
    }

    pub fn turns(&self, visit: u32) -> Vec<Turn> {
        let Some(open) = self.visits.get(&visit) else { return Vec::new() };
        let starts = std::iter::once(0).chain(open.ends.iter().copied());
        starts.zip(&open.ends).filter_map(|(start, &end)| unpack(&open.bytes[start..end])).collect()
    }

    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.visits.keys().copied()
    }

    pub fn is_empty(&self) -> bool {
        self.visits.is_empty()
    }

    pub fn remove(&mut self, visit: u32) {
        self.visits.remove(&visit);
    }

    pub fn clear(&mut self) {
        self.visits.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::frames::pack;
    use crate::scenario::{Random, turn};

    #[test]
    fn every_visit_gets_its_own_turns_back() {
        let mut random = Random(1);
        let told: Vec<Turn> = (0..20).map(|round| turn(&mut random, round % 3, round)).collect();
        let mut open = Open::default();
        for turn in &told {
            let mut packed = Vec::new();
            pack(&mut packed, turn);
            open.push(turn.visit, &packed);
        }
        let of = |visit: u32| told.iter().filter(|turn| turn.visit == visit).cloned().collect::<Vec<_>>();
        assert_eq!(open.numbers().collect::<Vec<_>>(), [0, 1, 2]);
        open.remove(1);
        assert_eq!([open.turns(0), open.turns(1), open.turns(2)], [of(0), Vec::new(), of(2)]);
        open.clear();
        assert!(open.is_empty());
    }
}
