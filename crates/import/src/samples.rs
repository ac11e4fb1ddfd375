//! The samples of a file, column by column: there may be millions, of which each is two words, and one more for each of its counters.

use crate::Sample;

const WARM_UP: u8 = 1;
const UNTIMED: u8 = 2;
const COUNTED: u8 = 4;

/// Samples in the order in which they were added.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Samples {
    times_ns: Vec<u64>,
    /// Iterations, or the bits of operations.
    counts: Vec<u64>,
    flags: Vec<u8>,
    /// Those of all samples. None is not a number.
    counters: Vec<f64>,
}

impl Samples {
    /// Adds one with so many counters: what it has not is none.
    pub fn push(&mut self, sample: &Sample, counters: usize) {
        let Sample { time_ns, untimed, iterations, operations, warm_up, .. } = *sample;
        self.times_ns.push(time_ns);
        self.counts.push(operations.map_or(iterations, f64::to_bits));
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        self.flags
            .push(flag(warm_up, WARM_UP) | flag(untimed, UNTIMED) | flag(operations.is_some(), COUNTED));
        let own = |at: usize| sample.counters.get(at).copied().flatten().unwrap_or(f64::NAN);
        self.counters.extend((0..counters).map(own));
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.times_ns.len()
    }

    /// The time of all together.
    pub fn length_ns(&self) -> u64 {
        self.times_ns.iter().fold(0, |sum, time| sum.saturating_add(*time))
    }
}

/// Where one reads on.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Place {
    sample: usize,
    counter: usize,
}

impl Place {
    /// The next sample, which has so many counters.
    pub fn next(&mut self, samples: &Samples, counters: usize) -> Sample {
        let at = self.sample;
        let own = &samples.counters[self.counter..self.counter + counters];
        (self.sample, self.counter) = (at + 1, self.counter + counters);
        let is = |flag: u8| samples.flags[at] & flag != 0;
        let count = samples.counts[at];
        Sample {
            time_ns: samples.times_ns[at],
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
        let mut place = Place::default();
        let back: Vec<Sample> = (0..samples.len()).map(|_| place.next(&samples, 2)).collect();
        assert_eq!(back, all);
        assert_eq!(samples.length_ns(), all.iter().map(|one| one.time_ns).sum::<u64>());
        // What has none of its counters has as many that are none.
        samples.push(&Sample::default(), 1);
        assert_eq!(place.next(&samples, 1).counters[..], [None]);
    }
}
