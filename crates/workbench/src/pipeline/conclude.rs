//! Turns the records of a run into a document, a comparison and a verdict. Uses no clock and no harness.

use crate::config::gate::{FailOn, Terms};
use crate::error::Result;
use crate::notice::Notice;

use crate::pipeline::options::RunOptions;
use crate::pipeline::planned::{Compared, Measured};
use crate::project::session::Bench;
use crate::results::compare::Sides;
use crate::results::outcome::{Happened, Outcome};
use crate::results::source::Source;
use crate::results::stored;
use derny_analysis::{Digests, Input, Options};
use derny_model::{Comparison, Document, Records, Series, Settings, StabilityRow, Variant, problem};
use derny_store::{RunSummary, Store};

/// A run with its results.
#[derive(Debug)]
pub struct Concluded {
    /// All records. Cases have the names that the run's name template gives them.
    pub records: Records,
    /// The results, with the comparison if the run has two sides.
    pub document: Document,
    /// Outcome of the command, which determines its exit status.
    pub outcome: Outcome,
    /// Notices about requested metrics and modes that do not exist.
    pub notices: Vec<Notice>,
}

/// Analyses a run. Its variants are compared with the first one, which may be a baseline that was measured
/// again. A run without variants is compared with the stored run that `against` names.
///
/// # Errors
/// Fails if the store fails, if the baseline does not exist, or if the template is invalid.
pub fn conclude(
    bench: Bench<'_>,
    options: &RunOptions,
    measured: Measured,
    compared: &Compared,
) -> Result<Concluded> {
    let mut source = Source::Records(Box::new(measured.records));
    source.name(None)?;
    let Source::Records(records) = source else { unreachable!("records stay records") };
    let against = options.against.clone().filter(|_| records.header.again().is_none());
    let (records, document, comparison) = compare(bench, options, records)?;
    let document = stored::changed(bench.store, &records, document, against.as_deref())?;
    let comparison = comparison.map(|comparison| told(comparison, compared));
    let document = document.compared(comparison);
    let happened = Happened {
        interrupted: measured.interrupted,
        failed: measured.failed,
        unknown: is_unknown(options, &records, &document),
        ..Happened::of_document(&document)
    };
    let outcome = happened.outcome(&options.fail_on);
    let notices = measured.notices.into_iter().chain(unknown(&records, &document)).collect();
    Ok(Concluded { records: *records, document, outcome, notices })
}

/// Compares the sides of a run. Returns the unchanged records, the document, and the comparison if there are
/// two sides.
fn compare(
    bench: Bench<'_>,
    options: &RunOptions,
    records: Box<Records>,
) -> Result<(Box<Records>, Document, Option<Comparison>)> {
    let settings = records.header.settings.clone();
    let several = records.header.variants.len() > 1;
    if settings.once || (options.against.is_none() && !several) {
        let document = derny_analysis::summarise(&records);
        return Ok((records, document, None));
    }
    let sides = match options.against.as_ref().filter(|_| records.header.again().is_none()) {
        Some(name) => Sides::against(bench.store, name, Source::Records(records))?,
        None => Sides::variants(Source::Records(records))?,
    };
    let comparison = sides.compare(&Terms::of_run(&settings), false);
    let (Source::Records(records), document) = sides.into_newest() else {
        unreachable!("records stay records")
    };
    Ok((records, document, Some(comparison)))
}

/// Adds the planner's data about the baseline to a comparison.
fn told(mut comparison: Comparison, compared: &Compared) -> Comparison {
    if let Some(against) = &mut comparison.against {
        against.why_stored.clone_from(&compared.why_stored);
    }
    comparison.alone.extend(compared.left_out.iter().cloned());
    comparison
}

/// Returns true if the command line names a metric or a mode that no measured benchmark has. Names from
/// files do not count, because the benchmarks that have them may not be selected today.
fn is_unknown(options: &RunOptions, records: &Records, document: &Document) -> bool {
    let stated = |key: &str| options.stated.has(key);
    let is_measured = !records.header.settings.once && records.visits.iter().any(|record| record.complete);
    let metrics = stated("metrics") && !stored::unknown_metrics(records, document).is_empty();
    let modes = stated("modes") && !stored::unknown_modes(records).is_empty();
    is_measured && (metrics || modes)
}

/// Returns notices about the requested metrics and modes that no measured benchmark has.
fn unknown(records: &Records, document: &Document) -> Vec<Notice> {
    let metrics = stored::unknown_metrics(records, document).into_iter().cloned().map(Notice::NoMetric);
    let modes = stored::unknown_modes(records).into_iter().cloned().map(Notice::NoMode);
    metrics.chain(modes).collect()
}

/// Analyses a run that was merged from parts, with the run's own settings. Uses the digests of the parts if
/// they are still valid. `keep` stores the records, and `tell` reports them with the document. `fail_on`
/// lists the verdicts that fail the run. `incomplete` is true if anything planned is missing.
///
/// # Errors
/// Fails if the template is invalid, if the turns of a part cannot be read, or if `keep` fails. The last two
/// may become known only after the call of `tell`.
pub fn merged<T>(
    records: Records,
    digests: &dyn Digests,
    (fail_on, incomplete): (&[FailOn], bool),
    keep: impl FnOnce(&Records) -> Result<()> + Send,
    tell: impl FnOnce(&Records, &Document) -> T,
) -> Result<(Concluded, T)> {
    let mut keep = Some(keep);
    // Store the run before the name template renames its cases.
    if records.header.settings.name_template.is_some()
        && let Some(keep) = keep.take()
    {
        keep(&records)?;
    }
    let mut source = Source::Records(Box::new(records));
    source.name(None)?;
    let Source::Records(records) = source else { unreachable!("records stay records") };
    let (document, told) = std::thread::scope(|scope| {
        let kept = keep.map(|keep| scope.spawn(|| keep(&records)));
        let document = document_of(&records, digests);
        let told = tell(&records, &document);
        match kept.map(|kept| kept.join()) {
            None => Ok((document, told)),
            Some(Ok(kept)) => kept.map(|()| (document, told)),
            Some(Err(panic)) => std::panic::resume_unwind(panic),
        }
    })?;
    if let Some(why) = records.trouble() {
        return Err(problem!("{why}").into());
    }
    let failed = !records.failures.is_empty();
    let happened = Happened { failed, incomplete, ..Happened::of_document(&document) };
    let (outcome, notices) = (happened.outcome(fail_on), unknown(&records, &document));
    Ok((Concluded { records: *records, document, outcome, notices }, told))
}

/// Analyses a merged run and compares its variants.
fn document_of(records: &Records, digests: &dyn Digests) -> Document {
    let Settings { margin, mean_margin, confidence, metrics, .. } = &records.header.settings;
    let mut document = derny_analysis::summarise_by(records, Some(digests));
    let comparison = (records.header.variants.len() > 1).then(|| {
        let side = |(variant, own): (u32, &Variant)| Input {
            name: own.name.clone(),
            document: &document,
            records: Some(records),
            variant,
        };
        let sides: Vec<Input<'_>> = (0..).zip(&document.run.variants).map(side).collect();
        let (margin, mean_margin, confidence) = (*margin, *mean_margin, *confidence);
        let options = Options { margin, mean_margin, confidence, metrics, ..Options::default() };
        derny_analysis::compare_by(&sides, &options, Some(digests))
    });
    derny_analysis::only_metrics(&mut document, metrics);
    document.compared(comparison)
}

/// Returns the spread between the runs of a series, for each case.
///
/// # Errors
/// Fails if the store fails.
pub fn stability(store: &Store, series: &Series) -> Result<Vec<StabilityRow>> {
    let of_series = |run: &RunSummary| run.header.series.as_ref().is_some_and(|own| own.id == series.id);
    let runs = store.runs(2 * series.of as usize)?;
    let ids = runs.iter().rev().filter(|run| of_series(run)).map(|run| &run.header.id);
    let documents: Result<Vec<Document>> =
        ids.map(|id| Ok(Source::load(store, id, None)?.document())).collect();
    Ok(derny_analysis::stability::stability(&documents?))
}
