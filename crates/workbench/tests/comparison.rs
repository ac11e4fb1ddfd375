//! Runs a complete comparison through the workbench, without the command line: two variants of the scripted
//! harness.

#![cfg(unix)]

use crate::project::{Project, concluded};
use derny_model::{CaseOutcome, Event, Verdict};
use derny_workbench::config::gate::FailOn;
use derny_workbench::config::options::{Selection, Stated};
use derny_workbench::pipeline::{News, RunOptions};
use derny_workbench::{Error, Notice, Outcome};
use std::io;
use std::sync::atomic::Ordering;

/// Returns options for two variants, of which the second takes 60 % longer.
fn options(pattern: &str) -> RunOptions {
    let harness = derny_testkit::program::fake_harness().to_str().unwrap();
    let values = [("budget", "20s"), ("processes", "8"), ("rounds", "4"), ("warmup", "0"), ("wave", "4")];
    RunOptions {
        select: Selection {
            patterns: vec![pattern.into()],
            command: vec![harness.into()],
            ..Selection::default()
        },
        stated: Stated { values: values.map(|(key, value)| (key, value.into())).into(), ..Stated::default() },
        variants: vec![format!("old={harness}"), format!("new={harness} --offset=60")],
        fail_on: vec![FailOn::Worse],
        ..RunOptions::default()
    }
}

#[test]
fn two_variants_are_planned_measured_and_judged() {
    let project = Project::new();
    let mut heard: Vec<String> = Vec::new();
    let ended = project.run(&options("steady"), &mut |news| {
        heard.push(match news {
            News::Planned(planned) => {
                assert_eq!(planned.catalogue.cases.len(), 1);
                assert_eq!(planned.header.variants.len(), 2);
                "planned".into()
            }
            News::Event(Event::RunStarted { .. }) => "started".into(),
            News::Event(Event::RunEnded { .. }) => "ended".into(),
            News::Event(_) => return Ok(()),
            News::Notice(notice) => notice.to_string(),
            News::Diagnosed(_) => "diagnosed".into(),
        });
        Ok(())
    });
    let concluded = concluded(ended.unwrap());
    assert_eq!(heard, ["1 of 5 cases", "planned", "started", "ended"]);
    assert_eq!(concluded.outcome, Outcome::Worse);
    assert_eq!(concluded.notices, []);
    let comparison = concluded.document.comparison.as_deref().unwrap();
    assert_eq!(comparison.sides.iter().map(|side| side.name.as_str()).collect::<Vec<_>>(), ["old", "new"]);
    let side = &comparison.cases[0].sides[0];
    assert_eq!(side.verdict, Verdict::Worse);
    let change = side.changes[0].change.unwrap().value;
    assert!((0.4..0.8).contains(&change), "{change}");
    assert!(comparison.outcomes().any(|outcome| outcome == CaseOutcome::Worse));
    // The stored records are those that the results were computed from.
    let stored = project.store.load("last").unwrap();
    assert_eq!(stored.header.id, concluded.document.run.id);
    assert_eq!(stored.header.args, ["a test"]);
    assert_eq!(stored.visits.len(), concluded.records.visits.len());
}

#[test]
fn what_matches_nothing_ends_early_and_says_why() {
    let project = Project::new();
    let mut notices = Vec::new();
    let ended = project.run(&options("no-such-case"), &mut |news| {
        if let News::Notice(notice) = news {
            notices.push(notice);
        }
        Ok(())
    });
    assert!(matches!(ended.unwrap(), Err(Outcome::Nothing)));
    let [Notice::Nothing(why)] = notices.as_slice() else { panic!("{notices:?}") };
    assert!(why.what.starts_with("no case matches `no-such-case`"), "{why}");
    assert!(project.store.runs(1).unwrap().is_empty());
}

#[test]
fn a_wish_to_stop_leaves_what_was_measured() {
    let project = Project::new();
    let ended = project.run(&options("steady"), &mut |news| {
        if let News::Event(Event::VisitEnded { .. }) = news {
            project.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    });
    let concluded = concluded(ended.unwrap());
    assert_eq!(concluded.outcome, Outcome::Interrupted);
    assert!(!concluded.records.visits.is_empty());
}

#[test]
fn a_listener_that_fails_stops_the_run_with_its_error() {
    let project = Project::new();
    let ended = project.run(&options("steady"), &mut |news| match news {
        News::Event(Event::Turn(_)) => Err(io::ErrorKind::BrokenPipe.into()),
        _ => Ok(()),
    });
    let error: Error = ended.unwrap_err();
    assert_eq!(error.io().map(io::Error::kind), Some(io::ErrorKind::BrokenPipe));
    assert!(!project.store.load("last").unwrap().visits.is_empty(), "what came before is kept");
}

#[test]
fn options_that_cannot_be_used_are_refused_with_a_remedy() {
    let project = Project::new();
    let mut alone = options("steady");
    alone.variants.truncate(1);
    let error = project.run(&alone, &mut |_| Ok(())).unwrap_err().to_string();
    assert!(error.starts_with("there is nothing to judge") && error.contains("\n  try    "), "{error}");
    let margin = RunOptions { margin: Some("2".into()), ..options("steady") };
    let error = project.run(&margin, &mut |_| Ok(())).unwrap_err().to_string();
    assert!(error.starts_with("a margin must lie between 0 and 100 %"), "{error}");
}
