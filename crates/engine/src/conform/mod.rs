//! Tests that a harness conforms to the protocol. Runs every vector of `protocol/vectors/` and the
//! behavioural cases. Each case starts its own processes.
//!
//! The tests observe a harness only from outside: its lines, its end, and what the operating system reports
//! about its process. They do not depend on its language, and use no plans, calibration or statistics.

mod claims;
mod errors;
mod job;
mod lab;
mod names;
mod outside;
mod peer;
mod streams;
mod timing;
mod vectors;

pub use job::Conform;
pub use lab::{Case, Claims};

use crate::discover::glob;
use derny_protocol::vector::{self, Vector};
use job::Checked;
use lab::{Lab, Play};
use peer::Spoken;
use std::cell::{Cell, RefCell};
use std::sync::atomic::Ordering;

/// Vectors that pass only if the operating system schedules the harness in time. They get several attempts.
const PUNCTUAL: [&str; 1] = ["measure-within"];

/// The result of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The harness conforms.
    Passed,
    /// The harness does not conform. Contains the reason.
    Failed(String),
    /// The harness does not conform, as expected. Contains the reason.
    Known(String),
    /// The harness was expected not to conform, but it does.
    Unexpected,
    /// The case does not apply. Contains the missing claim.
    Skipped(String),
}

/// A case and its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseReport {
    /// Name of the case.
    pub name: String,
    /// Result of the case.
    pub verdict: Verdict,
    /// The conversation of the last attempt, line by line.
    pub trace: Vec<String>,
}

impl CaseReport {
    /// Returns true if the harness fails the case unexpectedly, or passes it although it is listed as
    /// failing.
    pub fn is_failure(&self) -> bool {
        matches!(self.verdict, Verdict::Failed(_) | Verdict::Unexpected)
    }
}

/// Returns all cases in the order in which they run, vectors first.
pub fn cases() -> Vec<Case> {
    let vectors = vector::ALL.iter().map(|(name, text)| {
        // The vectors are part of the binary, and a test of the protocol crate parses all of them.
        let vector = Vector::parse(name, text).unwrap_or_else(|error| unreachable!("{error}"));
        let (name, title, needs) = (vector.name.clone(), vector.title.clone(), vector.needs.clone());
        Case { name, title, needs, play: Play::Vector(vector) }
    });
    let behaviours =
        [claims::CASES, names::CASES, errors::CASES, streams::CASES, timing::CASES, outside::CASES];
    let behaviours = behaviours.into_iter().flatten().map(|behaviour| Case {
        name: behaviour.name.to_owned(),
        title: behaviour.title.to_owned(),
        needs: behaviour.needs.iter().map(|need| (*need).to_owned()).collect(),
        play: Play::Behaviour(*behaviour),
    });
    vectors.chain(behaviours).collect()
}

/// Returns the cases that `patterns` select.
pub fn selected(patterns: &[String]) -> Vec<Case> {
    let hit = |name: &str, pattern: &String| match glob::is_glob(pattern) {
        true => glob::matches(pattern, name),
        false => name.contains(pattern.as_str()),
    };
    let mut cases = cases();
    cases.retain(|case| patterns.is_empty() || patterns.iter().any(|pattern| hit(&case.name, pattern)));
    cases
}

/// Returns the claims of a harness. Starts it once to read its hello and its cases.
pub fn claims(job: &Conform<'_>) -> Claims {
    let lab =
        Lab { job, claims: Claims::default(), spoken: Spoken::default(), patience: Cell::new(job.timeout) };
    let mut claims = Claims::default();
    if let Ok((mut peer, hello)) = lab.start() {
        claims.hello = Some(hello);
        claims.cases = peer.list(&[], false).unwrap_or_default();
    }
    claims
}

/// Runs the selected cases. Passes each result to `tell` as soon as it is available.
pub fn run(job: &Conform<'_>, tell: &mut dyn FnMut(&CaseReport)) -> Vec<CaseReport> {
    let mut lab =
        Lab { job, claims: claims(job), spoken: Spoken::default(), patience: Cell::new(job.timeout) };
    let mut outcomes = Vec::new();
    for case in selected(job.patterns) {
        // A harness without a hello claims nothing. Its cases must fail instead of being skipped.
        let verdict = match lab.claims.lacks(&case) {
            Some(need) if lab.claims.hello.is_some() => Verdict::Skipped(need.to_owned()),
            _ => lab.judge(&case),
        };
        if job.stop.load(Ordering::Relaxed) {
            break;
        }
        let trace = lab.spoken.lines.take();
        let outcome = CaseReport { name: case.name, verdict, trace };
        tell(&outcome);
        outcomes.push(outcome);
        lab.spoken = Spoken { lines: RefCell::default() };
    }
    outcomes
}

impl Lab<'_> {
    fn judge(&self, case: &Case) -> Verdict {
        let is_known = self.job.known.contains(&case.name);
        match (self.play(case), is_known) {
            (Ok(()), false) => Verdict::Passed,
            (Ok(()), true) => Verdict::Unexpected,
            (Err(why), false) => Verdict::Failed(why),
            (Err(why), true) => Verdict::Known(why),
        }
    }

    fn play(&self, case: &Case) -> Checked {
        let tries = match &case.play {
            Play::Behaviour(behaviour) => behaviour.tries,
            Play::Vector(vector) if PUNCTUAL.contains(&vector.name.as_str()) => 10,
            Play::Vector(_) => 1,
        };
        let mut last = Ok(());
        for _ in 0..tries {
            self.spoken.lines.borrow_mut().clear();
            last = match &case.play {
                Play::Vector(vector) => vectors::play(self, vector),
                Play::Behaviour(behaviour) => (behaviour.act)(self),
            };
            if last.is_ok() || self.job.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        last
    }
}
