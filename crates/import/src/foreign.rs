//! What an importer gives: processes, cases, and the samples of a case in a process.

use derny_model::{Case, CaseId, Metric};

/// One timed stretch: what the other tool calls a sample, a measurement, a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sample {
    /// Its time.
    pub time_ns: u64,
    /// Calls of the body in it; 0 where the file counts operations.
    pub iterations: u64,
    /// Operations in it, where the file counts those.
    pub operations: Option<f64>,
    /// Totals over the sample, in the order of the visit's metrics.
    pub counters: Vec<Option<f64>>,
    /// The tool measured it and left it out of its own estimate.
    pub warm_up: bool,
}

/// The samples of one case in one process.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Visit {
    pub process: usize,
    pub case: usize,
    pub metrics: Vec<Metric>,
    pub samples: Vec<Sample>,
}

/// A process as far as the file tells of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Process {
    pub variant: usize,
    /// Processes of one block were alternated.
    pub block: usize,
}

/// Results of another tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Foreign {
    /// The tool, with its version where the file has it.
    pub tool: String,
    /// What the file does not tell, and what had to be assumed, in words.
    pub unknown: Vec<String>,
    /// Start, ms since the epoch, where the file or its name has it.
    pub started_ms: Option<i64>,
    /// `javascript`, `erlang`.
    pub language: &'static str,
    /// Iterations grow from sample to sample.
    pub ladder: bool,
    /// Cases that failed or were skipped, with the reason; they have no samples.
    pub failed: Vec<(usize, String)>,
    pub(crate) variants: Vec<String>,
    pub(crate) cases: Vec<Case>,
    pub(crate) processes: Vec<Process>,
    pub(crate) visits: Vec<Visit>,
}

impl Foreign {
    pub(crate) fn new(tool: impl Into<String>, language: &'static str) -> Foreign {
        Foreign {
            tool: tool.into(),
            unknown: Vec::new(),
            started_ms: None,
            language,
            ladder: false,
            failed: Vec::new(),
            variants: Vec::new(),
            cases: Vec::new(),
            processes: Vec::new(),
            visits: Vec::new(),
        }
    }

    /// Its cases.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// Its cases, to rename them.
    pub fn cases_mut(&mut self) -> &mut [Case] {
        &mut self.cases
    }

    /// Samples of all cases.
    pub fn samples(&self) -> usize {
        self.visits.iter().map(|visit| visit.samples.len()).sum()
    }

    /// The samples of each visit in time order, with its case: for tests and counts.
    pub fn visits(&self) -> impl Iterator<Item = (&Case, &[Sample])> {
        self.visits.iter().map(|visit| (&self.cases[visit.case], &visit.samples[..]))
    }

    pub(crate) fn says(&mut self, unknown: &str) {
        self.unknown.push(unknown.to_owned());
    }

    /// The variant of this name, in order of appearance.
    pub(crate) fn variant(&mut self, name: &str) -> usize {
        place(&mut self.variants, |known| known == name, || name.to_owned())
    }

    /// The case of this identity, in order of appearance.
    pub(crate) fn case(&mut self, suite: &str, benchmark: &str, params: Vec<(String, String)>) -> usize {
        let id = CaseId { suite: suite.to_owned(), benchmark: benchmark.to_owned(), params };
        match self.cases.iter().position(|case| case.id == id) {
            Some(known) => known,
            None => {
                self.cases.push(Case::new(id));
                self.cases.len() - 1
            }
        }
    }

    pub(crate) fn process(&mut self, variant: usize, block: usize) -> usize {
        self.processes.push(Process { variant, block });
        self.processes.len() - 1
    }

    pub(crate) fn visit(&mut self, process: usize, case: usize, metrics: Vec<Metric>, samples: Vec<Sample>) {
        self.visits.push(Visit { process, case, metrics, samples });
    }
}

fn place<T>(list: &mut Vec<T>, is: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> usize {
    match list.iter().position(is) {
        Some(known) => known,
        None => {
            list.push(new());
            list.len() - 1
        }
    }
}
