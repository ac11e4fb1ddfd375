//! The state of a warm-up.

/// The condition that a warm-up waits for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Until {
    /// No process gets faster, judging by the parts of its turns, and none compiles code or loads
    /// classes. On the `first` visit of a case, iterations increase as the code gets faster.
    Level { first: bool },
    /// No memory is touched for the first time, and collections do not become rarer.
    Rest,
}

/// A warm-up in progress.
#[derive(Debug)]
pub struct WarmUp {
    pub(super) until: Until,
    /// Processor of each process, fixed for the entire warm-up. On processors of different speeds, times
    /// would otherwise look unsteady.
    pub(super) processors: Vec<Option<u32>>,
    pub(super) within_ns: u64,
    /// Time limit for the turns of all processes together, in ns.
    pub(super) limit_ns: u64,
    /// Time limit that applies while code is still being compiled, in ns.
    pub(super) most_ns: u64,
    /// Time of all turns so far, in ns.
    pub(super) turns_ns: u64,
    pub(super) turns: usize,
    /// Number of values after which steadiness is first checked.
    pub(super) least: usize,
    /// Number of values after which steadiness is checked next.
    pub(super) check: usize,
    /// Iterations of the requested turns, and their multiple of those in a measured turn.
    pub(super) asked: (u64, u64),
    /// Time that the block had spent before the warm-up, in ns.
    pub(super) before_ns: u64,
    pub(super) is_over: bool,
}
