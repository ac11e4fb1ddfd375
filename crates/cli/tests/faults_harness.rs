//! Tests harnesses that fail in every possible way. Only the case at fault fails, with its code and a
//! message of four parts. The others are measured, and earlier measurements are kept.
#![cfg(target_os = "linux")]

use crate::faults::{Project, SHORT, assert_whole, fates, only_failure};
use derny_model::{FailureCode as Code, RunStatus, StopReason};

const BAD: &str = "fake/copy-002";
const GOOD: [&str; 2] = ["fake/copy-001", "fake/copy-003"];

/// Causes a fault in one of three cases, with isolation by case and by suite. Fails unless only this case
/// fails, with `code`, and has stored turns exactly if `has_turns` is true.
fn strikes(fault: &str, code: Code, has_turns: bool) {
    for isolation in ["--set=isolation=case", "--set=isolation=suite"] {
        let project = Project::new("harness");
        let fault_option = format!("--fault={fault}");
        let harness = ["--cases=3", &fault_option, &format!("--fault-case={BAD}")];
        let ran = project.measure(&[SHORT, &[isolation]].concat(), &harness);
        let context = format!("{fault} {isolation}\n{}", ran.stderr);
        assert_eq!(ran.code, Some(3), "{context}");
        ran.assert_told(code);
        let records = project.records();
        let failure = only_failure(&records);
        assert_eq!(failure.code, code, "{context}");
        assert_eq!(failure.case.map(|case| records.cases[case as usize].id.benchmark.as_str()), Some(BAD));
        assert_eq!(records.header.status, RunStatus::Failed);
        let (failed, ended, visited) = fates(&records);
        assert_eq!(failed, [BAD], "{context}");
        assert_eq!(ended.len(), GOOD.len(), "{context}");
        assert!(GOOD.iter().all(|good| visited.iter().any(|name| name == good)), "{context}");
        let kept = records.visits.iter().filter(|record| Some(record.visit.case) == failure.case);
        let turns: usize = kept.map(|record| record.turns.len()).sum();
        assert_eq!(turns > 0, has_turns, "{turns} turns of the failed case are kept: {context}");
        assert_eq!(project.orphans(), [] as [String; 0], "{context}");
    }
}

#[test]
fn that_end() {
    strikes("exit:7@measure:4", Code::DY303, true);
    strikes("exit:0@measure:4", Code::DY303, true);
    strikes("half-line-exit@measure:4", Code::DY303, true);
    strikes("exit:7@open", Code::DY303, false);
    strikes("exit:7@overhead", Code::DY303, true);
    strikes("exit:7@close", Code::DY303, true);
}

#[test]
fn that_crash() {
    strikes("signal:SEGV@measure:4", Code::DY304, true);
    strikes("signal:KILL@measure:4", Code::DY304, true);
    strikes("signal:ABRT@open", Code::DY304, false);
}

#[test]
fn that_throw() {
    strikes("throw@measure:4", Code::DY307, true);
    strikes("throw@open", Code::DY307, false);
    strikes("throw@overhead", Code::DY307, true);
    strikes("throw@close", Code::DY307, true);
    strikes("fatal@measure:4", Code::DY307, true);
}

#[test]
fn that_hang() {
    strikes("hang@measure:4", Code::DY305, true);
    strikes("half-line@measure:4", Code::DY305, true);
    strikes("hang@open", Code::DY305, false);
}

#[test]
fn that_speak_garbage() {
    strikes("garbage@measure:4", Code::DY306, true);
    strikes("long-line@measure:4", Code::DY306, true);
    strikes("wrong-reply@measure:4", Code::DY306, true);
    strikes("twice@measure:4", Code::DY306, true);
    strikes("wire-print@measure:4", Code::DY306, true);
    strikes("garbage@open", Code::DY306, false);
}

#[test]
fn that_lie() {
    strikes("lie-times@measure:4", Code::DY308, true);
    strikes("lie-counters@measure:4", Code::DY308, true);
    strikes("lie-ops@measure:4", Code::DY308, true);
}

#[test]
fn that_leak() {
    for isolation in ["--set=isolation=case", "--set=isolation=suite"] {
        let project = Project::new("leak");
        let settings = [SHORT, &[isolation, "--set=memory=60M"]].concat();
        let harness = ["--cases=3", "--fault=leak:15000000@measure", &format!("--fault-case={BAD}")];
        let ran = project.measure(&settings, &harness);
        assert_eq!(ran.code, Some(3), "{}", ran.stderr);
        ran.assert_told(Code::DY311);
        let records = project.records();
        assert_eq!(only_failure(&records).code, Code::DY311);
        assert_eq!(fates(&records).0, [BAD]);
        // The engine stopped the harness at the limit, not at the end of its visit.
        let most = records.process_ends.iter().filter_map(|end| end.peak_bytes).max().unwrap();
        assert!(most < 100_000_000, "{most} bytes");
    }
}

#[test]
fn that_print_without_end() {
    // Allocating half a gigabyte takes a while on a busy machine.
    let mut patient: Vec<&str> =
        SHORT.iter().filter(|flag| !flag.starts_with("--set=timeout")).copied().collect();
    patient.push("--set=timeout=60s");
    let patient = &patient[..];
    for stream in ["flood-stdout", "flood-stderr"] {
        let project = Project::new("flood");
        let harness =
            ["--cases=3", &format!("--fault={stream}:200000000@measure:4"), &format!("--fault-case={BAD}")];
        // Printing much is not a failure, but the output is not kept.
        let ran = project.measure(patient, &harness);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_whole(&project.records(), 3);
        assert!(ran.stderr.len() + ran.stdout.len() < 20_000);
        // Endless output is a failure.
        let endless =
            ["--cases=3", &format!("--fault={stream}:600000000@measure:4"), &format!("--fault-case={BAD}")];
        let ran = project.measure(patient, &endless);
        assert_eq!(ran.code, Some(3), "{}", ran.stderr);
        ran.assert_told(Code::DY313);
        assert!(ran.stderr.len() + ran.stdout.len() < 20_000);
        // The last lines of the output are shown if they can help.
        let harness = [&harness[..], &["--fault=exit:5@measure:4"]].concat();
        let ran = project.measure(patient, &harness);
        assert_eq!(ran.code, Some(3), "{}", ran.stderr);
        ran.assert_told(Code::DY303);
        let failure = only_failure(&project.records()).clone();
        assert!(failure.why.contains("xxx") && failure.why.len() < 10_000, "{}", failure.why.len());
    }
}

#[test]
fn that_cannot_start() {
    let project = Project::new("start");
    let fake = derny_testkit::program::fake_harness().display().to_string();
    let suite = |name: &str, words: &[&str]| format!("[suite.{name}]\nharness = {{ command = {words:?} }}\n");
    let toml = [
        suite("absent", &["./no-such-program"]),
        suite("good", &[&fake, "--cases=1"]),
        suite("mute", &[&fake, "--fault=exit-at-hello"]),
        suite("refusing", &[&fake, "--fault=cannot-hello"]),
        suite("silent", &[&fake, "--fault=hang@hello"]),
    ];
    std::fs::write(project.folder.join("derny.toml"), toml.concat()).unwrap();
    let ran = project.run(&[&["run"], SHORT].concat());
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    for code in [Code::DY301, Code::DY302, Code::DY310] {
        ran.assert_told(code);
    }
    assert!(!ran.stderr.contains("Failed {"), "what a harness says is told in its own words: {}", ran.stderr);
    let records = project.records();
    let mut codes: Vec<&str> = records.failures.iter().map(|failure| failure.place[0].as_str()).collect();
    codes.sort_unstable();
    assert_eq!(codes.len(), 4, "{codes:?}");
    assert!(records.failures.iter().all(|failure| failure.case.is_none()));
    assert_eq!(fates(&records).2, ["fake/copy-001"]);
    assert_eq!(records.header.status, RunStatus::Failed, "what could not be listed has failed");
    assert_eq!(project.orphans(), [] as [String; 0]);
}

/// The cases are known from an earlier listing. Then one process fails to start, while the others start.
#[test]
fn that_cannot_start_any_more() {
    for isolation in ["--set=isolation=case", "--set=isolation=suite"] {
        let project = Project::new("once");
        let once = project.path("failed-once");
        let harness = ["--cases=3", "--fault=exit-at-hello", &format!("--fault-once={once}")];
        std::fs::write(&once, "").unwrap();
        let fake = derny_testkit::program::fake_harness().display().to_string();
        let listed = project.run(&[&["list", "--", &fake], &harness[..]].concat());
        assert_eq!(listed.code, Some(0), "{}", listed.stderr);
        std::fs::remove_file(&once).unwrap();
        let ran = project.measure(&[SHORT, &[isolation]].concat(), &harness);
        assert_eq!(ran.code, Some(3), "{}", ran.stderr);
        ran.assert_told(Code::DY302);
        let records = project.records();
        let (failed, ended, visited) = fates(&records);
        assert_eq!(
            (failed.len(), ended.len(), visited.len()),
            (1, 2, 2),
            "{isolation}: {failed:?} {visited:?}"
        );
    }
}

#[test]
fn that_would_not_quit() {
    let project = Project::new("quit");
    let ran = project.measure(SHORT, &["--cases=2", "--fault=ignore-quit"]);
    // The measurements of the other processes are valid.
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("DY309"), "{}", ran.stderr);
    assert_whole(&project.records(), 2);
    assert_eq!(project.orphans(), [] as [String; 0]);
}

#[test]
fn that_leave_children() {
    let project = Project::new("child");
    let ran = project.measure(SHORT, &["--cases=2", "--fault=spawn-child:60"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_whole(&project.records(), 2);
    assert_eq!(project.orphans(), [] as [String; 0]);
    // The engine notices the end of the harness by its exit, because the child keeps the streams open.
    let harness = ["--cases=2", "--fault=spawn-child:60", "--fault=exit:9@measure:4"];
    let ran = project.measure(SHORT, &harness);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(project.records().failures.iter().all(|failure| failure.code == Code::DY303));
    assert_eq!(project.orphans(), [] as [String; 0]);
}

#[test]
fn whose_body_runs_once() {
    let project = Project::new("once-only");
    let harness = ["--cases=2", "--timing=self", "--fault=fail-on-second-run"];
    let ran = project.measure(SHORT, &harness);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let records = project.records();
    assert_whole(&records, 2);
    let measured = |case: u32| records.visits.iter().filter(|r| r.complete && r.visit.case == case).count();
    assert!((0..2).all(|case| measured(case) == 2), "a process for each of two turns");
}

#[test]
fn under_once() {
    let table = [
        ("throw@check", Code::DY312),
        ("throw@open", Code::DY307),
        ("throw@close", Code::DY307),
        ("hang@check", Code::DY305),
        ("exit:3@check", Code::DY303),
        ("signal:SEGV@check", Code::DY304),
        ("garbage@check", Code::DY306),
    ];
    for (fault, code) in table {
        let project = Project::new("check");
        let fault_option = format!("--fault={fault}");
        let harness = ["--cases=3", &fault_option, &format!("--fault-case={BAD}")];
        let ran = project.measure(&["--once", "--set=timeout=2s"], &harness);
        assert_eq!(ran.code, Some(3), "{fault}: {}", ran.stderr);
        ran.assert_told(code);
        let records = project.records();
        assert_eq!(only_failure(&records).code, code, "{fault}");
        let (failed, passed, _) = fates(&records);
        assert_eq!((failed, passed.len()), (vec![BAD.to_owned()], 2), "{fault}");
        assert_eq!(project.orphans(), [] as [String; 0]);
    }
}

#[test]
fn that_skip() {
    let project = Project::new("skip");
    let ran = project.measure(SHORT, &["--cases=3", "--fault=skip@open", &format!("--fault-case={BAD}")]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let records = project.records();
    let reasons: Vec<StopReason> = records.ended.iter().map(|(_, reason)| *reason).collect();
    assert_eq!(reasons.iter().filter(|reason| **reason == StopReason::Skipped).count(), 1, "{reasons:?}");
    assert_eq!(fates(&records).2, GOOD);
}
