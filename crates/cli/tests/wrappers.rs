//! Tests harnesses that another program starts: a package manager, a build tool, a shell. The harness opens
//! its streams by their paths, and the engine watches the process of the harness itself.
#![cfg(target_os = "linux")]

use crate::faults::{Project, SHORT, assert_whole, only_failure};
use derny_model::FailureCode;
use derny_testkit::program::fake_harness;
use std::time::Duration;

const CASES: usize = 2;

/// Returns the arguments of a run with a shell command. `HARNESS` in it stands for the scripted harness with
/// two cases.
fn wrapped<'a>(settings: &[&'a str], command: &'a str, text: &'a mut String) -> Vec<&'a str> {
    *text = command.replace("HARNESS", &format!("{} --cases={CASES}", fake_harness().display()));
    [&["run"], settings, &["--", "sh", "-c", text.as_str()]].concat()
}

/// Returns the folder in which a project's engine makes its private folders, and a function that lists what
/// is left in it.
fn temporary(project: &Project) -> (String, impl Fn() -> Vec<String>) {
    let folder = project.path("tmp");
    std::fs::create_dir_all(&folder).unwrap();
    let left = folder.clone();
    let names = move || {
        let entries = std::fs::read_dir(&left).unwrap().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    };
    (folder, names)
}

#[test]
fn a_wrapper_may_live_longer_end_first_or_leave_the_group() {
    let wrappers = [
        "HARNESS; exit 3",
        // These commands pass on no descriptors.
        "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; HARNESS",
        "HARNESS & sleep .2",
        "setsid HARNESS",
        "setsid sh -c 'HARNESS & wait'",
    ];
    for wrapper in wrappers {
        let project = Project::new("wrapper");
        let (folder, left) = temporary(&project);
        let mut text = String::new();
        let args = wrapped(SHORT, wrapper, &mut text);
        let output = project.derny(&args).env("TMPDIR", folder).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{wrapper}: {told}");
        assert_whole(&project.records(), CASES);
        assert_eq!(project.orphans(), [] as [String; 0], "{wrapper}");
        assert_eq!(left(), [] as [String; 0], "{wrapper}");
    }
}

#[test]
fn the_end_of_a_harness_behind_a_wrapper_is_seen_while_the_wrapper_lives() {
    let project = Project::new("wrapped-end");
    let mut text = String::new();
    let args =
        wrapped(SHORT, "HARNESS --fault=exit:9@measure --fault-case=fake/copy-001; sleep 60", &mut text);
    let ran = project.run(&args);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let records = project.records();
    let failure = only_failure(&records);
    assert_eq!(failure.code, FailureCode::DY303);
    assert!(failure.why.contains("exit status is unknown"), "{failure:?}");
    assert_eq!(project.orphans(), [] as [String; 0]);
}

#[test]
fn a_program_that_ends_before_it_opens_its_streams_is_not_waited_for() {
    let project = Project::new("never-opens");
    let (folder, left) = temporary(&project);
    let args = ["run", "--set=timeout=60s", "--", "sh", "-c", "exit 7"];
    let start = std::time::Instant::now();
    let output = project.derny(&args).env("TMPDIR", folder).output().unwrap();
    assert!(start.elapsed() < Duration::from_secs(50));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("exit 7") && told.contains("DY302"), "{told}");
    assert_eq!((output.status.code(), left()), (Some(3), Vec::new()));
}

#[test]
fn kill_9_of_the_engine_ends_a_harness_that_has_left_the_group() {
    let project = Project::new("wrapped-kill");
    let (folder, left) = temporary(&project);
    let mut text = String::new();
    let settings = ["--format=ndjson", "--set=timeout=60s"];
    let args = wrapped(&settings, "setsid HARNESS --fault=hang@measure:5", &mut text);
    let mut running = project.start_with(&args, &[("TMPDIR", &folder)]);
    running.wait_for("visit-started", 1);
    running.signal("KILL");
    assert_eq!(running.finish(), None);
    assert_eq!(project.orphans(), [] as [String; 0]);
    assert_eq!(left(), [] as [String; 0]);
}
