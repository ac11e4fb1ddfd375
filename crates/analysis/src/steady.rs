//! Detects steady states.

use crate::process::Process;
use derny_model::SteadyState;
use derny_stats::steady::{Consistency, SteadyClass, classify, consistency};

const LEAST: usize = 8;

/// Classifies the turns of a process, including warm-up. Returns `None` if there are too few.
pub(crate) fn class(process: &Process) -> Option<SteadyClass> {
    (process.timeline.len() >= LEAST).then(|| classify(&process.timeline))
}

pub(crate) fn word(class: SteadyClass) -> &'static str {
    match class {
        SteadyClass::Flat => "flat",
        SteadyClass::WarmUp { .. } => "warm-up",
        SteadyClass::Slowdown { .. } => "slowdown",
        SteadyClass::NoSteadyState => "no steady state",
    }
}

/// Combines the classes of all processes. A mixture of flat and warming-up processes counts as warm-up. All
/// of them end on their fastest level, and some finish warming up before the first turn.
pub(crate) fn steady(classes: &[SteadyClass]) -> SteadyState {
    let count = |name: &str| classes.iter().filter(|class| word(**class) == name).count() as u32;
    let class = match (classes.first(), consistency(classes)) {
        (None, _) => "",
        (Some(first), Consistency::Consistent) => word(*first),
        (Some(_), Consistency::Mixed) => "warm-up",
        (Some(_), Consistency::Inconsistent) => "inconsistent",
    };
    SteadyState {
        flat: count("flat"),
        warm_up: count("warm-up"),
        slowdown: count("slowdown"),
        unsteady: count("no steady state"),
        class: class.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_for_all_processes() {
        use SteadyClass::{Flat, NoSteadyState, Slowdown, WarmUp};
        let (warm, slow) = (WarmUp { steady_from: 4 }, Slowdown { steady_from: 4 });
        let rows: [(&[SteadyClass], &str); 7] = [
            (&[], ""),
            (&[Flat, Flat], "flat"),
            (&[warm, warm], "warm-up"),
            (&[Flat, warm], "warm-up"),
            (&[slow, slow], "slowdown"),
            (&[NoSteadyState], "no steady state"),
            (&[Flat, slow], "inconsistent"),
        ];
        for (classes, expected) in rows {
            assert_eq!(steady(classes).class, expected, "{classes:?}");
        }
        let mixed = steady(&[Flat, warm, warm, slow, NoSteadyState]);
        assert_eq!((mixed.flat, mixed.warm_up, mixed.slowdown, mixed.unsteady), (1, 2, 1, 1));
    }
}
