//! The process values of a case, which stopping looks at. Raw batches are never kept here.

use derny_estimate::change::{self, Subject, Terms};
use derny_estimate::judge::Side;
use derny_estimate::level::Levels;
use derny_estimate::look::Taken;
use derny_estimate::pair::{Pair, Replicate};
use derny_estimate::precision;
use derny_model::{Case, Look, LookReason, Quantity, StopReason};
use derny_stats::location;

/// What the complete blocks of a case have shown.
#[derive(Debug, Clone)]
pub struct Samples {
    /// Complete blocks.
    pub complete: u32,
    /// Logarithm of the time per operation of every complete process of the first variant.
    pub locations: Vec<f64>,
    /// Which variants after the first are a control.
    pub controls: Vec<bool>,
    /// The complete processes, by variant, in the order of their blocks.
    pub replicates: Vec<Vec<Replicate>>,
    /// The looks that were taken.
    pub looks: Vec<Look>,
}

impl Samples {
    /// No block yet.
    pub fn new(variants: usize) -> Samples {
        Samples {
            complete: 0,
            locations: Vec::new(),
            controls: vec![false; variants.saturating_sub(1)],
            replicates: vec![Vec::new(); variants],
            looks: Vec::new(),
        }
    }

    /// Takes a complete block: what the process of each variant says, in their order.
    pub fn complete_block(&mut self, block: Vec<Replicate>) {
        self.locations.extend(block[0].rounds.location());
        for (replicates, replicate) in self.replicates.iter_mut().zip(block) {
            let at = replicates.partition_point(|other| other.block <= replicate.block);
            replicates.insert(at, replicate);
        }
        self.complete += 1;
    }

    /// Numbers of the complete blocks, in ascending order.
    pub fn blocks(&self) -> Vec<u32> {
        self.replicates[0].iter().map(|replicate| replicate.block).collect()
    }

    /// Notes a look at all complete blocks of case number `case`, unless as many were looked at before.
    pub fn look(&mut self, case: u32, reason: LookReason) {
        let before = self.looks.last().map_or(0, |look| look.blocks.len());
        let blocks = self.blocks();
        if blocks.len() > before {
            self.looks.push(Look { case, blocks, reason });
        }
    }

    /// Logarithms of the turns' values of every complete process of the first variant.
    pub fn within(&self) -> Vec<Vec<f64>> {
        self.replicates[0].iter().map(|replicate| replicate.rounds.logs().to_vec()).collect()
    }

    /// Half width of the widest interval, on the log scale (so: as a share), at the level of this look.
    pub fn half_width(&self, levels: &Levels) -> Option<f64> {
        let intervals = match self.replicates.len() {
            1 => vec![precision::of_processes(&self.locations, levels)],
            variants => {
                (1..variants).map(|variant| precision::of_pairs(&self.pairs(variant), levels)).collect()
            }
        };
        let half = intervals.into_iter().map(|interval| Some((interval?.hi - interval?.lo) / 2.0));
        half.reduce(|widest, half| Some(f64::max(widest?, half?))).flatten()
    }

    /// The processes of every pair of the base with a variant after it.
    fn both(&self, variant: usize) -> Vec<(&Replicate, &Replicate)> {
        self.replicates[0].iter().zip(&self.replicates[variant]).collect()
    }

    /// The pairs of typical time, or of the first metric of a body without times.
    pub fn pairs(&self, variant: usize) -> Vec<Pair> {
        self.both(variant).into_iter().filter_map(|(base, new)| base.typical(new)).collect()
    }

    /// Whether its turns have times; none while nothing was measured.
    pub fn is_timed(&self) -> Option<bool> {
        let all = || self.replicates.iter().flatten();
        all().next().map(|_| all().any(|replicate| replicate.cost.spent().next().is_some()))
    }

    /// The sides after the first that are judged, each by itself: all but a control beside others. By the looks that were taken.
    pub fn sides(&self, case: &Case, terms: &Terms, ended: Option<StopReason>) -> Vec<Side> {
        let taken = Taken::new(&terms.levels, &self.looks, &self.blocks(), ended);
        let only = self.controls.len() == 1;
        let judged = (1..self.replicates.len()).filter(|variant| only || !self.controls[variant - 1]);
        judged
            .map(|variant| {
                let both = self.both(variant);
                let singles = if self.is_timed() == Some(false) {
                    let metric = case.metrics.first();
                    let name = metric.map_or(String::new(), |metric| metric.name.clone());
                    let mut subject = Subject::unknown(Quantity::Metric(name));
                    subject.direction = metric.map_or(subject.direction, |metric| metric.direction);
                    vec![change::paired(subject, &self.pairs(variant), &taken, terms)]
                } else {
                    change::times(Subject::unknown(Quantity::Typical), &both, &taken, terms)
                };
                Side { side: variant as u32, control: self.controls[variant - 1], singles, ended }
            })
            .collect()
    }

    /// Typical time of the first variant in ns per operation.
    pub fn typical_ns(&self) -> Option<f64> {
        (!self.locations.is_empty()).then(|| libm::exp(location::hodges_lehmann(&self.locations)))
    }
}
