//! The process values of a case, which decide when it stops. They contain no raw batches. While a case
//! is not being measured, its values are in a spill buffer.

use crate::measure::spill_buffer::{Location, SpillBuffer};
use derny_estimate::change::{self, Subject, Terms};
use derny_estimate::judge::Side;
use derny_estimate::level::Levels;
use derny_estimate::look::Taken;
use derny_estimate::packed;
use derny_estimate::pair::{Pair, Replicate};
use derny_estimate::precision;
use derny_model::{Case, Look, LookReason, Quantity, StopReason};
use derny_stats::location;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The results of the complete blocks of a case.
#[derive(Debug, Clone)]
pub struct Samples {
    /// Number of complete blocks.
    pub complete: u32,
    /// Logarithm of the time per operation of every complete process of the first variant.
    pub locations: Vec<f64>,
    /// True for each variant after the first that is a control.
    pub controls: Vec<bool>,
    pub looks: Vec<Look>,
    /// Numbers of the complete blocks, in ascending order.
    blocks: Vec<u32>,
    /// Numbers of the blocks whose processes had opened other cases before.
    beside: BTreeSet<u32>,
    /// True if at least one process has times.
    has_times: bool,
    /// The complete processes by variant, in the order of their blocks. Contains all of them, or only
    /// those outside the spill buffer.
    in_memory: Vec<Vec<Replicate>>,
    /// Locations of the remaining processes in the spill buffer.
    spilled: Vec<Location>,
    spill: Spill,
}

/// The blocks that are in a spill buffer.
#[derive(Debug, Clone, Default)]
struct Spill {
    buffer: Option<Arc<SpillBuffer>>,
    blocks: Vec<u32>,
    /// True if the blocks are also in memory.
    is_loaded: bool,
}

impl Samples {
    pub fn new(variants: usize) -> Samples {
        Samples {
            complete: 0,
            locations: Vec::new(),
            controls: vec![false; variants.saturating_sub(1)],
            looks: Vec::new(),
            blocks: Vec::new(),
            beside: BTreeSet::new(),
            has_times: false,
            in_memory: vec![Vec::new(); variants],
            spilled: Vec::new(),
            spill: Spill::default(),
        }
    }

    /// Sets a spill buffer, which holds the values of the case while it is not being measured.
    pub fn with_buffer(self, buffer: &Arc<SpillBuffer>) -> Samples {
        let spill = Spill { buffer: Some(Arc::clone(buffer)), ..self.spill };
        Samples { spill, ..self }
    }

    /// Adds a complete block: one result for each variant's process, in the order of the variants.
    pub fn complete_block(&mut self, block: Vec<Replicate>) {
        self.locations.extend(block[0].rounds.location());
        self.has_times |= block.iter().any(|replicate| replicate.cost.spent().next().is_some());
        let number = block[0].block;
        self.blocks.insert(self.blocks.partition_point(|other| *other <= number), number);
        insert(&mut self.in_memory, block);
        self.complete += 1;
    }

    /// Records that the processes of a block had opened other cases before.
    pub fn note_neighbours(&mut self, block: u32) {
        self.beside.insert(block);
    }

    /// Returns the locations of the first variant's processes in two lists: processes that opened the
    /// case first, and all others.
    pub fn by_place(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut first, mut beside) = (Vec::new(), Vec::new());
        for replicate in &self.replicates()[0] {
            let own = if self.beside.contains(&replicate.block) { &mut beside } else { &mut first };
            own.extend(replicate.rounds.location());
        }
        (first, beside)
    }

    /// Returns the number of complete blocks in which the case did not come first.
    pub fn with_neighbours(&self) -> usize {
        self.blocks.iter().filter(|block| self.beside.contains(block)).count()
    }

    /// Removes the blocks in which the case did not come first. Returns their numbers.
    pub fn set_aside(&mut self) -> Vec<u32> {
        let mut own = self.replicates().into_owned();
        own.iter_mut().for_each(|some| some.retain(|replicate| !self.beside.contains(&replicate.block)));
        self.locations = own[0].iter().filter_map(|replicate| replicate.rounds.location()).collect();
        (self.in_memory, self.spilled, self.spill.blocks) = (own, Vec::new(), Vec::new());
        let (aside, left): (Vec<u32>, Vec<u32>) =
            self.blocks.iter().partition(|block| self.beside.contains(block));
        (self.complete, self.blocks) = (left.len() as u32, left);
        aside
    }

    /// Moves the values in memory to the spill buffer, if there is one with enough space.
    pub fn spill(&mut self) {
        let Some(buffer) = &self.spill.buffer else { return };
        let is_new = |replicate: &&Replicate| !self.spill.blocks.contains(&replicate.block);
        let new: Vec<u32> =
            self.in_memory[0].iter().filter(is_new).map(|replicate| replicate.block).collect();
        if !new.is_empty() {
            let mut bytes = Vec::new();
            for replicates in &self.in_memory {
                replicates.iter().filter(is_new).for_each(|replicate| packed::pack(&mut bytes, replicate));
            }
            let Some(location) = buffer.put(&bytes) else { return };
            self.spilled.push(location);
            self.spill.blocks.extend(new);
        }
        self.in_memory = vec![Vec::new(); self.variants()];
        self.spill.is_loaded = false;
    }

    /// Loads all values from the spill buffer, because the case is about to be measured.
    pub fn load(&mut self) {
        if !self.is_in_memory() {
            self.in_memory = self.replicates().into_owned();
            self.spill.is_loaded = true;
        }
    }

    fn is_in_memory(&self) -> bool {
        self.spilled.is_empty() || self.spill.is_loaded
    }

    pub fn variants(&self) -> usize {
        self.in_memory.len()
    }

    /// Returns the complete processes, by variant, in the order of their blocks.
    pub fn replicates(&self) -> Cow<'_, [Vec<Replicate>]> {
        if self.is_in_memory() {
            return Cow::Borrowed(&self.in_memory);
        }
        let mut all: Vec<Vec<Replicate>> = vec![Vec::new(); self.variants()];
        let buffer = self.spill.buffer.iter();
        for (buffer, location) in
            buffer.flat_map(|buffer| self.spilled.iter().map(move |location| (buffer, location)))
        {
            // The data were written successfully, so the disk has failed. The values of the case can no
            // longer be trusted.
            let bytes = buffer
                .get(*location)
                .unwrap_or_else(|error| panic!("stored process values cannot be read: {error}"));
            unpacked(&bytes, self.variants()).into_iter().for_each(|block| insert(&mut all, block));
        }
        for at in 0..self.in_memory[0].len() {
            insert(&mut all, self.in_memory.iter().map(|own| own[at].clone()).collect());
        }
        Cow::Owned(all)
    }

    /// Returns the numbers of the complete blocks, in ascending order.
    pub fn blocks(&self) -> Vec<u32> {
        self.blocks.clone()
    }

    /// Records a look at all complete blocks. Does nothing if no block was completed since the last
    /// look. `case` is the index of the case.
    pub fn look(&mut self, case: u32, reason: LookReason) {
        let before = self.looks.last().map_or(0, |look| look.blocks.len());
        let blocks = self.blocks();
        if blocks.len() > before {
            self.looks.push(Look { case, blocks, reason });
        }
    }

    /// Returns, for every complete process of the first variant, the logarithms of its turns' values.
    pub fn within(&self) -> Vec<Vec<f64>> {
        self.replicates()[0].iter().map(|replicate| replicate.rounds.logs().to_vec()).collect()
    }

    /// Returns the half-width of the widest interval of all variants, or `None` if one of the intervals does
    /// not exist. It is a difference of logarithms, which approximates a relative change. `levels` contains
    /// the confidence levels of the looks.
    pub fn half_width(&self, levels: &Levels) -> Option<f64> {
        let intervals = match self.variants() {
            1 => vec![precision::of_processes(&self.locations, levels)],
            variants => {
                let all = self.replicates();
                (1..variants).map(|variant| precision::of_pairs(&pairs(&all, variant), levels)).collect()
            }
        };
        let half = intervals.into_iter().map(|interval| Some((interval?.hi - interval?.lo) / 2.0));
        half.reduce(|widest, half| Some(f64::max(widest?, half?))).flatten()
    }

    /// Returns the pairs of the base and `variant`: typical times, or values of the first metric if the
    /// body has no times.
    pub fn pairs(&self, variant: usize) -> Vec<Pair> {
        pairs(&self.replicates(), variant)
    }

    /// Returns true if the turns have times. Returns `None` while nothing was measured.
    pub fn is_timed(&self) -> Option<bool> {
        (!self.blocks.is_empty()).then_some(self.has_times)
    }

    /// Returns true if the first metric of the case is declared exact, and had a single value in each
    /// variant. Its values then need no interval. Always false for a case with times.
    pub fn is_exact(&self, case: &Case) -> bool {
        let is_constant = |replicates: &Vec<Replicate>| {
            let mut logs = replicates.iter().flat_map(|replicate| replicate.rounds.logs());
            let first = logs.next();
            first.is_some() && logs.all(|log| Some(log) == first)
        };
        let is_declared = case.metrics.first().is_some_and(|metric| metric.exact);
        is_declared && self.is_timed() == Some(false) && self.replicates().iter().all(is_constant)
    }

    /// Judges each variant except the first at the looks taken so far. Controls are judged only if there
    /// is no other variant.
    pub fn sides(&self, case: &Case, terms: &Terms, ended: Option<StopReason>) -> Vec<Side> {
        let taken = Taken::new(&terms.levels, &self.looks, &self.blocks(), ended);
        let only = self.controls.len() == 1;
        let all = self.replicates();
        let judged = (1..self.variants()).filter(|variant| only || !self.controls[variant - 1]);
        judged
            .map(|variant| {
                let both = both(&all, variant);
                let singles = if self.is_timed() == Some(false) {
                    let metric = case.metrics.first();
                    let name = metric.map_or(String::new(), |metric| metric.name.clone());
                    let mut subject = Subject::unknown(Quantity::Metric(name.into()));
                    subject.direction = metric.map_or(subject.direction, |metric| metric.direction);
                    vec![change::paired(subject, &pairs(&all, variant), &taken, terms)]
                } else {
                    change::times(case, Subject::unknown(Quantity::Typical), &both, &taken, terms)
                };
                Side { side: variant as u32, control: self.controls[variant - 1], singles, ended }
            })
            .collect()
    }

    /// Returns the typical time of the first variant, in ns per operation.
    pub fn typical_ns(&self) -> Option<f64> {
        (!self.locations.is_empty()).then(|| libm::exp(location::hodges_lehmann(&self.locations)))
    }
}

/// Returns the processes of every pair of the base and `variant`.
fn both(all: &[Vec<Replicate>], variant: usize) -> Vec<(&Replicate, &Replicate)> {
    all[0].iter().zip(&all[variant]).collect()
}

fn pairs(all: &[Vec<Replicate>], variant: usize) -> Vec<Pair> {
    both(all, variant).into_iter().filter_map(|(base, new)| base.typical(new)).collect()
}

fn insert(all: &mut [Vec<Replicate>], block: Vec<Replicate>) {
    for (replicates, replicate) in all.iter_mut().zip(block) {
        let at = replicates.partition_point(|other| other.block <= replicate.block);
        replicates.insert(at, replicate);
    }
}

/// Unpacks blocks that were packed together. The bytes contain all processes of the first variant, then
/// those of the next, and so on.
fn unpacked(mut bytes: &[u8], variants: usize) -> Vec<Vec<Replicate>> {
    let mut all = Vec::new();
    while let Some(replicate) = packed::unpack(&mut bytes) {
        all.push(replicate);
    }
    let blocks = all.len() / variants.max(1);
    (0..blocks).map(|at| (0..variants).map(|variant| all[variant * blocks + at].clone()).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_with_neighbours_can_be_set_aside() {
        let buffer = Arc::new(SpillBuffer::within(8));
        let mut samples = Samples::new(2).with_buffer(&buffer);
        for number in 0..6 {
            samples.complete_block(block(number));
            if number % 2 == 0 {
                samples.note_neighbours(number);
            }
        }
        samples.spill();
        assert_eq!(samples.with_neighbours(), 3);
        assert_eq!(samples.set_aside(), [0, 2, 4]);
        assert_eq!((samples.complete, samples.blocks(), samples.with_neighbours()), (3, vec![1, 3, 5], 0));
        let mut alone = Samples::new(2);
        [1, 3, 5, 7].into_iter().for_each(|number| alone.complete_block(block(number)));
        samples.complete_block(block(7));
        samples.spill();
        assert_eq!(format!("{:?}", samples.replicates()), format!("{:?}", alone.replicates()));
    }

    fn block(number: u32) -> Vec<Replicate> {
        (0..2).map(|place| Replicate { block: number, place, ..Replicate::default() }).collect()
    }

    #[test]
    fn what_rests_is_what_was_measured() {
        let buffer = Arc::new(SpillBuffer::within(8));
        let (mut here, mut spilling) = (Samples::new(2), Samples::new(2).with_buffer(&buffer));
        for stage in [&[4, 1, 9][..], &[3], &[], &[12, 0]] {
            spilling.load();
            for number in stage {
                here.complete_block(block(*number));
                spilling.complete_block(block(*number));
                assert_eq!(format!("{:?}", spilling.replicates()), format!("{:?}", here.replicates()));
            }
            spilling.spill();
            assert!(spilling.in_memory.iter().all(Vec::is_empty));
            assert_eq!(format!("{:?}", spilling.replicates()), format!("{:?}", here.replicates()));
            assert_eq!((spilling.blocks(), spilling.complete), (here.blocks(), here.complete));
        }
        // The result is the same if the values were not loaded before more blocks were added.
        here.complete_block(block(5));
        spilling.complete_block(block(5));
        assert_eq!(format!("{:?}", spilling.replicates()), format!("{:?}", here.replicates()));
    }
}
