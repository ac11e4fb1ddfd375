//! The process values of a case, which stopping looks at. Raw batches are never kept here.

use derny_estimate::cost;
use derny_estimate::pair::{Pair, Replicate};
use derny_estimate::rounds::Rounds;
use derny_estimate::stopping::{Evidence, Stopping};
use derny_model::Verdict;
use derny_stats::location;

/// What the complete blocks of a case have shown.
#[derive(Debug, Clone)]
pub struct Samples {
    /// Complete blocks.
    pub complete: u32,
    /// Logarithm of the time per operation of every complete process of the first variant.
    pub locations: Vec<f64>,
    /// Variants after the first whose verdict ends the comparison: all but a control beside others.
    pub judged: Vec<bool>,
    /// The pairs of typical time of the complete blocks, by variant after the first.
    pub pairs: Vec<Vec<Pair>>,
    /// The complete processes, by variant, without their rounds.
    pub replicates: Vec<Vec<Replicate>>,
    /// Logarithms of the turns' values of every complete process of the first variant.
    pub within: Vec<Vec<f64>>,
}

impl Samples {
    /// No block yet.
    pub fn new(variants: usize) -> Samples {
        let others = variants.saturating_sub(1);
        Samples {
            complete: 0,
            locations: Vec::new(),
            judged: vec![true; others],
            pairs: vec![Vec::new(); others],
            replicates: vec![Vec::new(); variants],
            within: Vec::new(),
        }
    }

    /// Takes a complete block: what the process of each variant says, in their order.
    pub fn complete_block(&mut self, block: Vec<Replicate>) {
        self.locations.extend(block[0].rounds.location());
        self.within.push(block[0].rounds.logs().to_vec());
        for (pairs, new) in self.pairs.iter_mut().zip(&block[1..]) {
            pairs.extend(block[0].typical(new));
        }
        for (replicates, replicate) in self.replicates.iter_mut().zip(block) {
            replicates.push(Replicate { rounds: Rounds::default(), ..replicate });
        }
        self.complete += 1;
    }

    /// Numbers of the complete blocks, in ascending order.
    pub fn blocks(&self) -> Vec<u32> {
        let mut blocks: Vec<u32> = self.replicates[0].iter().map(|replicate| replicate.block).collect();
        blocks.sort_unstable();
        blocks
    }

    /// Half width of the widest interval, on the log scale (so: as a share), at the level of this look.
    pub fn half_width(&self, stopping: &Stopping) -> Option<f64> {
        let intervals = match self.pairs.as_slice() {
            [] => vec![stopping.of_processes(&self.locations)],
            all => all.iter().map(|pairs| stopping.of_pairs(pairs)).collect(),
        };
        let half = intervals.into_iter().map(|interval| Some((interval?.hi - interval?.lo) / 2.0));
        half.reduce(|widest, half| Some(f64::max(widest?, half?))).flatten()
    }

    /// Every variant after the first has a verdict.
    pub fn is_decided(&self, stopping: &Stopping) -> bool {
        let mut judged = (1..self.replicates.len()).filter(|variant| self.judged[variant - 1]);
        judged.all(|variant| stopping.verdict(&self.evidence(variant)) != Verdict::Unclear)
    }

    /// What the complete blocks show of a variant after the first.
    pub fn evidence(&self, variant: usize) -> Evidence {
        let (base, new) = (&self.replicates[0], &self.replicates[variant]);
        let costs = || base.iter().chain(new).map(|replicate| &replicate.cost);
        let by_cpu = cost::by_cpu(costs());
        let mean = base.iter().zip(new).map(|(base, new)| base.mean(new, by_cpu));
        let has_times = costs().any(|cost| cost.operations > 0.0);
        Evidence {
            typical: self.pairs[variant - 1].clone(),
            mean: has_times.then(|| mean.flatten().collect()),
            collected: costs().any(|cost| cost.collected),
        }
    }

    /// Typical time of the first variant in ns per operation.
    pub fn typical_ns(&self) -> Option<f64> {
        (!self.locations.is_empty()).then(|| libm::exp(location::hodges_lehmann(&self.locations)))
    }
}
