//! Measures the changes that accumulated since a release or an age: `derny history creep`.
//!
//! Changes that are too small for a comparison of two neighbouring commits add up. A comparison with an old
//! commit shows their sum.

use crate::bisect::found::{change_of, share};
use crate::changes::StoredChange;
use crate::pair::{Measure, Measured, Request};
use crate::points::{self, STATED, runtime, tool};
use crate::since::age;
use derny_model::words::counted;
use derny_model::{
    ChangeState, Commit, Document, Estimate, HistoryEntry, HistorySeries, HistoryValue, Quantity, Verdict,
    problem,
};
use derny_workbench::Result;
use derny_workbench::config::gate::FailOn;
use derny_workbench::project::git::{git, is_shallow, resolve};
use derny_workbench::variants::parse::revision_side;
use std::collections::HashSet;
use std::path::Path;

const DAY_MS: i64 = 86_400_000;
/// Age of the commit to compare with, if none is given.
const WEEK: &str = "1w";

/// A commit to compare with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    /// Releases and ages that this commit stands for.
    pub against: Vec<String>,
    /// Full hash.
    pub hash: String,
    /// Hashes of the commits after it, up to the head.
    pub after: HashSet<String>,
}

/// The commits to compare.
#[derive(Debug)]
pub struct Bases {
    /// The commit to measure.
    pub head: Commit,
    /// The commits to compare it with.
    pub all: Vec<Base>,
    /// Reasons why default bases are missing, as clauses.
    pub absent: Vec<String>,
}

/// Returns the name of a release or an age: `1 week` for `7d`, and any other text as it is.
pub fn name(text: &str) -> String {
    match age(text) {
        Some(days) if days > 0 && days % 7 == 0 => counted((days / 7) as usize, "week", "weeks"),
        Some(days) => counted(days as usize, "day", "days"),
        None => text.to_owned(),
    }
}

impl Bases {
    /// Finds the head and the commits to compare it with. `against` contains tags, commits and ages. If it is
    /// empty, these are the last tag and the commit of a week ago.
    ///
    /// # Errors
    ///
    /// Fails if a revision is unknown, or if there is no commit to compare with.
    pub fn find(root: &Path, head: Option<&str>, against: &[String], now_ms: i64) -> Result<Bases> {
        let name_of_head = head.unwrap_or("HEAD");
        let hash = resolve(root, name_of_head)?;
        let mut own =
            Bases { head: Commit { hash, branch: None, dirty: false }, all: Vec::new(), absent: Vec::new() };
        if !against.is_empty() {
            for text in against {
                let hash = match age(text) {
                    Some(days) => own.older(root, days, now_ms).ok_or_else(|| {
                        let what = problem!("`{name_of_head}` has no ancestor that is {} old", name(text));
                        remedied(what, root)
                    })?,
                    None => resolve(root, text)?,
                };
                own.add(root, name(text), hash);
            }
            return Ok(own);
        }
        let tag = git(root, &["describe", "--tags", "--abbrev=0", &own.head.hash]).ok();
        match tag.as_ref().and_then(|tag| Some((tag, resolve(root, tag).ok()?))) {
            Some((tag, hash)) => own.add(root, tag.clone(), hash),
            None => own.absent.push(format!("`{name_of_head}` has no tag before it")),
        }
        match own.older(root, 7, now_ms) {
            Some(hash) => own.add(root, name(WEEK), hash),
            None => own.absent.push(format!("`{name_of_head}` has no ancestor that is a week old")),
        }
        if own.all.is_empty() {
            let what = problem!("there is no commit to compare with").why(own.absent.join(", and "));
            return Err(remedied(what, root).into());
        }
        Ok(own)
    }

    /// Returns the newest commit of at least this age among the first parents of the head.
    fn older(&self, root: &Path, days: i64, now_ms: i64) -> Option<String> {
        let latest = format!("--min-age={}", (now_ms - days * DAY_MS) / 1000);
        let found = git(root, &["rev-list", "--first-parent", "-1", &latest, &self.head.hash]).ok()?;
        Some(found).filter(|hash| !hash.is_empty())
    }

    fn add(&mut self, root: &Path, against: String, hash: String) {
        if let Some(known) = self.all.iter_mut().find(|base| base.hash == hash) {
            known.against.push(against);
            return;
        }
        let between = git(root, &["rev-list", &format!("{hash}..{}", self.head.hash)]).unwrap_or_default();
        let after = between.lines().map(str::to_owned).collect();
        self.all.push(Base { against: vec![against], hash, after });
    }
}

fn remedied(what: derny_model::Problem, root: &Path) -> derny_model::Problem {
    match is_shallow(root) {
        Some(true) => {
            what.remedy("run `git fetch --unshallow --tags`: this clone has only the newest commits")
        }
        _ => what.remedy("use --against with a tag, a commit, or an age such as 2d"),
    }
}

/// The terms of a comparison.
#[derive(Debug, Clone)]
pub struct CreepTerms {
    /// Smallest change that matters, as a share.
    pub margin: f64,
    /// Verdicts that fail the command.
    pub fail_on: Vec<FailOn>,
}

/// Lets the caller measure the head against a base.
///
/// # Errors
///
/// Fails if the caller cannot measure.
pub fn compared(
    base: &Base,
    head: &Commit,
    terms: &CreepTerms,
    measure: &mut Measure<'_>,
) -> Result<Measured> {
    let name = base.against.join(" and ");
    measure(&mut Request {
        sides: [revision_side(&name.replace(' ', "-"), &base.hash), format!("head@{}", head.hash)],
        patterns: None,
        confidence: None,
        margin: terms.margin,
        fail_on: terms.fail_on.clone(),
        effort: 1,
        note: format!("derny history creep: against {name}"),
        before: &mut |_| Ok(()),
    })
}

/// Returns the changes of the last side as an entry of the history.
pub fn entry(document: &Document, base: &Base, head: &Commit) -> points::Measured {
    let run = &document.run;
    let mut points = Vec::new();
    for case in document.comparison.iter().flat_map(|comparison| &comparison.cases) {
        for change in case.sides.first().into_iter().flat_map(|side| &side.changes) {
            let figure = match &change.quantity {
                Quantity::Typical => "time",
                Quantity::Mean => "mean",
                Quantity::Metric(name) => name,
            };
            let share = share(change).filter(|_| change.base != 0.0 && !figure.starts_with(STATED));
            for (share, against) in
                share.into_iter().flat_map(|share| base.against.iter().map(move |own| (share, own)))
            {
                let series = HistorySeries {
                    case: case.case.id.clone(),
                    figure: figure.to_owned(),
                    unit: "share".to_owned(),
                    better: change.direction,
                    host: run.machine.host.clone(),
                    cpu: run.machine.cpu.clone(),
                    runtime: runtime(run, &case.case),
                    tool: tool(run),
                    apart: None,
                    against: Some(against.clone()),
                };
                points.push((series, HistoryValue { value: share.value, interval: share.interval }));
            }
        }
    }
    let entry = HistoryEntry {
        key: format!("{}::creep", run.id),
        run: Some(run.id.clone()),
        file: None,
        measured_ms: run.started_ms,
        commit: Some(head.clone()),
        machine_ns: None,
    };
    points::Measured { entry, points }
}

/// A case that is worse by more than the margin.
#[derive(Debug, Clone, PartialEq)]
pub struct Accumulated {
    /// Name of the case.
    pub case: String,
    /// Change since the base.
    pub change: Estimate,
    /// Part of the change that no confirmed or accepted change explains, as a share.
    pub rest: f64,
}

/// Returns the cases that are worse than at the base. `known` are the stored changes of all histories.
pub fn accumulated(document: &Document, base: &Base, known: &[StoredChange]) -> Vec<Accumulated> {
    let cases = document.comparison.iter().flat_map(|comparison| &comparison.cases);
    let worse =
        |case| change_of(case, None).filter(|change| change.verdict == Verdict::Worse).and_then(share);
    cases
        .filter_map(|case| {
            let change = worse(case)?;
            let explained = explained(known.iter().filter(|own| own.case == case.case.id), &base.after);
            let rest = (1.0 + change.value) / (1.0 + explained) - 1.0;
            Some(Accumulated { case: case.case.id.to_string(), change, rest })
        })
        .collect()
}

/// Returns the product of the confirmed and accepted changes of time at these commits, as a share. Several
/// machines may have the same change.
fn explained<'a>(known: impl Iterator<Item = &'a StoredChange>, commits: &HashSet<String>) -> f64 {
    let mut seen = HashSet::new();
    let is_known = |own: &&StoredChange| {
        own.figure == "time"
            && matches!(own.change.state, ChangeState::Confirmed | ChangeState::Accepted)
            && commits.contains(&own.change.to)
            && seen.insert(own.change.to.clone())
    };
    known.filter(is_known).map(|own| 1.0 + own.change.change).product::<f64>() - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_model::{CaseId, HistoryChange};
    use derny_workbench::project::git::git_with;

    #[test]
    fn ages_have_names() {
        assert_eq!(
            ["7d", "1w", "6w", "30d", "1d", "v1.0"].map(name),
            ["1 week", "1 week", "6 weeks", "30 days", "1 day", "v1.0"]
        );
    }

    /// Creates a commit that is dated `day` days after 2020-01-01.
    fn commit(root: &Path, day: i64) -> String {
        let date = format!("{} +0000", 1_577_836_800 + day * 86_400);
        let own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
        let made = ["commit", "-q", "--allow-empty", "-m", "x"];
        git_with(root, &[&own[..], &made].concat(), &[("GIT_COMMITTER_DATE", date.as_ref())]).unwrap();
        git(root, &["rev-parse", "HEAD"]).unwrap()
    }

    fn found(root: &Path, against: &[&str], day: i64) -> Result<Vec<(String, String)>> {
        let against: Vec<String> = against.iter().map(|&text| text.to_owned()).collect();
        let bases = Bases::find(root, None, &against, 1_577_836_800_000 + day * DAY_MS)?;
        Ok(bases.all.into_iter().map(|base| (base.against.join("+"), base.hash)).collect())
    }

    #[test]
    fn bases_are_the_last_tag_and_the_commit_of_a_week_ago() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        git(root, &["init", "-q", "-b", "main"]).unwrap();
        let all: Vec<String> = [0, 1, 2, 9].map(|day| commit(root, day)).into();
        let none = found(root, &[], 3).unwrap_err().to_string();
        assert!(none.contains("no tag") && none.contains("week old") && none.contains("--against"), "{none}");
        let week = |at: usize| ("1 week".to_owned(), all[at].clone());
        assert_eq!(found(root, &[], 9).unwrap(), [week(2)], "exactly a week");
        assert_eq!(found(root, &[], 8).unwrap(), [week(1)]);
        git(root, &["tag", "v1", &all[1]]).unwrap();
        assert_eq!(found(root, &[], 9).unwrap(), [("v1".to_owned(), all[1].clone()), week(2)]);
        assert_eq!(found(root, &[], 8).unwrap(), [("v1+1 week".to_owned(), all[1].clone())]);
        assert_eq!(found(root, &["2d", "v1"], 10).unwrap()[0], ("2 days".to_owned(), all[2].clone()));
        assert!(found(root, &["90d"], 9).unwrap_err().to_string().contains("90 days old"));
        assert!(found(root, &["nowhere"], 9).is_err());
        let bases = Bases::find(root, None, &["v1".to_owned()], 0).unwrap();
        assert_eq!(bases.all[0].after, HashSet::from([all[2].clone(), all[3].clone()]));
    }

    #[test]
    fn known_changes_are_those_after_the_base_and_count_once() {
        let change = |to: &str, change: f64, state: ChangeState, host: &str| StoredChange {
            case: CaseId { suite: "s".into(), benchmark: "a".into(), params: Vec::new() },
            figure: "time".into(),
            host: host.into(),
            change: HistoryChange {
                from: String::new(),
                to: to.into(),
                at_ms: 0,
                state,
                change,
                interval: None,
                run: None,
                is_machine: false,
                note: None,
            },
        };
        use ChangeState::{Accepted, Confirmed, New};
        let known = [
            change("a", 0.1, Confirmed, "h"),
            change("a", 0.12, Confirmed, "other"),
            change("b", 0.2, Accepted, "h"),
            change("c", 0.3, New, "h"),
            change("old", 0.4, Confirmed, "h"),
        ];
        let commits = ["a", "b", "c"].map(str::to_owned).into();
        assert!((explained(known.iter(), &commits) - 0.32).abs() < 1e-12);
        assert_eq!(explained([].iter(), &commits), 0.0);
    }
}
