//! The pipeline: plan, measure, conclude. [`run()`] is all of it; [`watch()`] and [`attach()`] are made of the same parts.

mod attach;
mod check_metrics;
mod conclude;
pub mod identity;
mod measure;
mod occasion;
mod plan;
pub mod resume;
mod watch;

pub use attach::{AttachOptions, Attached, attach};
pub use conclude::{Concluded, conclude, merged, stability};
pub use measure::{Measured, measure};
pub use occasion::{Occasion, PartOf, Scope};
pub use plan::{Compared, Planned, Ready, header_of_part, plan};
pub use watch::{Watched, watch};

use crate::config::gate::{self, FailOn};
use crate::config::options::{Selection, Stated};
use crate::config::settings::Mode;
use crate::error::Result;
use crate::notice::Notice;
use crate::project::session::Bench;
use crate::results::outcome::Outcome;
use crate::variants::kept_programs;
use derny_engine::measure::now_ms;
use derny_model::{Diagnosed, Event};
use derny_store::Store;
use std::io;

/// What is measured and how, and what is concluded from it.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// Which cases.
    pub select: Selection,
    /// Settings that come before those of every file.
    pub stated: Stated,
    /// What shapes the measurement beside the settings. `comparison` follows from the variants.
    pub mode: Mode,
    /// Variants, each in the form of `-x`. Without any the program is measured as it is.
    pub variants: Vec<String>,
    /// Benchmarks of one suite that are set against each other: a variant for each, called after it. They stand before `variants`.
    pub benchmarks: Vec<String>,
    /// The run or the baseline to compare with: it is measured again, where that can be done.
    pub against: Option<String>,
    /// What the user calls it, if [`RunOptions::checked`] has settled which run it is.
    pub called: Option<String>,
    /// Compare with what is stored of it instead.
    pub stored: bool,
    /// Let harnesses write down which code the cases cover, in so many calls of each body.
    pub cover: Option<u32>,
    /// A command to put in front of every launch line.
    pub profiler: Option<String>,
    /// Diagnoses to make after measuring. `all` stands for all that there are.
    pub diagnose: Vec<String>,
    /// Remember the run under this name.
    pub save: Option<String>,
    /// A note that is stored with the run.
    pub note: Option<String>,
    /// Ask every file for its cases again.
    pub refresh: bool,
    /// The largest change that is of no consequence, as typed. By default that of `[gate]`, else 1 %.
    pub margin: Option<String>,
    /// The same for mean time. By default that of `[gate]`, else the margin or 2 %, whichever is larger.
    pub mean_margin: Option<String>,
    /// Verdicts that fail the run.
    pub fail_on: Vec<FailOn>,
    /// A verdict is wanted in any case, so that there must be two sides.
    pub judged: bool,
    /// The document is to say where the run's time went.
    pub stats: bool,
}

impl RunOptions {
    /// Refuses names and terms that cannot be used, before the time is spent; and settles which run `against` means: by the
    /// time the new run is stored, `last` is the new run itself.
    ///
    /// # Errors
    /// A name that no baseline can bear, a run that is not there, a margin that is none.
    pub fn checked(mut self, bench: Bench<'_>) -> Result<RunOptions> {
        if let Some(name) = &self.save {
            Store::check_baseline_name(name)?;
        }
        if let Some(name) = &mut self.against {
            let id = bench.store.resolve(name)?;
            if !name.starts_with("last") {
                self.called.get_or_insert_with(|| name.clone());
            }
            if name.starts_with("last") || self.save.as_ref() == Some(name) {
                *name = id;
            }
        }
        self.terms(bench)?;
        Ok(self)
    }

    /// What verdicts are made by.
    fn terms(&self, bench: Bench<'_>) -> Result<gate::Terms> {
        let (margin, mean_margin) = (self.margin.as_deref(), self.mean_margin.as_deref());
        gate::terms(
            &bench.session.project,
            gate::StatedTerms { margin, mean_margin, ..Default::default() },
            None,
        )
    }
}

/// What the caller hears while the pipeline is at work, in the order in which it happens.
pub enum News<'a> {
    /// Something to say.
    Notice(Notice),
    /// Measuring is about to begin.
    Planned(&'a Planned<'a>),
    /// An event of the run. It is recorded already.
    Event(&'a Event),
    /// What runtimes told of themselves.
    Diagnosed(&'a [Diagnosed]),
}

/// Hears the news. An error for an event stops the run, which then ends with this error; other errors are ignored.
pub type Tell<'a> = dyn FnMut(News<'_>) -> io::Result<()> + 'a;

/// How a run ended.
#[derive(Debug)]
pub enum Ended {
    /// Before anything was measured.
    Early(Outcome),
    /// With results.
    Concluded(Box<Concluded>),
}

/// Plans, measures and concludes a run. It is stored before anything is concluded.
///
/// # Errors
/// Options and settings that cannot be used, builds that fail, and those of the store and of `tell`. A benchmark that
/// fails is no error: it is part of what comes back.
pub fn run(
    bench: Bench<'_>,
    options: &RunOptions,
    occasion: &Occasion<'_>,
    tell: &mut Tell<'_>,
) -> Result<Ended> {
    let planned = match plan(bench, options, occasion, tell)? {
        Ready::Planned(planned) => planned,
        Ready::Early(outcome) => return Ok(Ended::Early(outcome)),
    };
    let mut measured = measure(bench, options, &planned, tell)?;
    // A run that goes on needs the programs of the baseline that it has begun with.
    if planned.header.again().is_some() && !measured.interrupted {
        measured.notices.extend(kept_programs::sweep(bench.session, bench.store)?);
    }
    let compared = planned.into_compared();
    let mut concluded = conclude(bench, options, measured, &compared)?;
    if options.stats {
        concluded.document.stats =
            derny_analysis::accounting(&concluded.records, Some(now_ms())).map(Box::new);
    }
    Ok(Ended::Concluded(Box::new(concluded)))
}

/// Says a notice. Nobody who listens is no reason to stop.
fn say(tell: &mut Tell<'_>, notice: Notice) {
    let _ = tell(News::Notice(notice));
}
