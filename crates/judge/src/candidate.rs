//! One call of `derny judge`: freezes the sides, has them measured, decides, and records the decision.

use crate::check::{self, Check};
use crate::composite;
use crate::found::{Found, USUAL};
use crate::frozen::{Built, Frozen};
use crate::receipt::{self, Facts};
use crate::rule::Ruling;
use crate::session::{SINGLE, Session, Tested};
use crate::sides::{self, Side};
use crate::snapshot;
use derny_model::{Comparison, Decision, Document, Ground, Judgement, Records, SessionState, problem};
use derny_workbench::config::units;
use derny_workbench::pipeline::Concluded;
use derny_workbench::project::git;
use derny_workbench::project::session::Bench;
use derny_workbench::{Error, Outcome, Result};

/// Version of the answer's format.
const FORMAT: u32 = 1;
/// Note about a candidate if a program contains all benchmarks, so that no benchmark file is known.
const NO_BENCHMARK: &str = "no benchmark file is known, so a change of the benchmark would not be noticed; list its \
    files as `frozen` under [judge] in derny.toml";

/// The options of a call.
#[derive(Debug, Clone, Default)]
pub struct JudgeOptions {
    /// Name of the session. Without one, the candidate is judged on its own.
    pub session: Option<String>,
    /// The base in the form of `-x`. By default that of the session, or else the checked-out commit.
    pub base: Option<String>,
    /// The candidate in the form of `-x`. By default the working tree.
    pub candidate: Option<String>,
    /// An expert's solution in the form of `-x`.
    pub expert: Option<String>,
    /// Share of the expert's speed that counts as parity.
    pub parity: f64,
    /// A command that must succeed in each side.
    pub check: Option<Check>,
    /// True to accept a candidate that changes the benchmark.
    pub changed_benchmark: bool,
}

/// A request to measure sides together.
pub struct Request<'a> {
    /// The sides in the form of `-x`. The others are compared with the first.
    pub variants: Vec<String>,
    /// Confidence level of the intervals.
    pub confidence: f64,
    /// True to test only whether the sides work, without measuring them. `before` then returns false.
    pub is_trial: bool,
    /// Receives the sides when all of them are built. Returns false to stop before the measurement.
    pub before: &'a mut dyn FnMut(&Built<'_>) -> Result<bool>,
}

/// The result of a request.
pub enum Measured {
    /// The sides were measured.
    Done(Box<Concluded>),
    /// `before` returned false.
    Stopped,
    /// Nothing was measured, and the reason was reported.
    Early(Outcome),
}

/// A function that measures sides.
pub type Measure<'a> = dyn FnMut(&mut Request<'_>) -> Result<Measured> + 'a;

/// What the call knows about the sides of a run, besides its records.
struct Seen {
    /// Names and sides, in the order of the run.
    sides: Vec<(String, Side)>,
    /// Paths and hashes of the frozen files before the measurement.
    frozen: Vec<(String, String)>,
    /// True if a frozen file changed during the measurement.
    touched: bool,
}

/// The sides of a call, frozen.
struct Call {
    session: Option<Session>,
    base: Side,
    best: Side,
    candidate: Side,
    /// The candidate to measure, in the form of `-x`.
    measured: String,
    expert: Option<Side>,
    level: f64,
}

/// Judges a candidate. If nothing could be judged, returns an [`Outcome`] as the inner error. The reason was
/// then already reported.
///
/// # Errors
/// Fails if a side is invalid, if the base cannot be built or does not pass the check, or if the store fails.
pub fn judge(
    bench: Bench<'_>,
    options: &JudgeOptions,
    measure: &mut Measure<'_>,
) -> Result<Result<Judgement, Outcome>> {
    // Reject a wrong configuration before anything is measured.
    limits(bench)?;
    let call = Call::freeze(bench, options)?;
    if call.candidate.is(&call.best) {
        let because = format!("the candidate has the same files as {}", call.best.label);
        let ruling = Ruling::new(Decision::Neutral, Ground::SameCode, because);
        return call.unmeasured(bench, ruling).map(Ok);
    }
    let mut notes = Vec::new();
    let (mut frozen, mut hashes) = (Frozen::default(), Vec::new());
    let mut early: Option<Result<Option<Ruling>>> = None;
    let root = bench.session.project.root.clone();
    let mut before = |built: &Built<'_>| {
        frozen = Frozen::of(bench.session, built)?;
        hashes = frozen.hashes(&root);
        if Frozen::has_no_benchmark(built) && bench.session.project.content.judge.is_none() {
            notes.push(NO_BENCHMARK.to_owned());
        }
        let refusal = call.refusal(bench, options, &frozen, built);
        let go_on = matches!(refusal, Ok(None));
        early = Some(refusal);
        Ok(go_on)
    };
    let worktrees = bench.session.store_folder().join("worktrees");
    let variants = call.variants();
    let mut request =
        Request { variants, confidence: 1.0 - 2.0 * call.level, is_trial: false, before: &mut before };
    let result = measure(&mut request);
    if let Ok(Measured::Done(done)) = result {
        let seen = Seen { sides: call.sides(), touched: frozen.hashes(&root) != hashes, frozen: hashes };
        return call.conclude(bench, options, *done, seen, notes).map(Ok);
    }
    let are_gone = call.base.commit.is_some() && !worktrees.exists();
    match call.refused(measure, result, early, are_gone)? {
        Ok(ruling) => call.unmeasured(bench, ruling).map(Ok),
        Err(outcome) => Ok(Err(outcome)),
    }
}

impl Call {
    fn freeze(bench: Bench<'_>, options: &JudgeOptions) -> Result<Call> {
        let workbench = bench.session;
        let stored = match &options.session {
            Some(name) => Session::find(workbench, bench.store, name)?,
            None => None,
        };
        let stated = options.base.as_deref().map(|text| sides::freeze(workbench, text)).transpose()?;
        let (base, best) = match (&stored, stated) {
            (Some(session), Some(stated)) if stated.named("x") != session.base.named("x") => {
                let Session { name, base, .. } = session;
                return Err(problem!("session `{name}` has another base")
                    .place(format_args!("-x {}", stated.label))
                    .why(format_args!("it was started with {}", base.label))
                    .remedy("omit the base, or use another name for the session")
                    .into());
            }
            (Some(session), _) => (session.base.clone(), session.best.clone()),
            (None, Some(stated)) => (stated.clone(), stated),
            (None, None) => {
                let base = sides::freeze(workbench, "base@HEAD").map_err(|error| {
                    error.into_problem().remedy("name two sides: -x base=PROGRAM -x candidate=PROGRAM")
                })?;
                (base.clone(), base)
            }
        };
        let text = options.candidate.as_deref().unwrap_or("candidate@.");
        let (candidate, measured) = sides::freeze_candidate(workbench, text)?;
        let expert = options.expert.as_deref().map(|text| sides::freeze(workbench, text)).transpose()?;
        let new = || options.session.as_deref().map(|name| Session::new(workbench, name, base.clone()));
        let session = stored.or_else(new);
        let level = session.as_ref().map_or(SINGLE, Session::level);
        Ok(Call { session, base, best, candidate, measured, expert, level })
    }

    /// Returns the name and the side of every variant, in the order of the run.
    fn sides(&self) -> Vec<(String, Side)> {
        let is_base = self.best == self.base;
        let best = (if is_base { "base" } else { "best" }.to_owned(), self.best.clone());
        let candidate = ("candidate".to_owned(), self.candidate.clone());
        let base = (!is_base).then(|| ("base".to_owned(), self.base.clone()));
        let expert = self.expert.as_ref().map(|expert| ("expert".to_owned(), expert.clone()));
        [best, candidate].into_iter().chain(base).chain(expert).collect()
    }

    /// Returns the sides in the form of `-x`.
    fn variants(&self) -> Vec<String> {
        let of = |(name, side): &(String, Side)| match name.as_str() {
            "candidate" => Side { text: self.measured.clone(), ..side.clone() }.named(name),
            _ => side.named(name),
        };
        self.sides().iter().map(of).collect()
    }

    /// Returns a decision if the candidate changes the benchmark or fails the check.
    fn refusal(
        &self,
        bench: Bench<'_>,
        options: &JudgeOptions,
        frozen: &Frozen,
        built: &Built<'_>,
    ) -> Result<Option<Ruling>> {
        let root = &bench.session.project.root;
        let changed = frozen.changed(root, &self.base, &self.candidate)?;
        if !changed.is_empty() && !options.changed_benchmark {
            let because = format!(
                "the candidate changes {}, which belongs to the benchmark; undo that, or use --bench-from \
                 candidate",
                changed.join(", ")
            );
            return Ok(Some(Ruling::new(Decision::Void, Ground::BenchmarkChanged, because)));
        }
        let Some(own) = &options.check else { return Ok(None) };
        let sides = self.sides();
        let key = |place: usize| sides.get(place).filter(|(name, _)| name != "candidate")?.1.tree.clone();
        check::run(bench, own, built.variants, 1, key)
    }

    /// Returns the decision about a candidate that was not measured. `result` is the result of the
    /// measurement, `early` that of [`Call::refusal`] if the sides were built, and `are_gone` is true if the
    /// worktrees were deleted.
    fn refused(
        &self,
        measure: &mut Measure<'_>,
        result: Result<Measured>,
        early: Option<Result<Option<Ruling>>>,
        are_gone: bool,
    ) -> Result<Result<Ruling, Outcome>> {
        Ok(Ok(match result {
            Ok(Measured::Stopped | Measured::Done(_)) => match early {
                Some(refusal) => refusal?.unwrap_or_else(|| unreachable!("a stop has a reason")),
                None => unreachable!("a stop has a reason"),
            },
            Ok(Measured::Early(_)) if are_gone => {
                let because = "the worktrees of the other sides disappeared while the candidate was listed";
                Ruling::new(Decision::Void, Ground::BenchmarkChanged, because)
            }
            Ok(Measured::Early(Outcome::Nothing)) if self.others_plan(measure) => {
                let because = "the candidate has none of the benchmarks that the base has";
                Ruling::new(Decision::Void, Ground::BenchmarkChanged, because)
            }
            Ok(Measured::Early(outcome)) => return Ok(Err(outcome)),
            Err(Error::Interrupted) => return Err(Error::Interrupted),
            Err(error) if !self.others_plan(measure) => return Err(error),
            Err(error) => {
                let problem = error.into_problem();
                let because = format!("the candidate cannot be measured: {}", problem.clone().in_a_line());
                Ruling::new(Decision::Discard, Ground::Build, because).with(problem.to_string())
            }
        }))
    }

    /// Returns true if the sides can be planned without the candidate.
    fn others_plan(&self, measure: &mut Measure<'_>) -> bool {
        let mut variants = self.variants();
        variants.remove(1);
        let mut request = Request { variants, confidence: USUAL, is_trial: true, before: &mut |_| Ok(false) };
        matches!(measure(&mut request), Ok(Measured::Stopped | Measured::Done(_)))
    }

    /// Returns the answer for a candidate that was not measured.
    fn unmeasured(self, bench: Bench<'_>, ruling: Ruling) -> Result<Judgement> {
        let last = self.session.as_ref().and_then(|own| own.tested.iter().rev().find(|one| one.promoted));
        let score = match ruling.ground {
            Ground::SameCode => last.map_or(1.0, |tested| tested.score),
            _ => 0.0,
        };
        let session = self.session.map(|session| session.store(bench.store, |_| ())).transpose()?;
        let notes = ruling.details.clone();
        Ok(Judgement { session: session.map(|own| own.state()), notes, ..empty(ruling, score) })
    }

    fn conclude(
        self,
        bench: Bench<'_>,
        options: &JudgeOptions,
        done: Concluded,
        seen: Seen,
        notes: Vec<String>,
    ) -> Result<Judgement> {
        let Concluded { records, document, outcome, .. } = done;
        let Seen { sides, frozen, touched } = seen;
        let lost = lost(&document).or_else(|| suspected(&document));
        let limits = limits(bench)?;
        let weights = weights(bench);
        let found =
            Found::of(records, &weights, self.level, self.expert.is_some().then_some(options.parity))?;
        let mut ruling = found.ruling.clone();
        if let Some(lost) = lost.or_else(|| too_good(&found.usual, &limits)) {
            ruling = lost;
        }
        if touched {
            let because = "a file of the benchmark changed during the measurement";
            ruling = Ruling::new(Decision::Void, Ground::BenchmarkChanged, because);
        }
        if outcome == Outcome::Interrupted {
            ruling = Ruling::new(Decision::Retry, Ground::Incomplete, "the measurement was interrupted");
        }
        let score = found.score(&ruling);
        let facts = Facts {
            sides: &sides,
            frozen: &frozen,
            margin: found.usual.margin,
            level: self.level,
            weights: &weights,
            parity: self.expert.is_some().then_some(options.parity),
            score,
        };
        let receipt = receipt::receipt(&found.records.header, &facts, &ruling);
        receipt::keep(bench.store, &receipt)?;
        let session = self.tested(bench, &found.records, &ruling, score)?;
        Ok(Judgement {
            best: found.best,
            base: found.base,
            parity: found.parity,
            cases: composite::rows(&found.usual, 1),
            session,
            retry_ns: found.strict.settle.as_ref().map(|settle| settle.total_ns),
            run: Some(found.records.header.id.clone()),
            receipt: Some(receipt),
            notes: [ruling.details.clone(), notes, found.notes()].concat(),
            ..empty(ruling, score)
        })
    }

    /// Adds the candidate to the session, if its measurements were used for a test.
    fn tested(
        self,
        bench: Bench<'_>,
        records: &Records,
        ruling: &Ruling,
        score: f64,
    ) -> Result<Option<SessionState>> {
        let Some(session) = self.session else { return Ok(None) };
        let is_tested = matches!(
            ruling.ground,
            Ground::Better | Ground::WithinMargin | Ground::Worse | Ground::CaseWorse | Ground::Unclear
        );
        let tested = Tested {
            run: records.header.id.clone(),
            side: self.candidate,
            level: self.level,
            verdict: ruling.verdict,
            score,
            at_ms: records.header.started_ms,
            promoted: false,
        };
        let stored = session.store(bench.store, |session| {
            if is_tested {
                session.tested.push(tested.clone());
            }
        })?;
        Ok(Some(stored.state()))
    }
}

/// Returns a decision if a case was left out because the candidate does not have it.
fn lost(document: &Document) -> Option<Ruling> {
    let alone = &document.comparison.as_ref()?.alone;
    let (_, name) = alone.iter().find(|(side, _)| *side != 1)?;
    let why = document.failures.first().map_or_else(String::new, |own| format!(": {}", own.what));
    let because = format!("the candidate does not have `{name}`{why}");
    Some(Ruling::new(Decision::Discard, Ground::Failed, because))
}

/// Returns a decision if the witness has found that the candidate cheats.
fn suspected(document: &Document) -> Option<Ruling> {
    document.cases().find_map(|case| {
        let own = case.variants.iter().find(|variant| variant.variant == "candidate")?;
        let message = &own.suspicions.first()?.message;
        let because = format!("`{}` of the candidate {message}", case.case.id.name());
        Some(Ruling::new(Decision::Void, Ground::Witness, because))
    })
}

/// Returns a decision if a case of the candidate takes less time than its least possible time in `limits`.
fn too_good(comparison: &Comparison, limits: &[(String, f64)]) -> Option<Ruling> {
    composite::rows(comparison, 1).into_iter().filter(|row| row.unit == "ns").find_map(|row| {
        let is_below =
            |(pattern, least): &&(String, f64)| row.case.contains(pattern) && row.candidate < *least;
        let (pattern, least) = limits.iter().find(is_below)?;
        let because = format!(
            "`{}` takes {:.3} ns, but `at-least` of `{pattern}` in [judge] is {least} ns",
            row.case, row.candidate
        );
        Some(Ruling::new(Decision::Void, Ground::TooGood, because))
    })
}

/// Returns the least possible times of cases, in ns, by a part of their names.
///
/// # Errors
/// Fails if `at-least` of `[judge]` has a value that is not a time.
fn limits(bench: Bench<'_>) -> Result<Vec<(String, f64)>> {
    let table = bench.session.project.content.judge.as_ref();
    let read = |(pattern, text): (&String, &String)| {
        let ns = units::duration_ns(text)
            .map_err(|why| problem!("{why}").place(format_args!("`at-least` of `{pattern}` in [judge]")))?;
        Ok((pattern.clone(), ns as f64))
    };
    table.into_iter().flat_map(|table| &table.at_least).map(read).collect()
}

fn empty(ruling: Ruling, score: f64) -> Judgement {
    Judgement {
        format: FORMAT,
        verdict: ruling.verdict,
        ground: ruling.ground,
        because: ruling.because,
        score,
        best: None,
        base: None,
        parity: None,
        cases: Vec::new(),
        session: None,
        retry_ns: None,
        run: None,
        receipt: None,
        notes: Vec::new(),
    }
}

/// Returns the weights of `[judge]` in derny.toml.
pub(crate) fn weights(bench: Bench<'_>) -> Vec<(String, f64)> {
    let table = bench.session.project.content.judge.as_ref();
    let weights = table.map(|table| table.weights.iter().map(|(key, weight)| (key.clone(), *weight)));
    weights.into_iter().flatten().collect()
}

/// Makes the last candidate of a session the best one.
///
/// # Errors
/// Fails if there is no such session, if its last candidate was not judged worth keeping and `force` is
/// false, or if the candidate cannot be frozen.
pub fn keep(bench: Bench<'_>, name: &str, force: bool) -> Result<Session> {
    let session = Session::named(bench.session, bench.store, name)?;
    let number = session.tested.len();
    let Some(last) = session.tested.last().filter(|last| !last.promoted) else {
        return Err(problem!("session `{name}` has no new candidate")
            .remedy(format_args!("`derny judge --session {name}` judges one"))
            .into());
    };
    if last.verdict != Decision::Keep && !force {
        return Err(problem!("the last candidate of session `{name}` was judged `{}`", last.verdict.token())
            .remedy("improve it and judge it again, or use --force")
            .into());
    }
    let root = &bench.session.project.root;
    let side = match &last.side.commit {
        Some(commit) => {
            snapshot::protect(root, name, commit)?;
            last.side.clone()
        }
        None if git::is_shallow(root).is_some() || last.side.text.contains('=') => {
            sides::keep_files(bench.session, name, number, &last.side)?
        }
        None => return Err(nothing_to_freeze()),
    };
    session.store(bench.store, |session| {
        session.best = side.clone();
        if let Some(last) = session.tested.last_mut() {
            last.promoted = true;
        }
    })
}

fn nothing_to_freeze() -> Error {
    problem!("the candidate cannot be kept: it is the working tree, and there is no git repository here")
        .remedy("run `git init` and commit, or name a program: -x candidate=PROGRAM")
        .into()
}

/// Measures the best candidate of a session against its base afresh, apart from all tests of the session.
///
/// # Errors
/// Fails if there is no such session, if it has kept no candidate, or for a reason of [`judge`].
pub fn finish(bench: Bench<'_>, name: &str, measure: &mut Measure<'_>) -> Result<Result<Judgement, Outcome>> {
    let session = Session::named(bench.session, bench.store, name)?;
    if session.best == session.base {
        return Err(problem!("session `{name}` has kept no candidate, so there is nothing to measure")
            .remedy(format_args!("`derny judge keep --session {name}` keeps the last candidate"))
            .into());
    }
    let sides =
        vec![("base".to_owned(), session.base.clone()), ("candidate".to_owned(), session.best.clone())];
    let variants = sides.iter().map(|(name, side)| side.named(name)).collect();
    let mut frozen = Vec::new();
    let root = bench.session.project.root.clone();
    let mut before = |built: &Built<'_>| {
        frozen = Frozen::of(bench.session, built)?.hashes(&root);
        Ok(true)
    };
    let mut request =
        Request { variants, confidence: 1.0 - 2.0 * SINGLE, is_trial: false, before: &mut before };
    let done = match measure(&mut request)? {
        Measured::Done(done) => *done,
        Measured::Early(outcome) => return Ok(Err(outcome)),
        Measured::Stopped => unreachable!("nothing stops the measurement"),
    };
    let level = SINGLE;
    let call = Call {
        session: None,
        base: session.base.clone(),
        best: session.base.clone(),
        candidate: session.best.clone(),
        measured: session.best.text.clone(),
        expert: None,
        level,
    };
    let judgement = call.conclude(
        bench,
        &JudgeOptions::default(),
        done,
        Seen { sides, frozen, touched: false },
        Vec::new(),
    )?;
    Ok(Ok(Judgement { session: Some(session.state()), ..judgement }))
}
