//! Whether a harness keeps to the protocol: every vector of `protocol/vectors/` and the behavioural cases, each in a
//! process of its own.
//!
//! Knows harnesses from outside only: their lines, their end, and what the system tells of their process. Must not know
//! any language, and must not judge by what it measures itself (plans, calibration and statistics are not used here).

mod claims;
mod errors;
mod names;
mod outside;
mod peer;
mod streams;
mod timing;
mod vectors;

use crate::discover::glob;
use crate::launch::reaper::Reaper;
use derny_protocol::vector::{self, Vector};
use derny_protocol::{Case as Listed, Hello};
use peer::{Peer, Spoken};
use std::cell::{Cell, RefCell};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// One thing that a harness must do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Its name: that of the vector, or of the behaviour.
    pub name: String,
    /// What it shows, in one sentence.
    pub title: String,
    /// What the harness must claim for the case to apply: words of `can`, `mode:NAME`, `case:BENCHMARK`; `linux` for what
    /// only that system lets see.
    pub needs: Vec<String>,
    play: Play,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Play {
    Vector(Vector),
    Behaviour(Behaviour),
}

/// A sentence that says what went wrong is the error.
type Checked<T = ()> = Result<T, String>;

#[derive(Debug, Clone, Copy)]
struct Behaviour {
    name: &'static str,
    title: &'static str,
    needs: &'static [&'static str],
    /// Machines are noisy: what depends on time or memory may succeed at a later try.
    tries: u32,
    act: fn(&Lab<'_>) -> Checked,
}

impl PartialEq for Behaviour {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Behaviour {}

/// Vectors whose outcome depends on the machine being punctual.
const PUNCTUAL: [&str; 1] = ["measure-within"];

/// What to test and how.
#[derive(Debug, Clone, Copy)]
pub struct Conform<'a> {
    /// The launch line of a conformance program.
    pub command: &'a [String],
    /// Its working directory.
    pub directory: &'a Path,
    /// Globs or parts of names; none means all cases.
    pub patterns: &'a [String],
    /// Names of cases that are known to fail.
    pub known: &'a [String],
    /// Longest wait for one answer. After the first wait in vain, a fifth of it.
    pub timeout: Duration,
    /// The watcher.
    pub reaper: Option<&'a Reaper>,
    /// The user's wish to stop.
    pub stop: &'a AtomicBool,
    /// Write every line to standard error as it comes.
    pub trace: bool,
}

/// What became of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The harness does it.
    Passed,
    /// It does not, for this reason.
    Failed(String),
    /// It does not, as was known.
    Known(String),
    /// It was known to fail and does not any more.
    Unexpected,
    /// It does not apply: the harness does not claim this.
    Skipped(String),
}

/// A case and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Name of the case.
    pub name: String,
    /// What became of it.
    pub verdict: Verdict,
    /// The conversation, line by line, of the last try.
    pub trace: Vec<String>,
}

impl Outcome {
    /// Whether the harness is at fault, or the list of known failures.
    pub fn is_failure(&self) -> bool {
        matches!(self.verdict, Verdict::Failed(_) | Verdict::Unexpected)
    }
}

/// Every case, vectors first, in the order in which they are played.
pub fn cases() -> Vec<Case> {
    let vectors = vector::ALL.iter().map(|(name, text)| {
        // The vectors are part of this program, and a test of the protocol reads each.
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

/// The cases that `patterns` select.
pub fn selected(patterns: &[String]) -> Vec<Case> {
    let hit = |name: &str, pattern: &String| match glob::is_glob(pattern) {
        true => glob::matches(pattern, name),
        false => name.contains(pattern.as_str()),
    };
    let mut cases = cases();
    cases.retain(|case| patterns.is_empty() || patterns.iter().any(|pattern| hit(&case.name, pattern)));
    cases
}

/// What a harness says of itself; nothing where it says nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Claims {
    hello: Option<Hello>,
    cases: Vec<Listed>,
}

impl Claims {
    /// The first need that is not claimed.
    pub fn lacks<'c>(&self, case: &'c Case) -> Option<&'c str> {
        case.needs.iter().map(String::as_str).find(|need| !self.has(need))
    }

    fn has(&self, need: &str) -> bool {
        let hello = |claims: fn(&Hello) -> &Vec<String>, word: &str| {
            self.hello.as_ref().is_some_and(|hello| claims(hello).iter().any(|claim| claim == word))
        };
        match need.split_once(':') {
            Some(("mode", name)) => hello(|hello| &hello.modes, name),
            Some(("case", name)) => self.cases.iter().any(|case| case.benchmark == name),
            _ if need == "linux" => cfg!(target_os = "linux"),
            _ => hello(|hello| &hello.can, need),
        }
    }
}

/// Asks the harness once who it is and which cases it has.
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

/// Plays the selected cases and tells each outcome as it is known.
pub fn run(job: &Conform<'_>, tell: &mut dyn FnMut(&Outcome)) -> Vec<Outcome> {
    let mut lab =
        Lab { job, claims: claims(job), spoken: Spoken::default(), patience: Cell::new(job.timeout) };
    let mut outcomes = Vec::new();
    for case in selected(job.patterns) {
        // A harness that does not even introduce itself claims nothing, and must not pass by that.
        let verdict = match lab.claims.lacks(&case) {
            Some(need) if lab.claims.hello.is_some() => Verdict::Skipped(need.to_owned()),
            _ => lab.judge(&case),
        };
        if job.stop.load(Ordering::Relaxed) {
            break;
        }
        let trace = lab.spoken.lines.take();
        let outcome = Outcome { name: case.name, verdict, trace };
        tell(&outcome);
        outcomes.push(outcome);
        lab.spoken = Spoken { lines: RefCell::default() };
    }
    outcomes
}

/// What a case needs at hand.
struct Lab<'a> {
    job: &'a Conform<'a>,
    claims: Claims,
    spoken: Spoken,
    patience: Cell<Duration>,
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

    /// A process that has said its first line, and knows the cases that another one listed.
    fn start(&self) -> Checked<(Peer<'_>, Hello)> {
        let mut peer = self.launch()?;
        let hello = peer.hello()?;
        self.claims.cases.iter().for_each(|case| peer.learn(case));
        Ok((peer, hello))
    }

    /// A process that has a case open.
    fn open(&self, benchmark: &str, params: &[(&str, &str)]) -> Checked<(Peer<'_>, Hello)> {
        let (mut peer, hello) = self.start()?;
        peer.open(benchmark, params)?;
        Ok((peer, hello))
    }

    fn launch(&self) -> Checked<Peer<'_>> {
        Peer::launch(self.job, &self.spoken, &self.patience)
    }

    fn has_case(&self, benchmark: &str) -> bool {
        self.claims.cases.iter().any(|case| case.benchmark == benchmark)
    }
}
