//! Drives a bisection: lets the caller measure pairs of commits, stores each result at once, and stops when
//! the search ends, when the time is up, or when the user interrupts.

use crate::bisect::answer::Told;
use crate::bisect::found::{self, Lacking};
use crate::bisect::log::{Log, Place, Subject};
use crate::bisect::range::{Range, short};
use crate::bisect::search::{self, Fact, Pair, Step};
use crate::pair::{Measure, Measured, Posed, Request, inverse};
use derny_engine::discover::catalogue::Catalogue;
use derny_model::{BisectedCommit, Bisection, BisectionProbe, problem};
use derny_workbench::pipeline::Concluded;
use derny_workbench::project::session::Bench;
use derny_workbench::{Error, Outcome, Result};

/// The options of a bisection.
#[derive(Debug, Clone, Default)]
pub struct BisectOptions {
    /// The range: `GOOD..BAD`.
    pub range: String,
    /// The words that say what to measure. Together with the range they identify the bisection.
    pub words: Vec<String>,
    /// Smallest change that matters, as a share.
    pub margin: f64,
    /// Name of the metric to bisect. By default typical time.
    pub metric: Option<String>,
    /// True to forget earlier measurements.
    pub reset: bool,
    /// True to try skipped commits again.
    pub retry: bool,
}

/// The caller's side of a bisection: its time limit, and its reports to the user.
pub trait Asked {
    /// Returns true if the time for the whole bisection is up.
    fn is_late(&self) -> bool;
    /// Reports the beginning of a bisection: the range, and the number of stored measurements.
    fn begun(&mut self, range: &[BisectedCommit], stored: usize);
    /// Reports a measurement.
    fn probed(&mut self, probe: &BisectionProbe);
}

/// Finds the commit that changed a case. An inner `Err` means that nothing was searched, and that the reason
/// was already reported.
///
/// # Errors
/// Fails if the range is not valid, if an end cannot be measured, if the case is not on both ends, if the
/// user interrupts, or if the store fails. All earlier measurements remain stored.
pub fn bisect(
    bench: Bench<'_>,
    options: &BisectOptions,
    asked: &mut dyn Asked,
    measure: &mut Measure<'_>,
) -> Result<Result<Bisection, Outcome>> {
    let range = Range::read(&bench.session.project.root, &options.range)?;
    let ends = [&range.commits[0].hash, &range.commits[range.len()].hash, &range.len().to_string()];
    let place = Place::of(bench.store, &[ends.map(String::clone).to_vec(), options.words.clone()].concat());
    let mut log = if options.reset { Log::new() } else { place.read()? };
    if options.retry {
        log.facts.retain(|fact| !matches!(fact, Fact::Skipped { .. }));
    }
    place.write(&log)?;
    asked.begun(&range.commits, log.facts.len());
    loop {
        let pair = match search::next(&log.facts, range.len(), options.margin) {
            Step::Done(finding) => return Ok(Ok(told(&range, options, &log).answer(Some(finding)))),
            Step::Measure(_) if asked.is_late() => return Ok(Ok(told(&range, options, &log).answer(None))),
            Step::Measure(pair) => pair,
        };
        let own = One { range: &range, options, pair };
        let (fact, subject) = match own.fact(log.subject.as_ref(), measure)? {
            Ok(fact) => fact,
            Err(outcome) => return Ok(Err(outcome)),
        };
        log.facts.push(fact);
        log.subject = subject.or(log.subject);
        place.write(&log)?;
        if let Some(last) = told(&range, options, &log).probes().last() {
            asked.probed(last);
        }
    }
}

fn told<'a>(range: &'a Range, options: &'a BisectOptions, log: &'a Log) -> Told<'a> {
    Told { range, log, margin: options.margin }
}

/// The measurement of one pair.
struct One<'a> {
    range: &'a Range,
    options: &'a BisectOptions,
    pair: Pair,
}

/// A fact and, if a change was measured, its case and quantity.
type Noted = (Fact, Option<Subject>);

impl One<'_> {
    /// Measures the pair. An inner `Err` means that nothing was measured, and that the reason was already
    /// reported.
    fn fact(&self, known: Option<&Subject>, measure: &mut Measure<'_>) -> Result<Result<Noted, Outcome>> {
        let is_end = known.is_none();
        let mut before = |catalogue: &Catalogue| self.expect(known, catalogue);
        let is_time = known.is_some_and(|known| known.quantity == "typical");
        let posed = Posed::of(self.pair.threshold.filter(|_| is_time), self.options.margin);
        let mut request = self.request(posed, &mut before);
        match measure(&mut request) {
            Ok(Measured::Done(done)) => self.concluded(*done, known, posed).map(Ok),
            Ok(Measured::Early(outcome)) => Ok(Err(outcome)),
            Ok(Measured::Nothing(why)) if is_end => {
                Err(Error::Nothing(why.remedy("select a case that both ends of the range have")))
            }
            Ok(Measured::Nothing(why)) => self.skipped(why.in_a_line()).map(Ok),
            Err(error @ (Error::Interrupted | Error::System(_) | Error::File { .. } | Error::Store(_))) => {
                Err(error)
            }
            Err(error) if is_end => Err(error),
            Err(error) => self.skipped(error.in_a_line()).map(Ok),
        }
    }

    fn request<'b>(&self, posed: Posed, before: &'b mut dyn FnMut(&Catalogue) -> Result<()>) -> Request<'b> {
        let Pair { from, to, attempt, confirms, .. } = self.pair;
        let side = |at: usize| {
            let hash = &self.range.commits[at].hash;
            let name = match at {
                0 => "good",
                at if at == self.range.len() => "bad",
                _ => short(hash),
            };
            format!("{name}@{hash}")
        };
        let what = if confirms { "confirm" } else { "probe" };
        let (base, other) = if posed.is_swapped { (to, from) } else { (from, to) };
        Request {
            sides: [side(base), side(other)],
            patterns: None,
            confidence: Some(search::confidence(self.range.len())),
            margin: posed.margin,
            fail_on: posed.fail_on(),
            effort: [1, 3, 6][attempt.min(2) as usize],
            note: format!("derny bisect: {what} {}", short(&self.range.commits[to].hash)),
            before,
        }
    }

    /// Fails unless exactly the case to bisect is about to be measured.
    fn expect(&self, known: Option<&Subject>, catalogue: &Catalogue) -> Result<()> {
        let names: Vec<String> = catalogue.cases.iter().map(|case| case.id.name()).collect();
        match (known, &names[..]) {
            (Some(known), [only]) if *only == known.case => Ok(()),
            (Some(known), _) if names.contains(&known.case) => Ok(()),
            (Some(known), _) => Err(problem!("it does not have `{}`", known.case).into()),
            (None, [_]) => Ok(()),
            (None, names) => {
                let shown = names.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
                let more = names.len().saturating_sub(MOST_NAMED);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                Err(problem!("{} cases match, but a bisection needs exactly one", names.len())
                    .known(format_args!("{shown}{more}"))
                    .remedy("add words or parameters that select one case, or quote its full name")
                    .into())
            }
        }
    }

    fn concluded(&self, done: Concluded, known: Option<&Subject>, posed: Posed) -> Result<Noted> {
        if done.outcome == Outcome::Interrupted {
            return Err(Error::Interrupted);
        }
        let Pair { from, to, confirms, .. } = self.pair;
        let candidate = u32::from(!posed.is_swapped);
        match found::found(&done.document, known, candidate, self.options.metric.as_deref()) {
            Ok(found) => {
                let change = if posed.is_swapped { inverse(&found.change) } else { found.change };
                let run = done.records.header.id.clone();
                Ok((Fact::Measured { from, to, confirms, change, run }, Some(found.subject)))
            }
            Err(Lacking::Run(problem)) => Err(problem.into()),
            Err(Lacking::Metric(problem)) => Err(Error::Nothing(problem)),
            Err(Lacking::Side(why)) => self.skipped(why),
        }
    }

    /// Returns the fact that the commit is skipped. Fails if the commit is the bad end or is to be confirmed.
    fn skipped(&self, why: String) -> Result<Noted> {
        let Pair { to, confirms, .. } = self.pair;
        if confirms || to == self.range.len() {
            let commit = short(&self.range.commits[to].hash);
            return Err(problem!("{commit} cannot be measured").why(why).into());
        }
        Ok((Fact::Skipped { at: to, why }, None))
    }
}

/// Maximum number of cases to name in a message.
const MOST_NAMED: usize = 8;
