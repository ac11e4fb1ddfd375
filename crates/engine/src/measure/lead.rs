//! Decides whether the turns of a case need a lead: untimed batches before a turn.
//!
//! A process loses its caches while other processes run. Without a lead, the first tenths of a
//! millisecond of its turn would include the cost of reloading them. A program that runs alone does not
//! have that cost.
//!
//! A body that works in registers loses nothing, so its lead would waste time. The first round of a
//! case is therefore a trial without a lead. If its turns start at full speed, the round counts like
//! any other.

/// Number of turns of each variant in the trial.
const TURNS: usize = 5;
/// Largest relative slowdown at the start of a turn for which no lead is needed, as a fraction of the
/// margin. The start is a tenth of the turn, so such a slowdown moves a mean by at most a twentieth of
/// the margin, and a median by less. Even if a body works in registers, its first batch is 1 % slower,
/// because its code must be reloaded.
const PART: f64 = 0.5;

/// The decision whether the turns of a case have a lead. It applies to all variants.
#[derive(Debug, Clone, PartialEq)]
pub enum Lead {
    /// Not decided yet. Contains the time of each turn's start relative to the rest of the turn, by
    /// variant.
    Tried(Vec<Vec<f64>>),
    /// The turns need a lead. They start more slowly without one, or the trial cannot show it.
    Needed,
    /// The turns need no lead, because they start equally fast without one.
    Spared,
}

/// The state of the trial round without a lead.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Trial {
    /// The round has not been measured yet.
    #[default]
    ToCome,
    /// The turns of the round have not been emitted yet, and may still count as measured.
    Untold,
    /// The turns of the round have been emitted.
    Told,
}

impl Lead {
    /// Records a round without a lead: the relative starts of its turns, by variant. `None` means that
    /// the turn has too few batches to show it.
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

/// Returns the median. For an even number of values, returns the upper of the middle two.
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
