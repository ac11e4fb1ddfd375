//! Sessions: a base, the best candidate so far, and all candidates that were tested.
//!
//! A session is a text in the store. Its error rate is controlled over all candidates: of those that it
//! keeps, at most the share [`RATE`] is expected to be wrong, however many are tested.

use crate::sides::Side;
use derny_model::{Decision, RunId, SessionState, problem};
use derny_stats::online;
use derny_store::Store;
use derny_workbench::Result;
use derny_workbench::project::git;
use derny_workbench::project::session::Session as Workbench;
use serde::{Deserialize, Serialize};

/// Version of the text in the store.
const FORMAT: u32 = 1;
/// Largest expected share of wrong decisions among all decisions to keep.
pub(crate) const RATE: f64 = 0.05;
/// Level of a test without a session.
pub(crate) const SINGLE: f64 = 0.025;
/// Key of the list of sessions in the store.
const NAMES: &str = "judge-sessions";

/// A candidate that was tested.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tested {
    /// The run with the measurements.
    pub run: RunId,
    /// The candidate, frozen.
    pub side: Side,
    /// Level of the test.
    pub level: f64,
    /// The decision.
    pub verdict: Decision,
    /// Lower bound of the speed-up against the base.
    pub score: f64,
    /// Start of the test, milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// True if the candidate became the best one.
    #[serde(default)]
    pub promoted: bool,
}

/// A session, as stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Version of this format.
    pub format: u32,
    /// Name of the session.
    pub name: String,
    /// Identity of the repository: its first commit, or the project's folder outside git.
    pub repository: String,
    /// The base.
    pub base: Side,
    /// The best candidate, which is the base at first.
    pub best: Side,
    /// The tested candidates, oldest first.
    pub tested: Vec<Tested>,
}

impl Session {
    /// Returns a new session. It is not stored yet.
    pub(crate) fn new(workbench: &Workbench, name: &str, base: Side) -> Session {
        let repository = repository(workbench);
        Session {
            format: FORMAT,
            name: name.to_owned(),
            repository,
            best: base.clone(),
            base,
            tested: Vec::new(),
        }
    }

    /// Reads the session with this name.
    ///
    /// # Errors
    /// Fails if the name is invalid, if the session belongs to another repository, or if a newer version of
    /// Derny wrote it.
    pub fn find(workbench: &Workbench, store: &Store, name: &str) -> Result<Option<Session>> {
        Store::check_baseline_name(name)?;
        let Some(text) = store.text(&key(name))? else { return Ok(None) };
        read(&text, name, &repository(workbench)).map(Some)
    }

    /// Reads the session with this name.
    ///
    /// # Errors
    /// Fails like [`Session::find`], or if there is no such session.
    pub fn named(workbench: &Workbench, store: &Store, name: &str) -> Result<Session> {
        let known = names(store)?;
        let missing = || {
            problem!("there is no session `{name}`")
                .known(known.join(", "))
                .remedy(format_args!("`derny judge --session {name}` starts it"))
        };
        Ok(Session::find(workbench, store, name)?.ok_or_else(missing)?)
    }

    /// Returns the level of the next test.
    pub fn level(&self) -> f64 {
        online::level(RATE, self.tested.len() + 1, &self.kept())
    }

    /// Returns the numbers of the tests whose decision was to keep the candidate. The first test has the
    /// number 1.
    fn kept(&self) -> Vec<usize> {
        let is_kept = |(_, tested): &(usize, &Tested)| tested.verdict == Decision::Keep;
        (1..).zip(&self.tested).filter(is_kept).map(|(number, _)| number).collect()
    }

    /// Returns the summary of the session for answers.
    pub fn state(&self) -> SessionState {
        let kept = self.kept().len() as u32;
        SessionState {
            name: self.name.clone(),
            base: self.base.label.clone(),
            best: self.best.label.clone(),
            candidates: self.tested.len() as u32,
            kept,
            expected_false: RATE * f64::from(kept),
            level: self.tested.last().map_or(self.level(), |tested| tested.level),
        }
    }

    /// Stores the session. `change` modifies the state that is stored, which another process may have changed
    /// since it was read. Returns the new state.
    ///
    /// # Errors
    /// Fails if the store cannot be written.
    pub(crate) fn store(self, store: &Store, change: impl Fn(&mut Session)) -> Result<Session> {
        let name = self.name.clone();
        store.change_text(&key(&name), |text| {
            let stored = text.and_then(|text| serde_json::from_str::<Session>(text).ok());
            let mut session = stored.unwrap_or_else(|| self.clone());
            change(&mut session);
            serde_json::to_string(&session).expect("a session has only text keys")
        })?;
        store.change_text(NAMES, |text| {
            let mut all: Vec<&str> =
                text.unwrap_or_default().lines().filter(|line| !line.is_empty()).collect();
            if !all.contains(&&*name) {
                all.push(&name);
            }
            all.join("\n")
        })?;
        let text = store.text(&key(&name))?.unwrap_or_default();
        read(&text, &name, &self.repository)
    }
}

/// Returns the names of all sessions in a store.
///
/// # Errors
/// Fails if the store cannot be read.
pub fn names(store: &Store) -> Result<Vec<String>> {
    Ok(store.text(NAMES)?.unwrap_or_default().lines().map(String::from).collect())
}

fn key(name: &str) -> String {
    format!("judge-session:{name}")
}

fn read(text: &str, name: &str, repository: &str) -> Result<Session> {
    #[derive(Deserialize)]
    struct Format {
        format: u32,
    }
    let damaged = |why: serde_json::Error| {
        problem!("session `{name}` cannot be read").why(why).remedy("use another name for the session")
    };
    let Format { format } = serde_json::from_str(text).map_err(damaged)?;
    if format > FORMAT {
        return Err(problem!("a newer derny wrote session `{name}`")
            .why(format_args!("it has format {format}, and this version reads formats up to {FORMAT}"))
            .remedy("use that version, or another name for the session")
            .into());
    }
    let session: Session = serde_json::from_str(text).map_err(damaged)?;
    if session.repository != repository {
        return Err(problem!("session `{name}` belongs to another repository")
            .why(format_args!("it was started in {}, and this is {repository}", session.repository))
            .remedy("use another name for the session")
            .into());
    }
    Ok(session)
}

fn repository(workbench: &Workbench) -> String {
    let root = &workbench.project.root;
    let first = git::git(root, &["rev-list", "--max-parents=0", "HEAD"]).ok();
    let first = first.and_then(|text| text.lines().last().map(String::from));
    first.unwrap_or_else(|| root.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(label: &str) -> Side {
        Side { label: label.to_owned(), text: format!("{label}@{label}"), commit: None, tree: None }
    }

    fn session(verdicts: &[Decision]) -> Session {
        let tested = |verdict: &Decision| Tested {
            run: "r".into(),
            side: side("c"),
            level: 0.001,
            verdict: *verdict,
            score: 1.0,
            at_ms: 0,
            promoted: false,
        };
        Session {
            format: FORMAT,
            name: "s".into(),
            repository: "r".into(),
            base: side("b"),
            best: side("b"),
            tested: verdicts.iter().map(tested).collect(),
        }
    }

    #[test]
    fn each_candidate_costs_and_each_kept_one_earns() {
        let none = session(&[]).level();
        let ten = session(&[Decision::Neutral; 10]).level();
        let mut verdicts = [Decision::Neutral; 10];
        verdicts[9] = Decision::Keep;
        let earned = session(&verdicts).level();
        assert!(ten < none && earned > ten, "{none} {ten} {earned}");
        let state = session(&verdicts).state();
        assert_eq!((state.candidates, state.kept), (10, 1));
        assert!((state.expected_false - 0.05).abs() < 1e-12);
    }

    #[test]
    fn sessions_of_others_are_refused() {
        let own = session(&[]);
        let text = serde_json::to_string(&own).unwrap();
        assert_eq!(read(&text, "s", "r").unwrap(), own);
        let message = |text: &str, repository: &str| read(text, "s", repository).unwrap_err().to_string();
        assert!(message(&text, "x").contains("another repository"));
        assert!(message(&text.replace("\"format\":1", "\"format\":9"), "r").contains("newer derny"));
        assert!(message("{", "r").contains("cannot be read"));
    }
}
