//! The state of a warm-up.

/// The condition that a warm-up waits for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Until {
    /// No process gets faster, judging by the parts of its turns, and none is known to compile code or load
    /// classes. On the `first` visit of a case, iterations increase as the code gets faster.
    Level { first: bool },
    /// No memory is touched for the first time, and collections do not become rarer.
    Rest,
}

/// A warm-up that has begun.
#[derive(Debug)]
pub struct WarmUp {
    pub(super) until: Until,
    /// The processor of each process, which is fixed for the whole warm-up. Times would otherwise look
    /// unsteady if processors differ in speed.
    pub(super) processors: Vec<Option<u32>>,
    pub(super) within_ns: u64,
    /// Time limit over the turns of all processes, in ns. While code is still being compiled, `most_ns`
    /// applies. `turns_ns` is the time so far.
    pub(super) limit_ns: u64,
    pub(super) most_ns: u64,
    pub(super) turns_ns: u64,
    pub(super) turns: usize,
    /// Number of values from which steadiness is checked. The next check happens at `check` values.
    pub(super) least: usize,
    pub(super) check: usize,
    /// Iterations of the requested turns, and the multiple of those in a measured turn.
    pub(super) asked: (u64, u64),
    /// Time that the block had spent before the warm-up, in ns.
    pub(super) before_ns: u64,
    pub(super) is_over: bool,
}
