//! How an undertaking ended, in one word.

/// How an undertaking ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was done.
    Done,
    /// Something got worse by more than the margin, and that was to count.
    Worse,
    /// Whether something got worse is unclear, and that was to count.
    Undecided,
    /// The machine or what is installed is not fit to measure.
    Unfit,
    /// A benchmark or a harness failed. The results of the others are stored.
    Failed,
    /// There was nothing to do.
    Nothing,
    /// The user stopped it. What was measured is stored.
    Interrupted,
}

impl Outcome {
    /// This outcome, or the next one if all was well so far: what went wrong once is not made good by what follows.
    #[must_use]
    pub fn then(self, next: Outcome) -> Outcome {
        if self == Outcome::Done { next } else { self }
    }
}
