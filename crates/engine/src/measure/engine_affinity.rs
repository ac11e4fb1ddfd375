//! Keeps the engine's thread off the measuring processor.
//!
//! A harness that has answered needs a few more microseconds until it sleeps again. If the engine wakes
//! on the same processor, it preempts this harness and requests a turn of another one. The first harness
//! then still has to run for a few microseconds, and takes them from the turn of the second.

use crate::observe::machine;
use crate::os;

/// Returns true if a thread can be pinned to the first of `processors`, or if the list is empty. Containers
/// and sandboxes may forbid pinning.
pub fn can_move(processors: &[u32]) -> bool {
    let Some(first) = processors.first() else { return true };
    let home = os::affinity(0);
    let moved = os::set_affinity(0, &[*first]);
    os::set_affinity(0, if home.is_empty() { processors } else { &home });
    moved
}

/// The affinity of the calling thread, which is restored on drop.
#[derive(Debug)]
pub struct EngineAffinity {
    home: Vec<u32>,
    off: Option<u32>,
}

impl EngineAffinity {
    pub fn new() -> EngineAffinity {
        machine::at_once(); // read before the thread moves
        EngineAffinity { home: os::affinity(0), off: None }
    }

    /// Moves the thread off `processor`, if there is another one.
    pub fn leave(&mut self, processor: u32) {
        if self.off == Some(processor) {
            return;
        }
        let rest: Vec<u32> = self.home.iter().copied().filter(|&other| other != processor).collect();
        if !rest.is_empty() && rest.len() < self.home.len() && os::set_affinity(0, &rest) {
            self.off = Some(processor);
        }
    }

    /// Allows all processors again. This is necessary before starting a program, which would inherit the
    /// restricted affinity.
    pub fn back(&mut self) {
        if self.off.take().is_some() {
            os::set_affinity(0, &self.home);
        }
    }
}

impl Drop for EngineAffinity {
    fn drop(&mut self) {
        self.back();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_thread_leaves_a_processor_and_comes_back() {
        let home = os::affinity(0);
        let mut aside = EngineAffinity::new();
        aside.leave(home[0]);
        let there = os::affinity(0);
        if home.len() > 1 {
            assert_eq!(there, home[1..]);
        } else {
            assert_eq!(there, home, "with one processor there is nowhere to go");
        }
        drop(aside);
        assert_eq!(os::affinity(0), home);
        assert!(can_move(&home) && can_move(&[]));
        assert!(!can_move(&[1023]), "no machine of ours has so many");
        assert_eq!(os::affinity(0), home);
    }
}
