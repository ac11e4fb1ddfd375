//! Tests which of Derny's environment variables the programs of a run inherit, and which processes they leave
//! behind.
#![cfg(target_os = "linux")]

use crate::faults::{Project, SHORT};
use derny_testkit::program::fake_harness;

/// Runs two cases with a program that first writes its environment to a file. Returns the text of the file.
fn environment(project: &Project, env: &[(&str, &str)], flags: &[&str]) -> String {
    let file = project.path("environment");
    let line = format!("env >>{file}; exec {} --cases=2", fake_harness().display());
    let args = [&["run"], SHORT, flags, &["--", "sh", "-c", &line]].concat();
    let output = project.derny(&args).envs(env.iter().copied()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read_to_string(file).unwrap()
}

#[test]
fn the_address_of_the_store_is_not_for_measured_code() {
    let project = Project::new("environment");
    let store = project.path("elsewhere");
    let own = [("DERNY_STORE", store.as_str()), ("PGPASSWORD", "hunter2"), ("PGHOST", "db")];
    let seen = environment(&project, &own, &[]);
    assert!(!seen.contains("DERNY_STORE"), "{seen}");
    // The store is a folder, so benchmarks of a database keep their own variables.
    assert!(seen.contains("PGPASSWORD=hunter2") && seen.contains("PGHOST=db"), "{seen}");
    // Variables that the user sets for a suite are passed on.
    let line = format!("env >{}; exec {} --cases=1", project.path("set"), fake_harness().display());
    let toml = format!(
        "[suite.own]\nenv = {{ DERNY_STORE = \"mine\" }}\nharness = {{ command = [\"sh\", \"-c\", \"{line}\"] }}\n"
    );
    std::fs::write(project.folder.join("derny.toml"), toml).unwrap();
    let output = project.derny(&[&["run"], SHORT].concat()).env("DERNY_STORE", &store).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let set = std::fs::read_to_string(project.path("set")).unwrap();
    assert!(set.contains("DERNY_STORE=mine"), "{set}");
}

#[test]
fn commands_and_builds_do_not_get_it_either() {
    let project = Project::new("commands");
    let file = project.path("seen");
    let line = format!("env >>{file}");
    let args = ["try", "-M", "2", "--setup", &line, "--prepare", &line, &line];
    let output = project.derny(&args).env("DERNY_STORE", project.path("elsewhere")).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let seen = std::fs::read_to_string(&file).unwrap();
    assert!(seen.contains("PATH=") && !seen.contains("DERNY_STORE"), "{seen}");
    let toml = format!(
        "[suite.built]\nbuild = [\"sh\", \"-c\", \"env >{file}.build\"]\nharness = {{ command = [\"{}\", \"--cases=1\"] }}\n",
        fake_harness().display()
    );
    std::fs::write(project.folder.join("derny.toml"), toml).unwrap();
    let args = [&["run"], SHORT].concat();
    let output = project.derny(&args).env("DERNY_STORE", project.path("elsewhere")).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let seen = std::fs::read_to_string(format!("{file}.build")).unwrap();
    assert!(seen.contains("PATH=") && !seen.contains("DERNY_STORE"), "{seen}");
}

#[test]
fn a_daemon_that_a_benchmark_leaves_is_ended_and_named() {
    for isolation in ["--set=isolation=case", "--set=isolation=suite"] {
        let project = Project::new("daemon");
        let harness = ["--cases=2", "--fault=double-fork:600", "--fault-case=fake/copy-002"];
        let ran = project.measure(&[SHORT, &[isolation]].concat(), &harness);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(project.orphans(), [] as [String; 0], "{}", ran.stderr);
        let told: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("DY314")).collect();
        assert!(told.len() == 1 && told[0].contains("`sleep`"), "{}", ran.stderr);
        assert!(told[0].contains("fake/copy-002: left"), "{}", ran.stderr);
    }
}

#[test]
fn a_daemon_of_a_command_is_ended_too() {
    let project = Project::new("forking");
    let ran = project.run(&["try", "-M", "2", "setsid sleep 600 >/dev/null 2>&1 & sleep 0.01"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(project.orphans(), [] as [String; 0], "{}", ran.stderr);
}

/// The benchmarks of a run may need the daemon of its global set-up until the run ends.
#[test]
fn a_daemon_of_a_global_set_up_lives_as_long_as_that() {
    let project = Project::new("prepared");
    let (prepared, look) = (project.path("prepared"), project.path("look"));
    // Each measuring process records which daemons are running.
    let line = format!(
        "pgrep -fx 'sleep 6{0}' >>{look}; exec {1} --cases=1 --prepared={prepared} --fault=double-fork:6{0}@list",
        std::process::id(),
        fake_harness().display()
    );
    let ran = project.run(&[&["run"], SHORT, &["--", "sh", "-c", &line]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(!std::fs::read_to_string(&look).unwrap().trim().is_empty(), "no process has seen it");
    assert_eq!(project.orphans(), [] as [String; 0], "{}", ran.stderr);
}
