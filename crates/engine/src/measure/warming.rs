//! The state of a warm-up in progress.

/// The goal of warm-up turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Until {
    /// No process gets faster, by the parts of its turns, and, if known, none compiles code or loads classes.
    /// In the `first` visit of a case, iterations grow as the code gets faster.
    Level { first: bool },
    /// No memory is touched for the first time, and collections do not become rarer.
    Rest,
}

/// A warm-up in progress.
#[derive(Debug)]
pub struct WarmUp {
    pub(super) until: Until,
    /// The processor of each process, fixed for the whole warm-up: with processors of unequal speed, moving
    /// would look unsteady.
    pub(super) processors: Vec<Option<u32>>,
    pub(super) within_ns: u64,
    /// Time limits over all processes' turns, normally and while code is still compiled, and the time so far.
    pub(super) limit_ns: u64,
    pub(super) most_ns: u64,
    pub(super) turns_ns: u64,
    pub(super) turns: usize,
    /// Numbers of values at the first and at the next check of steadiness.
    pub(super) least: usize,
    pub(super) check: usize,
    /// Iterations of the requested turns, and their multiple of a measured turn's.
    pub(super) asked: (u64, u64),
    /// The block's time before the warm-up, in ns.
    pub(super) before_ns: u64,
    pub(super) is_over: bool,
}
