//! Places steps on one time axis, and adds up the time of each part.
//!
//! Steps may overlap, because several processes launch or warm up at the same time. The time then counts
//! for the part that comes first in [`Part`]. Time between two steps of the same part is the engine's own
//! work and counts for that part. Time between different parts does not count.

/// The part of a run that a step belongs to. If steps overlap, the time counts for the part that comes first
/// in this list. Measuring is first, because nothing else should happen at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A turn of a measured round.
    Measured,
    /// A turn of the empty body.
    Empty,
    /// A first call, calibration or warm-up.
    WarmUp,
    /// A forced collection, or settling of the heap.
    Settling,
    /// The launch of a process, or the opening of a case.
    Launch,
    /// The end of a process.
    End,
    /// A yardstick reading.
    Yardsticks,
}

/// Number of variants of [`Part`].
pub const PARTS: usize = 7;

/// A step, which is an interval of time spent on one part.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// The part that the step belongs to.
    pub part: Part,
    /// Start of the step, in ns.
    pub begin_ns: u64,
    /// End of the step, in ns.
    pub end_ns: u64,
}

/// Returns the time of each part in ns, in the order of [`Part`].
pub fn spent(steps: Vec<Step>) -> [u64; PARTS] {
    // At equal times, starts sort before ends, so that adjacent steps have no gap.
    let mut moments: Vec<(u64, bool, u8)> = Vec::with_capacity(2 * steps.len());
    for Step { part, begin_ns, end_ns } in steps {
        moments.extend([(begin_ns, false, part as u8), (end_ns, true, part as u8)]);
    }
    moments.sort_unstable();
    let mut spent = [0; PARTS];
    let mut under_way = [0_u32; PARTS];
    let first = |under_way: &[u32; PARTS]| under_way.iter().position(|count| *count > 0);
    let (mut now, mut gap): (u64, Option<(usize, u64)>) = (0, None);
    for (at, is_end, part) in moments {
        let part = usize::from(part);
        match (first(&under_way), gap) {
            (Some(current), _) => spent[current] += at - now,
            // Time between two steps of the same part counts for that part.
            (None, Some((before, since))) if before == part => spent[before] += at - since,
            _ => {}
        }
        now = at;
        if is_end {
            under_way[part] -= 1;
            gap = first(&under_way).is_none().then_some((part, at));
        } else {
            under_way[part] += 1;
        }
    }
    spent
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(steps: &[(Part, u64, u64)]) -> [u64; PARTS] {
        spent(steps.iter().map(|&(part, begin_ns, end_ns)| Step { part, begin_ns, end_ns }).collect())
    }

    #[test]
    fn what_happens_at_once_counts_once() {
        let both = of(&[(Part::WarmUp, 10, 30), (Part::WarmUp, 12, 40)]);
        assert_eq!(both[Part::WarmUp as usize], 30);
        let over = of(&[(Part::Launch, 0, 100), (Part::WarmUp, 80, 120)]);
        assert_eq!((over[Part::Launch as usize], over[Part::WarmUp as usize]), (80, 40));
        let inside = of(&[(Part::Launch, 0, 100), (Part::Measured, 20, 30), (Part::Measured, 50, 60)]);
        assert_eq!((inside[Part::Launch as usize], inside[Part::Measured as usize]), (80, 20));
    }

    #[test]
    fn a_gap_belongs_to_a_part_that_has_both_sides_of_it() {
        let turns = [(Part::Measured, 0, 10), (Part::Measured, 12, 20), (Part::End, 25, 30)];
        let spent = of(&turns);
        assert_eq!((spent[Part::Measured as usize], spent[Part::End as usize]), (20, 5));
        assert_eq!(of(&[(Part::End, 3, 3)]), [0; PARTS]);
    }
}
