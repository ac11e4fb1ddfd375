//! Options of a run.

use crate::config::gate::{self, FailOn};
use crate::config::options::{Selection, Stated};
use crate::config::settings::Mode;
use crate::error::Result;
use crate::project::session::{Bench, Session};
use derny_store::Store;

/// How to measure, and what to conclude from it.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// Selected cases.
    pub select: Selection,
    /// Settings that take precedence over every file.
    pub stated: Stated,
    /// Options, besides the settings, that shape the measurement. `comparison` follows from the variants.
    pub mode: Mode,
    /// Variants in the form of `-x`. Without any, the program is measured as it is.
    pub variants: Vec<String>,
    /// Benchmarks of one suite to compare: a variant for each, named after it. They precede `variants`.
    pub benchmarks: Vec<String>,
    /// The run or baseline to compare with. It is measured again if possible.
    pub against: Option<String>,
    /// The user's name for it, if [`RunOptions::checked`] has resolved it to a run.
    pub called: Option<String>,
    /// Compare with its stored results instead.
    pub stored: bool,
    /// Let harnesses record the coverage of the cases, in this many calls of each body.
    pub cover: Option<u32>,
    /// A command to put in front of every launch line.
    pub profiler: Option<String>,
    /// Diagnoses to make after measuring. `all` means all available ones.
    pub diagnose: Vec<String>,
    /// Name for the run.
    pub save: Option<String>,
    /// A note to store with the run.
    pub note: Option<String>,
    /// List the cases of every file again.
    pub refresh: bool,
    /// The largest change that does not matter, as typed. By default that of `[gate]`, else 1 %.
    pub margin: Option<String>,
    /// The same for mean time. By default that of `[gate]`, else the margin or 2 %, whichever is larger.
    pub mean_margin: Option<String>,
    /// Verdicts that fail the run.
    pub fail_on: Vec<FailOn>,
    /// Require a verdict, and therefore two sides.
    pub judged: bool,
    /// Include in the document how the run spent its time.
    pub stats: bool,
}

impl RunOptions {
    /// Rejects names and terms that cannot be used, before time is spent. Also resolves `against` to a run:
    /// once the new run is stored, `last` would be the new run itself.
    ///
    /// # Errors
    /// Fails if a name is not valid for a baseline, if a run does not exist, or if a margin is invalid.
    pub fn checked(mut self, bench: Bench<'_>) -> Result<RunOptions> {
        if let Some(name) = &self.save {
            Store::check_baseline_name(name)?;
        }
        if let Some(name) = &mut self.against {
            let id = bench.store.resolve(name);
            let id = id.map_err(|error| bench.session.or_revision(name, error))?;
            if !name.starts_with("last") {
                self.called.get_or_insert_with(|| name.clone());
            }
            if name.starts_with("last") || self.save.as_ref() == Some(name) {
                *name = id;
            }
        }
        self.terms(bench.session)?;
        Ok(self)
    }

    /// Returns the terms of its verdicts.
    pub(crate) fn terms(&self, session: &Session) -> Result<gate::Terms> {
        let (margin, mean_margin) = (self.margin.as_deref(), self.mean_margin.as_deref());
        gate::terms(&session.project, gate::StatedTerms { margin, mean_margin, ..Default::default() }, None)
    }
}
