//! The result of an importer: processes, cases, and samples by case and process.

use crate::cases::{CaseIdentity, Cases};
use crate::error::ReadError;
pub use crate::sample::Sample;
use crate::samples::{Cursor, Samples};
use derny_model::{Case, CaseId, Commit, Direction, Kind, Machine, Metric, Reported};
use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub(crate) const NO_TIME: &str = "the file has no valid time for it";

pub(crate) const LONGEST: usize = 10_000;
/// Number of recent lists of metrics that are searched for an equal one.
const LISTS: usize = 8;

/// Receives the results of a history one by one, so that they are never all in memory. An error stops the
/// reading.
pub type TakeResult<'a> = &'a mut dyn FnMut(Foreign) -> Result<(), ReadError>;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Visit {
    pub process: u32,
    pub case: u32,
    pub metrics: Arc<[Metric]>,
    /// Number of the visit's samples, which follow those of the previous visit.
    pub samples: u32,
    /// Number of counters of each sample.
    pub counters: u32,
    /// Values that the tool computed for all samples together.
    pub stated: Box<[Stated]>,
}

impl Visit {
    /// Returns the samples of the visit, which start at `place`. Moves `place` to the next visit.
    pub fn samples<'a>(
        &self,
        samples: &'a Samples,
        place: &'a mut Cursor,
    ) -> impl ExactSizeIterator<Item = Sample> + use<'a> {
        let counters = self.counters as usize;
        (0..self.samples).map(move |_| place.next(samples, counters))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stated {
    pub metric: Arc<Metric>,
    pub value: f64,
}

impl Stated {
    /// Returns the value in the form for events.
    pub fn reported(&self) -> Reported {
        Reported { metric: (*self.metric).clone(), value: self.value }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Process {
    pub variant: u32,
    /// Number of the block. The processes of a block were measured alternately.
    pub block: u32,
}

/// The results of another tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Foreign {
    /// Name of the tool, with its version if known.
    pub tool: String,
    /// Notes about missing information and assumptions.
    unknown: Vec<String>,
    /// Number of invalid values, and the index of the first case with one.
    left_out: (usize, usize),
    /// Start of the run in ms since the epoch, if the file or its name contains it.
    pub started_ms: Option<i64>,
    /// Language, such as `javascript` or `erlang`.
    pub language: &'static str,
    /// Runtime, such as `cpython/3.11.7`, if the file contains it.
    pub runtime: Option<String>,
    /// True if iterations increase from sample to sample.
    pub ladder: bool,
    /// The machine, as far as the file describes it.
    pub machine: Machine,
    /// Commit that was measured, if the file contains it.
    pub commit: Option<Commit>,
    /// Cases that failed or were skipped, each with the reason. They have no samples.
    pub failed: Vec<(usize, String)>,
    /// Version of a benchmark's source by case, if the file contains it.
    pub(crate) versions: HashMap<usize, Arc<str>>,
    pub(crate) variants: Vec<String>,
    pub(crate) cases: Cases,
    pub(crate) processes: Vec<Process>,
    pub(crate) visits: Vec<Visit>,
    pub(crate) samples: Samples,
    /// Lists of metrics that visits share, newest last.
    lists: Vec<Arc<[Metric]>>,
    /// Metrics of stated values, by name.
    known: HashMap<String, Vec<Arc<Metric>>>,
}

impl Foreign {
    pub(crate) fn new(tool: impl Into<String>, language: &'static str) -> Foreign {
        Foreign {
            tool: tool.into(),
            unknown: Vec::new(),
            left_out: (0, 0),
            started_ms: None,
            language,
            runtime: None,
            ladder: false,
            machine: Machine::default(),
            commit: None,
            failed: Vec::new(),
            versions: HashMap::new(),
            variants: Vec::new(),
            cases: Cases::default(),
            processes: Vec::new(),
            visits: Vec::new(),
            samples: Samples::default(),
            lists: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// Returns the cases.
    pub fn cases(&self) -> &Cases {
        &self.cases
    }

    /// Returns the cases for renaming.
    pub fn cases_mut(&mut self) -> &mut Cases {
        &mut self.cases
    }

    /// Returns the number of samples of all cases.
    pub fn samples(&self) -> usize {
        self.samples.len()
    }

    /// Returns the samples of each visit in chronological order, with its case. For tests and counts.
    pub fn visits(&self) -> impl Iterator<Item = (Case, Vec<Sample>)> {
        let mut place = Cursor::default();
        let one = move |visit: &Visit| visit.samples(&self.samples, &mut place).collect();
        self.visits.iter().map(|visit| self.cases.get(visit.case as usize)).zip(self.visits.iter().map(one))
    }

    /// Returns the metrics and computed values of each visit, with its case. For tests.
    pub fn told(&self) -> impl Iterator<Item = (Case, &[Metric], Vec<Reported>)> {
        let stated = |visit: &Visit| visit.stated.iter().map(Stated::reported).collect();
        self.visits
            .iter()
            .map(move |visit| (self.cases.get(visit.case as usize), &visit.metrics[..], stated(visit)))
    }

    pub(crate) fn says(&mut self, unknown: impl Into<String>) {
        self.unknown.push(unknown.into());
    }

    /// Returns notes about missing information and assumptions.
    pub fn unknown(&self) -> Vec<String> {
        let (count, first) = self.left_out;
        let left_out = Some(first).filter(|_| count > 0).map(|first| {
            let are =
                if count == 1 { "value that is not a time is" } else { "values that are not times are" };
            format!("times of some samples ({count} {are} skipped, the first of `{}`)", self.cases.id(first))
        });
        self.unknown.iter().cloned().chain(left_out).chain(self.cases.numbered()).collect()
    }

    /// Returns the valid samples of a case, and notes the number of invalid values. A case without valid
    /// samples counts as failed.
    pub(crate) fn numbers(
        &mut self,
        case: usize,
        all: impl IntoIterator<Item = Option<Sample>>,
    ) -> Vec<Sample> {
        let mut left_out = 0;
        let count = |sample: &Option<Sample>| left_out += usize::from(sample.is_none());
        let samples: Vec<Sample> = all.into_iter().inspect(count).flatten().collect();
        self.leave_out(case, left_out);
        if samples.is_empty() {
            self.fail(case, if left_out > 0 { NO_TIME } else { "no samples" });
        }
        samples
    }

    pub(crate) fn leave_out(&mut self, case: usize, count: usize) {
        if self.left_out.0 == 0 {
            self.left_out.1 = case;
        }
        self.left_out.0 += count;
    }

    pub(crate) fn fail(&mut self, case: usize, why: impl Into<String>) {
        self.failed.push((case, why.into()));
    }

    pub(crate) fn variant(&mut self, name: &str) -> usize {
        match self.variants.iter().position(|known| known == name) {
            Some(known) => known,
            None => {
                self.variants.push(name.to_owned());
                self.variants.len() - 1
            }
        }
    }

    /// Returns the index of the case that a row measures. Cases are in order of appearance. `own` decides
    /// whether rows belong to the same case. Different cases with equal names are numbered.
    pub(crate) fn case(
        &mut self,
        own: CaseIdentity<'_>,
        suite: &str,
        benchmark: &str,
        params: Vec<(String, String)>,
    ) -> usize {
        let id = CaseId { suite: suite.to_owned(), benchmark: benchmark.to_owned(), params };
        self.cases.of(own, id)
    }

    /// Converts values that the tool computed. Equal metrics are shared.
    pub(crate) fn said(&mut self, all: impl IntoIterator<Item = Reported>) -> Vec<Stated> {
        let one = |Reported { metric, value }| {
            let same = match self.known.get_mut(&metric.name) {
                Some(same) => same,
                None => self.known.entry(metric.name.clone()).or_default(),
            };
            if let Some(known) = same.iter().find(|known| ***known == metric) {
                return Stated { metric: known.clone(), value };
            }
            same.push(Arc::new(metric));
            Stated { metric: same[same.len() - 1].clone(), value }
        };
        all.into_iter().map(one).collect()
    }

    pub(crate) fn declare<'a>(&mut self, case: usize, metrics: impl IntoIterator<Item = &'a Metric>) {
        let own = &self.cases.declared(case).metrics;
        let mut metrics = metrics.into_iter().peekable();
        if metrics.peek().is_none() {
            return;
        }
        // Use a set, because there may be many metrics.
        let mut names: HashSet<&str> = own.iter().map(|known| known.name.as_str()).collect();
        let new = metrics.filter(|metric| names.insert(metric.name.as_str())).cloned();
        let new: Vec<Metric> = new.collect();
        if !new.is_empty() {
            self.cases.change(case, |case| case.metrics.extend(new));
        }
    }

    pub(crate) fn process(&mut self, variant: usize, block: usize) -> usize {
        self.processes.push(Process { variant: variant as u32, block: block as u32 });
        self.processes.len() - 1
    }

    /// Adds a visit. `metrics` must come from [`Foreign::shared`].
    pub(crate) fn visit(
        &mut self,
        (process, case): (usize, usize),
        metrics: &Arc<[Metric]>,
        samples: impl IntoIterator<Item = impl Borrow<Sample>>,
        stated: Vec<Stated>,
    ) {
        let (mut count, mut counters) = (0, 0);
        for sample in samples {
            let sample = sample.borrow();
            if count == 0 {
                counters = sample.counters.len();
            }
            self.samples.push(sample, counters);
            count += 1;
        }
        self.visits.push(Visit {
            process: process as u32,
            case: case as u32,
            metrics: Arc::clone(metrics),
            samples: count,
            counters: counters as u32,
            stated: stated.into(),
        });
    }

    /// Returns a shared list of metrics. Equal lists are stored once, and an empty list takes no memory.
    pub(crate) fn shared(&mut self, metrics: &[Metric]) -> Arc<[Metric]> {
        if metrics.is_empty() {
            return Arc::default();
        }
        if let Some(known) = self.lists.iter().rev().take(LISTS).find(|known| known[..] == *metrics) {
            return Arc::clone(known);
        }
        self.lists.push(metrics.into());
        Arc::clone(&self.lists[self.lists.len() - 1])
    }

    /// Adds the samples of one process, split into several visits that are stored one by one.
    pub(crate) fn long_visit(
        &mut self,
        place: (usize, usize),
        metrics: &[Metric],
        samples: &[Sample],
        stated: Vec<Reported>,
    ) {
        let metrics = self.shared(metrics);
        let mut stated = self.said(stated);
        if samples.is_empty() {
            return self.visit(place, &metrics, samples, stated);
        }
        for some in samples.chunks(LONGEST) {
            self.visit(place, &metrics, some, std::mem::take(&mut stated));
        }
    }
}

pub(crate) fn metric(name: &str, unit: &str, kind: Kind, direction: Direction) -> Metric {
    Metric { name: name.to_owned(), unit: unit.to_owned(), kind, direction, exact: false }
}

pub(crate) fn stated(name: &str, unit: &str, value: f64) -> Reported {
    Reported { metric: metric(&format!("stated {name}"), unit, Kind::Level, Direction::None), value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_keeps_the_files_own_time() {
        let whole = Sample::of(1726.0, 690_848);
        assert_eq!((whole.iterations, whole.each_ns), (690_848, None));
        assert_eq!(whole.per_operation(), 1726.0);
        for short in [941.3, 0.25, 0.0003, 1.5, 12.345, 1e-12] {
            assert_eq!(Sample::of(short, 1).per_operation(), short);
        }
        assert_eq!(Sample::of(0.0, 5), Sample { iterations: 5, ..Sample::default() });
    }
}
