//! Runs the conformance cases against the scripted harness. A correct harness passes, and each kind of
//! defect makes the case that checks for it fail.

use derny_engine::conform::{self, CaseReport, Conform, Verdict};
use derny_testkit::program::fake_harness;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn conform(command: &[String], patterns: &[&str], known: &[&str]) -> Vec<CaseReport> {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let job = Conform {
        command,
        directory: Path::new("."),
        patterns: &owned(patterns),
        known: &owned(known),
        timeout: Duration::from_secs(2),
        reaper: None,
        stop: &AtomicBool::new(false),
        trace: false,
    };
    conform::run(&job, &mut |_| ())
}

fn fake(args: &[&str]) -> Vec<String> {
    let program = fake_harness().display().to_string();
    [program, "--conform".to_owned()].into_iter().chain(args.iter().map(|arg| (*arg).to_owned())).collect()
}

fn failed(outcomes: &[CaseReport]) -> Vec<(&str, &Verdict)> {
    let failed = outcomes.iter().filter(|outcome| outcome.is_failure());
    failed.map(|outcome| (outcome.name.as_str(), &outcome.verdict)).collect()
}

#[test]
fn a_harness_that_is_right_passes_every_case() {
    let outcomes = conform(&fake(&["--cpu-process=1.5"]), &[], &[]);
    assert_eq!(failed(&outcomes), []);
    assert_eq!(outcomes.len(), conform::cases().len());
    let skipped: Vec<&str> = outcomes
        .iter()
        .filter(|o| matches!(o.verdict, Verdict::Skipped(_)))
        .map(|o| o.name.as_str())
        .collect();
    assert_eq!(skipped, ["measure-async"], "the scripted harness has everything but asynchronous bodies");
}

/// Arguments of the scripted harness, the case that must fail, and a part of its reason.
const FAULTS: &[(&[&str], &str, &str)] = &[
    (&["--fault=exit-at-hello"], "hello-introduces", "ended (exit 3) before its first line"),
    (&["--fault=cannot-hello"], "hello-introduces", "derny"),
    (&["--fault=future"], "hello-introduces", "protocol 2"),
    (&["--fault=hang@list"], "list-all-cases", "no answer to `list` within"),
    (&["--fault=twice@list"], "list-twice", "came after `quit`"),
    (&["--fault=skip@open"], "open-again", "got `skip"),
    (&["--fault=throw@open"], "open-unlisted", "got `error"),
    (&["--fault=wrong-reply@close"], "open-again", "got `collected"),
    (&["--fault=exit:0@measure"], "measure-one-batch", "ended (exit 0) before its answer to `measure`"),
    (&["--fault=signal:SEGV@measure"], "measure-one-batch", "signal 11"),
    (&["--fault=fatal@measure"], "measure-one-batch", "got `error"),
    (&["--fault=garbage@measure"], "measure-one-batch", "not UTF-8"),
    (&["--fault=half-line@measure"], "measure-one-batch", "no answer to `measure` within"),
    (&["--fault=half-line-exit@measure"], "measure-one-batch", "in the middle of a line"),
    (&["--fault=long-line@measure"], "measure-one-batch", "65536 bytes"),
    (&["--fault=wire-print@measure"], "measure-one-batch", "unknown verb `hello`"),
    (&["--fault=twice@measure"], "measure-one-batch", "expected `closed`"),
    (&["--fault=lie-times"], "measure-many-batches", "expected `times"),
    (&["--fault=lie-counters"], "measure-one-batch", "declared"),
    (&["--fault=lie-ops"], "self-timed", "expected `ops"),
    (&["--fault=fail-on-second-run"], "self-timed", "ended (exit 0)"),
    (&["--fault=lie-calls"], "count-exact", "expected `end"),
    (&["--fault=lie-calls"], "count-one-call", "expected `end"),
    (&["--fault=lie-clock"], "busy-is-told-truly", "at best"),
    (&["--fault=timed-setup"], "setup-is-not-timed", "it includes the set-up"),
    (&["--fault=wire-print@measure"], "print-stays-off-the-wire", "unknown verb `hello`"),
    (&["--fault=fatal@measure"], "exceptions-are-told", "fatal"),
    (&["--fault=leak:100000@measure"], "memory-is-flat", "grew by"),
    (&["--fault=busy-wait"], "waiting-costs-nothing", "processor time"),
    (&["--fault=throw@overhead"], "claims-hold", "claims overhead"),
    (&["--fault=throw@overhead"], "overhead-turn", "got `error"),
    (&["--fault=throw@overhead"], "overhead-self", "got `error"),
    (&["--fault=lie-ops@overhead"], "overhead-self", "expected `ops"),
    (&["--cpu-process=0.7"], "counters-are-read", "0.70 times cpu"),
    (&["--cpu-process=0.1"], "counters-are-read", "cpu_process was 0.10 times the duration"),
    (&["--fault=full-overhead"], "overhead-is-empty", "too close to the time of its body"),
    (&["--fault=throw@check"], "check-once", "got `error"),
    (&["--fault=wrong-reply@check"], "check-hash", "got `collected"),
    (&["--fault=throw@collect"], "collect-tells-time", "got `error"),
    (&["--twins=alike"], "names-mean-one-body", "not each with its own `at`"),
    (&["--twins=any"], "names-mean-one-body", "opens without `at`"),
    (&["--twins=one"], "twins-are-apart", "20 and 200 µs, and were reported as 20 and 20 µs"),
    (&["--fault=ignore-quit"], "quit-with-open-case", "did not end within"),
    (&["--fault=exit:1@quit"], "quit-with-open-case", "instead of exit 0"),
    (&["--fault=garbage@quit"], "quit-with-open-case", "not UTF-8"),
];

#[test]
fn every_fault_is_noticed_by_a_case() {
    // Several cases run at a time, because most of them wait.
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((args, case, why)) =
                    FAULTS.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    let outcomes = conform(&fake(args), &[case], &[]);
                    let [outcome] = outcomes.as_slice() else { panic!("{case} selects {}", outcomes.len()) };
                    let Verdict::Failed(text) = &outcome.verdict else {
                        panic!("{args:?}: {case} {:?}", outcome.verdict)
                    };
                    assert!(text.contains(why), "{args:?}: {case}: {text}");
                    assert!(
                        !outcome.trace.is_empty() || *case == "hello-introduces",
                        "{args:?} leaves no trace"
                    );
                }
            });
        }
    });
}

#[test]
fn what_is_not_claimed_is_passed_over() {
    let outcomes = conform(&fake(&["--cases=1"]), &["self-timed", "open-skip", "measure-async"], &[]);
    let needs = |need: &str| Verdict::Skipped(need.to_owned());
    let verdicts: Vec<Verdict> = outcomes.into_iter().map(|outcome| outcome.verdict).collect();
    // `--cases=1` replaces the `fake/…` benchmarks with one copy, but keeps the conformance benchmarks.
    assert_eq!(verdicts, [needs("case:conform/async"), Verdict::Passed, Verdict::Passed]);
}

#[test]
fn a_known_failure_may_fail_and_must_not_pass() {
    let patterns = ["count-one-call", "open-again"];
    let outcomes = conform(&fake(&["--fault=lie-calls"]), &patterns, &["count-one-call"]);
    assert!(matches!(outcomes[0].verdict, Verdict::Known(_)), "{outcomes:?}");
    assert_eq!(failed(&outcomes), []);
    let outcomes = conform(&fake(&[]), &patterns, &["count-one-call"]);
    assert_eq!(failed(&outcomes), [("count-one-call", &Verdict::Unexpected)]);
}

#[test]
fn a_program_that_cannot_be_started_fails_every_case() {
    let outcomes = conform(&["/no/such/program".to_owned()], &["list-*"], &[]);
    assert_eq!(failed(&outcomes).len(), outcomes.len());
    let Verdict::Failed(why) = &outcomes[0].verdict else { panic!("{outcomes:?}") };
    assert!(why.contains("could not be started"), "{why}");
}

#[test]
fn the_guide_names_the_behaviours() {
    let guide = include_str!("../../../protocol/IMPLEMENTING.md");
    for case in conform::selected(&[]) {
        let is_vector = derny_protocol::vector::ALL.iter().any(|(name, _)| *name == case.name);
        assert!(
            is_vector || guide.contains(&format!("`{}`", case.name)),
            "{} is not in the guide",
            case.name
        );
    }
}

/// Returns the names of the cases that pass, and the reports of those that fail.
fn played(args: &[&str], patterns: &[&str]) -> (BTreeSet<String>, Vec<CaseReport>) {
    let (passed, rest): (Vec<CaseReport>, Vec<CaseReport>) = conform(&fake(args), patterns, &[])
        .into_iter()
        .partition(|outcome| outcome.verdict == Verdict::Passed);
    let failed = rest.into_iter().filter(CaseReport::is_failure).collect();
    (passed.into_iter().map(|outcome| outcome.name).collect(), failed)
}

fn why<'o>(failed: &'o [CaseReport], name: &str) -> &'o str {
    match failed.iter().find(|outcome| outcome.name == name).map(|outcome| &outcome.verdict) {
        Some(Verdict::Failed(why)) => why,
        _ => panic!("{name} does not fail"),
    }
}

/// At each step of the guide, a harness passes the cases that the guide names, and fails as the guide
/// describes.
#[test]
fn the_steps_of_the_guide_are_true() {
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
    let first = set(&["hello-introduces", "hello-names-a-process"]);
    let (passed, failed) =
        played(&["--can=", "--fault=hang@list", "--fault=hang@open"], &["hello", "list-", "open-ag"]);
    assert_eq!(passed, first);
    assert!(why(&failed, "list-all-cases").starts_with("no answer to `list`"));
    let (passed, failed) = played(&["--can=", "--verbs=list"], &[]);
    let lists = [
        "list-all-cases",
        "list-given-values",
        "list-prepare",
        "list-test-mode",
        "list-twice",
        "list-keeps-to-the-filter",
    ];
    assert_eq!(passed, &first | &set(&lists));
    assert!(why(&failed, "open-again").contains("got `unsupported verb=open`"));
    let (passed, failed) =
        played(&["--can=", "--verbs=list,open,close"], &["open-", "edge-", "quit-", "list-"]);
    let names: Vec<&str> = failed.iter().map(|outcome| outcome.name.as_str()).collect();
    assert_eq!(names, ["edge-unknown-keys", "list-then-open", "open-unlisted"]);
    assert!(passed.len() > 10);
    assert!(why(&failed, "open-unlisted").contains("got `unsupported verb=measure`"));
    let ends = ["--can=", "--fault=exit:1@measure", "--fault-case=conform/throw"];
    let (_, failed) = played(&ends, &["measure-", "busy-", "count-", "error-in-body", "edge-", "open-"]);
    let names: Vec<&str> = failed.iter().map(|outcome| outcome.name.as_str()).collect();
    assert_eq!(names, ["error-in-body"]);
    assert!(why(&failed, "error-in-body").starts_with("the process ended"));
    let (passed, failed) = played(&["--can="], &[]);
    assert_eq!((passed.contains("error-in-body"), failed), (true, Vec::new()));
}

#[test]
fn the_javascript_harness_passes() {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sdk/javascript/conformance.cjs");
    let is_there = std::process::Command::new("node").arg("--version").output().is_ok();
    if is_there {
        let outcomes = conform(&["node".to_owned(), program.to_owned()], &[], &[]);
        assert_eq!(failed(&outcomes), []);
        assert!(outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Passed).count() > 35);
    }
}
