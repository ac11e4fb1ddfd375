//! The options of a run.

use crate::config::gate::{self, FailOn};
use crate::config::options::{Selection, Stated};
use crate::config::settings::Mode;
use crate::error::Result;
use crate::project::git;
use crate::project::session::{Bench, Session};
use crate::variants::parse::{HEAD, VariantSpec, revision_side};
use derny_engine::discover::pattern;
use derny_model::{Problem, RunId, problem};
use derny_store::{ErrorKind, Store};

/// The options of a run: what to measure, how, and how to judge it.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// The cases to measure.
    pub select: Selection,
    /// Settings that take precedence over every file.
    pub stated: Stated,
    /// Options, other than settings, that affect the measurement. Planning sets `variants` from the sides.
    pub mode: Mode,
    /// Variants in the form of `-x`. Without variants, the program is measured unchanged.
    pub variants: Vec<String>,
    /// Benchmarks of one suite to compare. Each becomes a variant named after it. They come before
    /// `variants`.
    pub benchmarks: Vec<String>,
    /// Variants that the caller has parsed. If there are any, `variants` and `benchmarks` are ignored.
    pub parsed: Vec<VariantSpec>,
    /// The run, baseline or revision to compare with. It is measured together with the new code if
    /// possible.
    pub against: Option<String>,
    /// The user's name for the run to compare with, once [`RunOptions::checked`] has replaced `against` with
    /// an id.
    pub called: Option<String>,
    /// True to compare with the stored results of `against` instead of measuring it again.
    pub stored: bool,
    /// A command to put before every launch line.
    pub profiler: Option<String>,
    /// Diagnoses to run after the measurement. `all` means all available ones.
    pub diagnose: Vec<String>,
    /// Name for the run.
    pub save: Option<String>,
    /// A note to store with the run.
    pub note: Option<String>,
    /// True to list the cases of every file again, ignoring the cache.
    pub refresh: bool,
    /// Largest change that does not matter, as typed. By default from `[gate]`, or else 1 %.
    pub margin: Option<String>,
    /// Margin for mean time, as typed. By default from `[gate]`, or else the larger of the margin and 2 %.
    pub mean_margin: Option<String>,
    /// Verdicts that fail the run.
    pub fail_on: Vec<FailOn>,
    /// True to require a verdict, and therefore at least two sides.
    pub judged: bool,
    /// True to include in the document how the run spent its time.
    pub stats: bool,
}

impl RunOptions {
    /// Rejects names and terms that cannot be used, before time is spent. Also resolves `against`: a
    /// revision becomes a side, and `last` becomes the id of a run. Later, `last` would mean the new run
    /// itself.
    ///
    /// # Errors
    /// Fails if a name is not valid for a baseline, if a margin is invalid, or if `against` is neither a
    /// stored run nor a revision.
    pub fn checked(mut self, bench: Bench<'_>) -> Result<RunOptions> {
        if let Some(name) = &self.save {
            Store::check_baseline_name(name)?;
        }
        if let Some(name) = self.against.clone() {
            match bench.store.resolve(&name) {
                Ok(id) => self.compare_with_run(name, id),
                Err(error) if error.kind == ErrorKind::Unknown => {
                    let Ok(commit) = git::resolve(&bench.session.project.root, &name) else {
                        return Err(neither(bench, &name)?.into());
                    };
                    self.compare_with_revision(&name, &commit)?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        self.terms(bench.session)?;
        Ok(self)
    }

    fn compare_with_run(&mut self, name: String, id: RunId) {
        let is_relative = name.starts_with("last");
        if is_relative || self.save.as_ref() == Some(&name) {
            self.against = Some(id);
        }
        if !is_relative {
            self.called.get_or_insert(name);
        }
    }

    /// Makes the revision `name` the first side, before the requested sides or the working tree. Fails if
    /// stored results are requested, because a revision has none.
    fn compare_with_revision(&mut self, name: &str, commit: &str) -> Result<()> {
        if self.stored {
            return Err(problem!("`{name}` is a revision, and has no stored times")
                .remedy("omit --stored: Derny then measures the revision together with the new code")
                .into());
        }
        self.against = None;
        if self.variants.is_empty() {
            self.variants.push(HEAD.to_owned());
        }
        self.variants.insert(0, revision_side(name, commit));
        Ok(())
    }

    /// Returns the options for resuming a run. The sides are already recorded, so `against` is kept only if
    /// it names a stored run.
    #[must_use]
    pub fn resumed(self, store: &Store) -> RunOptions {
        let called = self.against.clone();
        let against = self.against.filter(|name| store.resolve(name).is_ok());
        RunOptions { against, called, ..self }
    }

    /// Returns the texts that describe the sides: benchmarks, and variants in the form of `-x`.
    pub(crate) fn sides(&self) -> (&[String], &[String]) {
        (&self.benchmarks, &self.variants)
    }

    pub(crate) fn terms(&self, session: &Session) -> Result<gate::Terms> {
        let (margin, mean_margin) = (self.margin.as_deref(), self.mean_margin.as_deref());
        gate::terms(&session.project, gate::StatedTerms { margin, mean_margin, ..Default::default() }, None)
    }
}

/// Returns the error for an `--against` word that is neither a stored run nor a revision. It suggests the
/// nearest name.
///
/// # Errors
/// Fails if the store fails.
fn neither(bench: Bench<'_>, word: &str) -> Result<Problem> {
    let root = &bench.session.project.root;
    let baselines: Vec<String> = bench.store.baselines()?.into_iter().map(|baseline| baseline.name).collect();
    let near = pattern::closest(word, baselines.iter().map(String::as_str)).into_iter().next();
    let what = match git::is_shallow(root) {
        Some(_) => problem!("`{word}` is neither a stored run nor a revision of this repository"),
        None => problem!(
            "there is no stored run `{word}`, and there is no git repository here to search \
            for a revision"
        ),
    };
    let remedy = match near.or_else(|| git::near(root, word)) {
        Some(near) => format!("use --against {near}"),
        None => "`derny runs` lists runs and baselines, and `git branch -a` lists branches".to_owned(),
    };
    Ok(what.place(format_args!("--against {word}")).remedy(remedy))
}
