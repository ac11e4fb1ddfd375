//! Tests `derny dev conform` on the command line: lines, counts and exit codes. Other tests cover what each
//! of its cases detects.

use derny_testkit::program::fake_harness;
use std::process::{Command, Output};

fn conform(args: &[&str], harness: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_derny"));
    command.args(["dev", "conform"]).args(args).arg("--").arg(fake_harness()).arg("--conform").args(harness);
    command.output().unwrap()
}

fn told(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8(output.stdout.clone()).unwrap())
}

#[test]
fn a_line_per_case_and_a_count() {
    let (code, text) = told(&conform(&["open-again", "measure-async"], &[]));
    assert_eq!(code, Some(0));
    let lines = [
        "skip  measure-async  needs case:conform/async",
        "pass  open-again",
        "1 passed, 0 failed, 1 skipped",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), lines);
    let (_, quiet) = told(&conform(&["-q", "open-again"], &[]));
    assert_eq!(quiet, "1 passed, 0 failed, 0 skipped\n");
}

#[test]
fn a_failure_shows_its_conversation_and_ends_with_3() {
    let (code, text) = told(&conform(&["open-again"], &["--fault=skip@open"]));
    assert_eq!(code, Some(3));
    assert!(text.starts_with("FAIL  open-again  expected `opened`, got `skip"), "{text}");
    assert!(text.contains("\n        > open benchmark=conform/empty\n        < skip reason"), "{text}");
    assert!(text.ends_with("0 passed, 1 failed, 0 skipped\n"), "{text}");
    let traced = conform(&["-v", "open-again"], &[]);
    assert!(String::from_utf8_lossy(&traced.stderr).contains("> close\n"));
}

#[test]
fn known_failures_are_held_to_fail() {
    let file = std::env::temp_dir().join(format!("derny-known-{}", std::process::id()));
    let option = format!("--known-failing={}", file.display());
    std::fs::write(&file, "# ours\ncount-one-call # a call too many\n\n").unwrap();
    let (code, text) = told(&conform(&["count-one-call", &option], &["--fault=lie-calls"]));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.ends_with("0 passed, 0 failed, 0 skipped, 1 known to fail\n"), "{text}");
    let (code, text) = told(&conform(&["count-one-call", &option], &[]));
    assert_eq!(code, Some(3));
    assert!(text.contains("it passes: remove it from the list"), "{text}");
    std::fs::write(&file, "count-one-cal\n").unwrap();
    let wrong = conform(&[&option], &[]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("did you mean `count-one-call`?"));
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn what_cannot_be_played_is_told() {
    let derny = || Command::new(env!("CARGO_BIN_EXE_derny"));
    assert_eq!(conform(&["no-such-case"], &[]).status.code(), Some(4));
    assert_eq!(derny().args(["dev", "conform"]).output().unwrap().status.code(), Some(2));
    let absent = derny()
        .args(["dev", "conform", "-q", "check-", "hello-intro", "--", "/no/such/program"])
        .output()
        .unwrap();
    let (code, text) = told(&absent);
    assert_eq!(code, Some(3));
    assert!(text.contains("`/no/such/program` could not be started"), "{text}");
    assert!(
        text.ends_with("0 passed, 3 failed, 0 skipped\n"),
        "nothing is passed over for want of claims: {text}"
    );
}

#[test]
fn the_list_shows_what_is_claimed() {
    let (code, text) = told(&conform(&["--list", "check-once", "collect"], &["--can=check"]));
    assert_eq!(code, Some(0));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("yes check-once ") && lines[0].ends_with("(needs check)"), "{text}");
    assert!(lines[1].starts_with("no  collect-tells-time "), "{text}");
}
