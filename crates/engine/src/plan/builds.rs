//! Assigns builds to blocks. The blocks of a case use the builds in turn, and all variants of a block
//! use the same build. Builds differ only in layout, so the effect of layout is sampled like any other
//! noise.

use derny_model::{ProcessStart, Settings};
use std::collections::HashMap;

/// Assigns a build to each block.
#[derive(Debug, Default)]
pub struct Builds {
    count: u32,
    group_of: Vec<usize>,
    of_block: HashMap<u32, u32>,
    taken: HashMap<usize, u32>,
}

impl Builds {
    /// Creates an assignment for a new run. `groups` are the groups of cases that share processes, as
    /// `plan::groups` returns them.
    pub fn new(settings: &Settings, groups: &[Vec<u32>]) -> Builds {
        let cases = groups.iter().flatten().map(|&case| case as usize + 1).max().unwrap_or(0);
        let mut group_of = vec![0; cases];
        for (group, cases) in groups.iter().enumerate() {
            cases.iter().for_each(|&case| group_of[case as usize] = group);
        }
        Builds { count: settings.builds.max(1), group_of, ..Builds::default() }
    }

    /// Adds the blocks of the run to resume. `opened` returns a case that a process has opened.
    pub fn resume(mut self, processes: &[ProcessStart], opened: impl Fn(u32) -> Option<u32>) -> Builds {
        for process in processes {
            if let Some(case) = opened(process.process)
                && self.of_block.insert(process.block, process.build).is_none()
            {
                *self.taken.entry(self.group_of[case as usize]).or_default() += 1;
            }
        }
        self
    }

    /// Returns the build for a block whose first case is `case`. A block that is launched again keeps its
    /// build.
    pub fn of(&mut self, block: u32, case: u32) -> u32 {
        let taken = self.taken.entry(self.group_of[case as usize]).or_default();
        *self.of_block.entry(block).or_insert_with(|| {
            let build = *taken % self.count;
            *taken += 1;
            build
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blocks_of_a_case_take_builds_in_turn() {
        let settings = Settings { builds: 3, ..Settings::default() };
        let mut builds = Builds::new(&settings, &[vec![0], vec![1, 2]]);
        // The blocks of two groups come in any order. Each group uses every build before any repeats.
        let blocks = [(9, 0), (3, 1), (4, 2), (7, 0), (1, 0), (8, 0), (2, 1)];
        let taken: Vec<u32> = blocks.iter().map(|&(block, case)| builds.of(block, case)).collect();
        assert_eq!(taken, [0, 0, 1, 1, 2, 0, 2]);
        assert_eq!(builds.of(4, 1), 1, "a block that is started again keeps its build");
        assert_eq!(builds.of(5, 2), 0);
        let mut one = Builds::new(&Settings::default(), &[vec![0]]);
        assert!((0..5).all(|block| one.of(block, 0) == 0));
    }
}
