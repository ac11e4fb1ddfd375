//! The environment of a case: the program under test, its claims, and its processes.

use super::job::{Checked, Conform};
use super::peer::{Peer, Spoken};
use derny_protocol::vector::Vector;
use derny_protocol::{Case as Listed, Hello};
use std::cell::Cell;
use std::time::Duration;

/// A requirement that a harness must meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Name of the vector or of the behaviour.
    pub name: String,
    /// Description of the case, in one sentence.
    pub title: String,
    /// Claims that the case requires: words of `can`, `mode:NAME`, or `case:BENCHMARK`. `linux` is not a
    /// claim: only Linux shows what the case observes. If a requirement is not met, the case is skipped.
    pub needs: Vec<String>,
    pub(super) play: Play,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Play {
    Vector(Vector),
    Behaviour(Behaviour),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Behaviour {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) needs: &'static [&'static str],
    /// Maximum number of attempts. On a noisy machine, a check of time or memory may fail at first.
    pub(super) tries: u32,
    pub(super) act: fn(&Lab<'_>) -> Checked,
}

impl PartialEq for Behaviour {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Behaviour {}

/// The capabilities and cases that a harness claims. Empty if it did not answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Claims {
    pub(super) hello: Option<Hello>,
    pub(super) cases: Vec<Listed>,
}

impl Claims {
    /// Returns the first requirement of a case that is not met.
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

/// The program under test, with its claims, and the conversations of a case's processes.
pub(super) struct Lab<'a> {
    pub(super) job: &'a Conform<'a>,
    pub(super) claims: Claims,
    pub(super) spoken: Spoken,
    pub(super) patience: Cell<Duration>,
}

impl Lab<'_> {
    /// Starts a process, reads its hello, and registers the cases that another process listed.
    pub(super) fn start(&self) -> Checked<(Peer<'_>, Hello)> {
        let mut peer = self.launch()?;
        let hello = peer.hello()?;
        self.claims.cases.iter().for_each(|case| peer.learn(case));
        Ok((peer, hello))
    }

    /// Starts a process and opens a case in it.
    pub(super) fn open(&self, benchmark: &str, params: &[(&str, &str)]) -> Checked<(Peer<'_>, Hello)> {
        let (mut peer, hello) = self.start()?;
        peer.open(benchmark, params)?;
        Ok((peer, hello))
    }

    pub(super) fn launch(&self) -> Checked<Peer<'_>> {
        Peer::launch(self.job, &self.spoken, &self.patience)
    }

    pub(super) fn has_case(&self, benchmark: &str) -> bool {
        self.claims.cases.iter().any(|case| case.benchmark == benchmark)
    }
}
