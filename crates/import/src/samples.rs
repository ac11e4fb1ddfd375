//! The samples of a file, stored by column. There may be millions, and most consist only of a time. Blocks
//! can be released one by one.

use crate::Sample;

const WARM_UP: u8 = 1;
const UNTIMED: u8 = 2;
const COUNTED: u8 = 4;
const EXACT: u8 = 8;

const BLOCK: usize = 1 << 16;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Samples {
    blocks: Vec<Block>,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Block {
    /// Whole ns, or the bits of the time of an iteration.
    times: Vec<u64>,
    /// Numbers of iterations, or the bits of numbers of operations.
    counts: Column<u64>,
    flags: Column<u8>,
    counters: Vec<f64>,
}

/// A column of values that are mostly equal.
#[derive(Debug, Clone, Default, PartialEq)]
struct Column<T> {
    /// The value of all entries, as long as they are equal.
    same: T,
    each: Vec<T>,
}

impl<T: Copy + PartialEq> Column<T> {
    fn push(&mut self, value: T, before: usize) {
        if before == 0 {
            self.same = value;
        } else if !self.each.is_empty() || value != self.same {
            self.each.resize(before, self.same);
            self.each.push(value);
        }
    }

    fn get(&self, at: usize) -> T {
        self.each.get(at).copied().unwrap_or(self.same)
    }
}

impl Block {
    fn time_ns(&self, at: usize) -> u64 {
        match self.flags.get(at) & EXACT {
            0 => self.times[at],
            _ => (f64::from_bits(self.times[at]) * self.counts.get(at) as f64).round() as u64,
        }
    }
}

impl Samples {
    /// Adds a sample with `counters` counters. Missing counters become `None`.
    pub fn push(&mut self, sample: &Sample, counters: usize) {
        let Sample { time_ns, each_ns, untimed, iterations, operations, warm_up, .. } = *sample;
        if self.blocks.last().is_none_or(|last| last.times.len() == BLOCK) {
            self.blocks.push(Block::default());
        }
        let last = self.blocks.len() - 1;
        let block = &mut self.blocks[last];
        let before = block.times.len();
        block.times.push(each_ns.map_or(time_ns, f64::to_bits));
        block.counts.push(operations.map_or(iterations, f64::to_bits), before);
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        let flags = flag(warm_up, WARM_UP)
            | flag(untimed, UNTIMED)
            | flag(operations.is_some(), COUNTED)
            | flag(each_ns.is_some(), EXACT);
        block.flags.push(flags, before);
        let own = |at: usize| sample.counters.get(at).copied().flatten().unwrap_or(f64::NAN);
        block.counters.extend((0..counters).map(own));
    }

    /// Returns the number of samples.
    pub fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.times.len()).sum()
    }

    /// Returns the total time of all samples.
    pub fn length_ns(&self) -> u64 {
        let times = self.blocks.iter().flat_map(|block| (0..block.times.len()).map(|at| block.time_ns(at)));
        times.fold(0, u64::saturating_add)
    }

    /// Releases all blocks before a position.
    pub fn give_up(&mut self, place: Cursor) {
        let mut before = self.blocks[..place.block].iter_mut().rev();
        // Blocks before an empty one were already released.
        before
            .by_ref()
            .take_while(|block| !block.times.is_empty())
            .for_each(|block| *block = Block::default());
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cursor {
    block: usize,
    sample: usize,
    counter: usize,
}

impl Cursor {
    /// Returns the next sample, which has `counters` counters.
    pub fn next(&mut self, samples: &Samples, counters: usize) -> Sample {
        if self.sample == BLOCK {
            *self = Cursor { block: self.block + 1, sample: 0, counter: 0 };
        }
        let (block, at) = (&samples.blocks[self.block], self.sample);
        let own = &block.counters[self.counter..self.counter + counters];
        (self.sample, self.counter) = (at + 1, self.counter + counters);
        let flags = block.flags.get(at);
        let is = |flag: u8| flags & flag != 0;
        let count = block.counts.get(at);
        Sample {
            time_ns: block.time_ns(at),
            each_ns: is(EXACT).then(|| f64::from_bits(block.times[at])),
            untimed: is(UNTIMED),
            iterations: if is(COUNTED) { 0 } else { count },
            operations: is(COUNTED).then(|| f64::from_bits(count)),
            counters: own.iter().map(|value| Some(*value).filter(|value| !value.is_nan())).collect(),
            warm_up: is(WARM_UP),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_come_back_as_they_were() {
        let all = [
            Sample { counters: [Some(1.5), None].into(), warm_up: true, ..Sample::of(941.3, 7) },
            Sample { counters: [None, Some(-0.0)].into(), ..Sample::of(1726.0, 690_848) },
            Sample {
                untimed: true,
                iterations: 1,
                counters: [Some(f64::MAX), Some(0.0)].into(),
                ..Sample::default()
            },
        ];
        let mut samples = Samples::default();
        all.iter().for_each(|sample| samples.push(sample, 2));
        let mut place = Cursor::default();
        let back: Vec<Sample> = (0..samples.len()).map(|_| place.next(&samples, 2)).collect();
        assert_eq!(back, all);
        assert_eq!(samples.length_ns(), all.iter().map(|one| one.time_ns).sum::<u64>());
        // A sample without counters gets a missing value for each.
        samples.push(&Sample::default(), 1);
        assert_eq!(place.next(&samples, 1).counters[..], [None]);
    }

    #[test]
    fn blocks_follow_each_other_and_are_given_up() {
        let sample = |at: usize| Sample {
            time_ns: at as u64,
            iterations: if at == BLOCK + 7 { 2 } else { 1 },
            counters: [Some(at as f64)].into(),
            ..Sample::default()
        };
        let count = 3 * BLOCK + 1;
        let mut samples = Samples::default();
        (0..count).for_each(|at| samples.push(&sample(at), 1));
        assert_eq!(samples.len(), count);
        assert!(samples.blocks[0].counts.each.is_empty() && samples.blocks[1].counts.each.len() == BLOCK);
        let mut place = Cursor::default();
        for at in 0..count {
            assert_eq!(place.next(&samples, 1), sample(at));
            if at % 1000 == 0 {
                samples.give_up(place);
            }
        }
        samples.give_up(place);
        assert_eq!(samples.len(), 1);
    }
}
