//! The options of a run.

use crate::config::gate::{self, FailOn};
use crate::config::options::{Selection, Stated};
use crate::config::settings::Mode;
use crate::error::Result;
use crate::project::session::{Bench, Session};
use derny_store::Store;

/// The options of a run: what to measure, how, and how to judge it.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// Which cases to measure.
    pub select: Selection,
    /// Settings that take precedence over every file.
    pub stated: Stated,
    /// Options, other than settings, that affect the measurement. `comparison` follows from the variants.
    pub mode: Mode,
    /// Variants in the form of `-x`. Without any, the program is measured as it is.
    pub variants: Vec<String>,
    /// Benchmarks of one suite to compare. Each becomes a variant named after it. They come before
    /// `variants`.
    pub benchmarks: Vec<String>,
    /// The run or baseline to compare with. It is measured again if possible.
    pub against: Option<String>,
    /// The user's name for the run to compare with, once [`RunOptions::checked`] has replaced `against` with
    /// an id.
    pub called: Option<String>,
    /// Compare with the stored results of `against` instead of measuring it again.
    pub stored: bool,
    /// Let harnesses record the coverage of each case, in this many calls of its body.
    pub cover: Option<u32>,
    /// A command to put before every launch line.
    pub profiler: Option<String>,
    /// Diagnoses to run after the measurement. `all` means all available ones.
    pub diagnose: Vec<String>,
    /// Name for the run.
    pub save: Option<String>,
    /// A note to store with the run.
    pub note: Option<String>,
    /// List the cases of every file again, ignoring the cache.
    pub refresh: bool,
    /// Largest change that does not matter, as typed. By default from `[gate]`, or else 1 %.
    pub margin: Option<String>,
    /// Margin for mean time, as typed. By default from `[gate]`, or else the larger of the margin and 2 %.
    pub mean_margin: Option<String>,
    /// Verdicts that fail the run.
    pub fail_on: Vec<FailOn>,
    /// Require a verdict, and therefore at least two sides.
    pub judged: bool,
    /// Include in the document how the run spent its time.
    pub stats: bool,
}

impl RunOptions {
    /// Rejects invalid names and terms before any time is spent. Also resolves `against` to the id of a run:
    /// once the new run is stored, `last` would mean the new run itself.
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

    /// Returns the terms by which the run is judged.
    pub(crate) fn terms(&self, session: &Session) -> Result<gate::Terms> {
        let (margin, mean_margin) = (self.margin.as_deref(), self.mean_margin.as_deref());
        gate::terms(&session.project, gate::StatedTerms { margin, mean_margin, ..Default::default() }, None)
    }
}
