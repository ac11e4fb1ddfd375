//! Decides if turns of a case need a lead: batches before a turn that are not timed.
//!
//! A process loses its caches while others run. The first tenths of a millisecond of its turn would include
//! the cost of reloading them, which a program that runs alone does not have. A body that works in registers
//! loses nothing, and its lead would be wasted. So the first round of a case is a trial without one. If that
//! makes no difference, the round counts like any other.

/// Number of turns of each variant that decide.
const TURNS: usize = 5;
/// Excess of a turn's start above which it counts as slower, as a part of the margin. The start is a tenth of
/// the turn, so a mean moves by at most a twentieth of the margin, and a median by less. The first batch of a
/// body that works in registers is 1 % slower: its code must be reloaded too.
const PART: f64 = 0.5;

/// The lead of a case, the same for all variants.
#[derive(Debug, Clone, PartialEq)]
pub enum Lead {
    /// Starts of the turns without a lead, relative to their rest, by variant.
    Tried(Vec<Vec<f64>>),
    /// Its turns start more slowly, or cannot show it.
    Needed,
    /// No variant's turns start more slowly.
    Spared,
}

/// The trial round of an open case without a lead.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Trial {
    /// It has not taken place.
    #[default]
    ToCome,
    /// Its turns have not been emitted yet, and may still count.
    Untold,
    /// Its turns have been emitted.
    Told,
}

impl Lead {
    /// Records the starts of a turn without a lead, for every variant; `None` for a turn that cannot show it.
    pub fn see(&mut self, starts: &[Option<f64>], margin: f64) {
        let Lead::Tried(tried) = self else { return };
        if starts.iter().any(Option::is_none) {
            *self = Lead::Needed;
            return;
        }
        tried.resize(starts.len(), Vec::new());
        tried.iter_mut().zip(starts).for_each(|(own, start)| own.extend(start));
        let is_slow = |own: &mut Vec<f64>| median(own) > 1.0 + PART * margin;
        if tried.iter().all(|own| own.len() >= TURNS) {
            *self = if tried.iter_mut().any(is_slow) { Lead::Needed } else { Lead::Spared };
        }
    }
}

/// Returns the upper median of an even number of values.
fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(turns: usize, starts: [f64; 2]) -> Lead {
        let mut lead = Lead::Tried(Vec::new());
        for at in 0..turns {
            assert!(matches!(lead, Lead::Tried(_)), "{at}");
            lead.see(&starts.map(Some), 0.01);
        }
        lead
    }

    #[test]
    fn turns_that_begin_as_they_go_on_need_none() {
        assert!(matches!(after(TURNS - 1, [1.0, 1.0]), Lead::Tried(_)));
        assert_eq!(after(TURNS, [1.0, 1.004]), Lead::Spared);
        assert_eq!(after(TURNS, [0.9, 0.99]), Lead::Spared);
    }

    #[test]
    fn one_variant_that_begins_slowly_gives_all_of_them_a_lead() {
        assert_eq!(after(TURNS, [1.0, 1.006]), Lead::Needed);
        assert_eq!(after(TURNS, [1.2, 1.0]), Lead::Needed);
    }

    #[test]
    fn turns_of_few_batches_do_not_tell() {
        let mut lead = Lead::Tried(Vec::new());
        lead.see(&[Some(1.0), None], 0.01);
        assert_eq!(lead, Lead::Needed);
        lead.see(&[Some(1.0), Some(1.0)], 0.01);
        assert_eq!(lead, Lead::Needed);
    }
}
