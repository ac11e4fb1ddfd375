//! Tests revisions: they are measured in separate worktrees, built once, shared, cleaned and pruned.

#![cfg(unix)]

use crate::place::{self, Events, Place, TINY, git, harness, number};
use std::process::Command;

fn commit(place: &Place, subject: &str) {
    git(&place.root, &["add", "."]);
    git(&place.root, &["commit", "-q", "--allow-empty", "-m", subject]);
}

fn worktrees(place: &Place) -> usize {
    let folder = place.root.join(".derny/worktrees");
    let entries =
        std::fs::read_dir(folder).map(|entries| entries.flatten().collect()).unwrap_or_else(|_| Vec::new());
    entries.iter().filter(|entry| entry.path().is_dir()).count()
}

fn typical(place: &Place, variant: usize) -> f64 {
    let case = &place.document()["suites"][0]["cases"][0];
    number(&case["variants"][variant]["time"]["typical"]["value"])
}

/// Returns a repository whose suite a script builds. The file `cost` determines the time of `bench`. Each
/// build appends a line to `log`.
fn built() -> Place {
    let place = Place::new();
    git(&place.root, &["init", "-q", "-b", "main"]);
    place.write(".gitignore", ".derny\nlog\nbench\n");
    let suite = "[suite.s]\nharness = { command = './bench' }\nbuild = 'sh build.sh'\n";
    place.write("derny.toml", suite);
    let log = place.root.join("log");
    let build = format!(
        "echo \"$(cat cost) $DERNY_PADDING\" >> '{}'\nprintf '#!/bin/sh\\nexec %s --cost-ns=%s\\n' '{}' \"$(cat cost)\" > bench\nchmod +x bench\n",
        log.display(),
        harness()
    );
    place.write("build.sh", &build);
    place.write("cost", "50");
    commit(&place, "first");
    place
}

fn log(place: &Place) -> Vec<String> {
    log_lines(&place.root.join("log"))
}

const AGAINST_MAIN: [&str; 5] = ["steady", "-x", "main", "-x", "head"];

fn run(place: &Place, args: &[&str]) -> place::Done {
    place.derny(&[&["run"], &TINY[..], args].concat())
}

#[test]
fn a_branch_is_measured_against_the_working_tree() {
    let place = built();
    // Uncommitted changes are in the working tree but not in the revision.
    place.write("cost", "5000");
    let done = run(&place, &AGAINST_MAIN).expect(0);
    assert!(done.err.contains("building main (") && done.err.contains("building head\n"), "{}", done.err);
    let ratio = typical(&place, 1) / typical(&place, 0);
    assert!(ratio > 10.0, "a hundred times as slow, not {ratio}");
    let header = &place.document()["run"];
    assert_eq!(
        header["variants"][0]["revision"].as_str().unwrap(),
        git(&place.root, &["rev-parse", "HEAD"]).trim()
    );
    assert!(header["variants"][1]["revision"].is_null() && header["commit"]["dirty"] == true);
    assert_eq!(log(&place), ["50 0", "5000 0"]);
    // The revision is built once, and the working tree for every run.
    place.write("cost", "60");
    run(&place, &AGAINST_MAIN).expect(0);
    assert_eq!(log(&place)[2..], ["60 0"]);
    assert_eq!(worktrees(&place), 1);
    // With another build command, the revision is built again.
    let suite = "[suite.s]\nharness = { command = './bench' }\nbuild = 'sh build.sh again'\n";
    place.write("derny.toml", suite);
    run(&place, &AGAINST_MAIN).expect(0);
    assert_eq!(log(&place)[3..], ["50 0", "60 0"]);
    assert_eq!(worktrees(&place), 2);
    // `.` means the working tree.
    run(&place, &["steady", "-x", "here@."]).expect(0);
    assert!(place.document()["run"]["variants"][0]["revision"].is_null());
}

#[test]
fn a_branch_that_no_baseline_is_called_is_measured_beside_the_working_tree() {
    let place = built();
    place.write("cost", "60");
    let names = |place: &Place| -> Vec<String> {
        let variants = place.document()["run"]["variants"].as_array().unwrap().clone();
        variants.iter().map(|variant| variant["name"].as_str().unwrap().to_owned()).collect()
    };
    run(&place, &["steady", "--against", "main"]).expect(0);
    assert_eq!(names(&place), ["main", "head"]);
    assert_eq!(log(&place), ["50 0", "60 0"]);
    run(&place, &["steady", "--against", "HEAD", "-x", "a+MODE=1", "-x", "head"]).expect(0);
    assert_eq!(names(&place), ["HEAD", "a", "head"]);
    // A baseline with this name takes precedence.
    commit(&place, "kept");
    run(&place, &["steady", "--save", "main"]).expect(0);
    run(&place, &["steady", "--against", "main"]).expect(0);
    assert_eq!(names(&place), ["main", "new"]);
}

#[test]
fn diff_measures_a_revision_beside_the_working_tree() {
    let place = built();
    let diff = |words: &[&str]| place.derny(&[&["diff"], words, &TINY[..]].concat());
    let sides = || -> Vec<(String, bool)> {
        let variants = place.document()["run"]["variants"].as_array().unwrap().clone();
        let side =
            |one: &serde_json::Value| (one["name"].as_str().unwrap().to_owned(), one["revision"].is_string());
        variants.iter().map(side).collect()
    };
    git(&place.root, &["checkout", "-q", "-b", "mine"]);
    let none = diff(&["steady"]).expect(2);
    assert!(none.err.contains("needs an upstream") && none.err.contains("`derny diff main`"), "{}", none.err);
    place.write("cost", "60");
    diff(&["main", "steady"]).expect(0);
    assert_eq!(sides(), [("main".to_owned(), true), ("head".to_owned(), false)]);
    assert_eq!(log(&place), ["50 0", "60 0"]);
    // From here on, the branch has an upstream, which has moved on.
    commit(&place, "second");
    git(&place.root, &["branch", "-q", "--set-upstream-to=main"]);
    let base = git(&place.root, &["rev-parse", "main"]);
    git(&place.root, &["checkout", "-q", "main"]);
    place.write("cost", "70");
    commit(&place, "elsewhere");
    git(&place.root, &["checkout", "-q", "mine"]);
    let done = diff(&["steady"]).expect(0);
    assert!(done.err.contains("the last commit shared with main"), "{}", done.err);
    assert_eq!(sides(), [("base".to_owned(), true), ("head".to_owned(), false)]);
    assert_eq!(place.document()["run"]["variants"][0]["revision"].as_str().unwrap(), base.trim());
    // A word that is not a revision selects cases.
    let typed = diff(&["mian"]).expect(4);
    assert!(typed.err.contains("`derny diff main`"), "{}", typed.err);
    place.derny(&["diff", "-x", "main"]).expect(2);
}

#[test]
fn revisions_of_a_command_need_no_build() {
    let place = Place::new();
    git(&place.root, &["init", "-q", "-b", "main"]);
    let log = place.root.join("log");
    for (cost, subject) in [(50, "first"), (5000, "second")] {
        let text = format!(
            "#!/bin/sh\necho \"{cost} $MODE\" >> '{}'\nexec '{}' --cost-ns={cost}\n",
            log.display(),
            harness()
        );
        place.program("sub/bench.sh", &text);
        commit(&place, subject);
    }
    place.program("sub/bench.sh", "#!/bin/sh\nexit 7\n");
    let mut args = vec!["-C", "sub", "run", "--no-config"];
    args.extend(TINY);
    args.extend([
        "steady",
        "-x",
        "old@HEAD~1",
        "-x",
        "new@git:main+MODE=on",
        "-f",
        "ndjson",
        "--",
        "sub/bench.sh",
    ]);
    let events = Events(place.derny(&args).expect(0).lines());
    let variants = &events.0[0]["run"]["variants"];
    assert_eq!(variants[0]["revision"].as_str().unwrap().len(), 40);
    assert_ne!(variants[0]["revision"], variants[1]["revision"]);
    let ratio = typical(&place, 1) / typical(&place, 0);
    assert!(ratio > 10.0, "a hundred times as slow, not {ratio}");
    let log = std::fs::read_to_string(&log).unwrap();
    assert!(log.contains("50 \n") && log.contains("5000 on\n"), "{log}");
    assert_eq!(worktrees(&place), 2);
    place.derny(&args).expect(0);
    assert_eq!(worktrees(&place), 2, "a worktree is made once");
    let missing = run(&place, &["-x", "old@nowhere", "--", "sub/bench.sh"]).expect(2);
    assert!(missing.err.contains("`nowhere` is not a revision"), "{}", missing.err);
}

#[test]
fn a_project_in_a_folder_of_its_repository_is_found_there() {
    let place = Place::new();
    git(&place.root, &["init", "-q", "-b", "main"]);
    place.write("part/derny.toml", "[suite.s]\nharness = { command = './bench.sh' }\n");
    place.program("part/bench.sh", &format!("#!/bin/sh\nexec '{}'\n", harness()));
    commit(&place, "first");
    place.program("part/bench.sh", "#!/bin/sh\nexit 7\n");
    let done = place
        .derny(&[&["-C", "part", "run"], &TINY[..], &["steady", "-x", "old@main", "-f", "ndjson"]].concat());
    let events = Events(done.expect(0).lines());
    let directory = events.0[0]["run"]["variants"][0]["directory"].as_str().unwrap();
    assert!(directory.ends_with("/tree/part/") || directory.ends_with("/tree/part"), "{directory}");
}

#[test]
fn a_build_that_fails_is_told_and_leaves_nothing() {
    let place = built();
    place.write("build.sh", "for n in $(seq 30); do echo line $n; echo complaint $n >&2; done\nexit 9\n");
    commit(&place, "broken");
    let done = run(&place, &["steady", "-x", "old@HEAD~1", "-x", "new@main"]).expect(2);
    for part in [
        "suite `s` cannot be built at ",
        "where ",
        "failed with exit status: 9",
        "line 30",
        "complaint 30",
        "try ",
    ] {
        assert!(done.err.contains(part), "{part}: {}", done.err);
    }
    assert!(!done.err.contains("line 24\n"), "only the last lines: {}", done.err);
    assert_eq!(worktrees(&place), 1, "the one that was built stays");
    assert_eq!(git(&place.root, &["worktree", "list"]).lines().count(), 2);
    assert!(place.runs().is_empty());
    // A failed build of the working tree is reported too, and a repaired one is built.
    let done = run(&place, &["steady"]).expect(2);
    assert!(done.err.contains("suite `s` cannot be built\n"), "{}", done.err);
    place.write("derny.toml", "[suite.s]\nharness = { command = './bench' }\nbuild = './no-such-program'\n");
    let done = run(&place, &["steady"]).expect(2);
    assert!(done.err.contains("cannot start `./no-such-program`"), "{}", done.err);
}

#[test]
fn a_daemon_that_a_build_leaves_behind_is_not_waited_for() {
    let place = built();
    let script = std::fs::read_to_string(place.root.join("build.sh")).unwrap();
    place.write("build.sh", &format!("sleep 60 &\necho $! > daemon\n{script}"));
    let start = std::time::Instant::now();
    run(&place, &["steady"]).expect(0);
    assert!(start.elapsed() < std::time::Duration::from_secs(30), "{:?}", start.elapsed());
    let daemon = std::fs::read_to_string(place.root.join("daemon")).unwrap();
    Command::new("kill").arg(daemon.trim()).status().unwrap();
}

#[test]
fn files_that_are_built_one_by_one_share_a_worktree() {
    let place = built();
    let log = place.root.join("log");
    let one = format!(
        "echo $(basename $1) >> '{}'\nprintf '#!/bin/sh\\nexec %s\\n' '{}' > $2\nchmod +x $2\n",
        log.display(),
        harness()
    );
    place.write("one.sh", &one);
    place.write("a.txt", "");
    place.write("b.txt", "");
    commit(&place, "files");
    for files in ["'a.txt'", "'b.txt'", "'a.txt', 'b.txt'"] {
        let suite = format!(
            "[suite.s]\nharness = {{ command = '{{build}}/{{name}}' }}\nfiles = [{files}]\nbuild = 'sh one.sh {{file}} {{build}}/{{name}}'\n"
        );
        place.write("derny.toml", &suite);
        run(&place, &["steady", "-x", "old@main"]).expect(0);
    }
    assert_eq!(log_lines(&log), ["a.txt", "b.txt"], "each is built once, when it is asked for first");
    assert_eq!(worktrees(&place), 1);
}

fn log_lines(path: &std::path::Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap().lines().map(String::from).collect()
}

#[test]
fn engines_beside_each_other_build_a_revision_once() {
    let place = built();
    let start = || {
        let args = [&["run"], &TINY[..], &["steady", "-x", "old@main"]].concat();
        let pipe = std::process::Stdio::piped;
        place.command(&args).stdout(pipe()).stderr(pipe()).spawn().unwrap()
    };
    let engines = [start(), start(), start()];
    for engine in engines {
        place::done(engine.wait_with_output().unwrap()).expect(0);
    }
    assert_eq!(log(&place), ["50 0"]);
    assert_eq!((worktrees(&place), place.runs().len()), (1, 3));
}

#[test]
fn what_an_engine_left_half_done_is_made_anew() {
    let place = built();
    run(&place, &["steady", "-x", "old@main"]).expect(0);
    let folder = std::fs::read_dir(place.root.join(".derny/worktrees")).unwrap().flatten();
    let folder = folder.map(|entry| entry.path()).find(|path| path.is_dir()).unwrap();
    let marks = std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path());
    let marks: Vec<_> = marks.filter(|path| path.display().to_string().contains("/built-0-")).collect();
    assert_eq!(marks.len(), 1);
    std::fs::remove_file(&marks[0]).unwrap();
    std::fs::write(folder.join("tree/bench"), "rubbish").unwrap();
    run(&place, &["steady", "-x", "old@main"]).expect(0);
    assert_eq!(log(&place), ["50 0", "50 0"]);
    // A removed worktree is built again, too.
    std::fs::remove_dir_all(&folder).unwrap();
    run(&place, &["steady", "-x", "old@main"]).expect(0);
    assert_eq!(log(&place).len(), 3);
}

#[test]
fn submodules_come_along() {
    let library = Place::new();
    git(&library.root, &["init", "-q", "-b", "main"]);
    library.program("bench.sh", &format!("#!/bin/sh\nexec '{}'\n", harness()));
    commit(&library, "library");
    let place = Place::new();
    git(&place.root, &["init", "-q", "-b", "main"]);
    git(&place.root, &["submodule", "--quiet", "add", &library.root.display().to_string(), "library"]);
    commit(&place, "with a library");
    let args = [&["run"], &TINY[..], &["steady", "-x", "old@main", "--", "./library/bench.sh"]].concat();
    let allow = [
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "protocol.file.allow"),
        ("GIT_CONFIG_VALUE_0", "always"),
    ];
    place.derny_with(&allow, &args).expect(0);
}

#[test]
fn old_worktrees_are_taken_away() {
    let place = built();
    for number in 0..10 {
        place.write("cost", &format!("{}", 50 + number));
        commit(&place, "more");
    }
    for back in 0..10 {
        let revision = format!("old@HEAD~{back}");
        place.derny(&["run", "steady", "--once", "-x", &revision]).expect(0);
    }
    assert_eq!(worktrees(&place), 8);
    assert_eq!(git(&place.root, &["worktree", "list"]).lines().count(), 9);
    // The most recently used worktrees are kept. HEAD~9 need not be built again, but HEAD was removed.
    let builds = log(&place).len();
    place.derny(&["run", "steady", "--once", "-x", "old@HEAD~9"]).expect(0);
    assert_eq!(log(&place).len(), builds);
    place.derny(&["run", "steady", "--once", "-x", "old@HEAD"]).expect(0);
    assert_eq!(log(&place).len(), builds + 1);
}

/// Interrupts a comparison with main once it is stored, and removes the worktree.
fn interrupt(place: &Place, words: &[&str]) {
    let long = ["steady", "--set=processes=8", "--budget=30s", "--set=rounds=40", "--set=wave=1"];
    let mut child = place.command(&[words, &long[..], &["--set=duration=1s"]].concat());
    let mut child =
        child.stderr(std::process::Stdio::null()).stdout(std::process::Stdio::null()).spawn().unwrap();
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while std::time::Instant::now() < deadline && place.runs().is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    child.wait().unwrap();
    std::fs::remove_dir_all(place.root.join(".derny/worktrees")).unwrap();
}

#[test]
fn a_run_that_goes_on_has_its_worktree_again() {
    let place = built();
    interrupt(&place, &["run", "-x", "old@main"]);
    place.derny(&["run", "--resume"]).expect(0);
    assert_eq!(log(&place), ["50 0", "50 0"]);
}

/// `derny diff` determines its sides when the run begins. The branches may move before it is resumed.
#[test]
fn a_diff_goes_on_with_the_sides_that_it_began_with() {
    let place = built();
    git(&place.root, &["checkout", "-q", "-b", "mine"]);
    place.write("cost", "60");
    commit(&place, "mine");
    git(&place.root, &["branch", "-q", "--set-upstream-to=main"]);
    interrupt(&place, &["diff"]);
    let before = place.document()["run"].clone();
    assert_eq!(before["status"], "partial");
    git(&place.root, &["checkout", "-q", "main"]);
    place.write("cost", "70");
    commit(&place, "elsewhere");
    git(&place.root, &["checkout", "-q", "mine"]);
    git(&place.root, &["merge", "-q", "-s", "ours", "--no-edit", "main"]);
    let done = place.derny(&["run", "--resume"]).expect(0);
    let after = place.document()["run"].clone();
    assert_eq!((&after["id"], &after["status"]), (&before["id"], &"complete".into()), "{}", done.err);
    assert_eq!(after["variants"], before["variants"]);
    assert_eq!(place.runs().len(), 1);
    // Both sides were built for the first part. Only the missing worktree was built again.
    assert_eq!(log(&place), ["50 0", "60 0", "50 0"], "{}", done.err);
    assert!(done.out.contains("base → head"), "{}", done.out);
}

#[test]
fn a_case_of_a_revision_keeps_its_place() {
    if Command::new("node").arg("--version").output().is_err() {
        return;
    }
    let place = Place::new();
    git(&place.root, &["init", "-q", "-b", "main"]);
    place.write(".gitignore", ".derny\n");
    place.write("x.bench.mjs", "import { bench } from 'derny';\n\nbench('one', () => 1);\n");
    commit(&place, "first");
    let args = ["run", "--quick", "--budget", "300ms", "-x", "base@main", "-x", "head", "-f", "json"];
    let document = place.derny(&args).json();
    let case = &document["comparison"]["cases"][0]["case"];
    assert_eq!((&case["file"], &case["line"]), (&"x.bench.mjs".into(), &3.into()), "{document}");
}

#[test]
fn what_only_one_side_has_is_named_and_not_broken() {
    if Command::new("node").arg("--version").output().is_err() {
        return;
    }
    let place = Place::new();
    git(&place.root, &["init", "-q", "-b", "main"]);
    place.write(".gitignore", ".derny\n");
    let bench = |names: &[&str]| {
        let cases: String = names.iter().map(|name| format!("bench('{name}', () => 1);\n")).collect();
        format!("import {{ bench }} from 'derny';\n{cases}")
    };
    place.write("x.bench.mjs", &bench(&["one", "old"]));
    commit(&place, "first");
    place.write("x.bench.mjs", &bench(&["one", "new"]));
    place.write("y.bench.mjs", &bench(&["two"]));
    let quick = ["diff", "main", "--quick", "--budget", "300ms", "-f", "json"];
    let done = place.derny(&quick).expect(0);
    for (case, why) in [("x/new", "main does"), ("y/two", "main does"), ("x/old", "head does")] {
        assert!(done.err.contains(&format!("`{case}` is skipped: {why} not have it")), "{}", done.err);
    }
    let comparison = done.comparison();
    let names = |rows: &serde_json::Value| rows.as_array().unwrap().len();
    assert_eq!((names(&comparison["cases"]), names(&comparison["alone"])), (1, 3), "{comparison}");
    assert!(comparison["alone"].as_array().unwrap().contains(&serde_json::json!([0, "x/old"])));
    // A file that exists in the base but cannot be listed there fails the run.
    place.write("y.bench.mjs", "this is no program");
    commit(&place, "broken");
    place.write("y.bench.mjs", &bench(&["two"]));
    assert!(place.derny(&quick).expect(3).err.contains("y.bench.mjs"));
    // Without a common case nothing can be judged.
    std::fs::remove_file(place.root.join("x.bench.mjs")).unwrap();
    std::fs::rename(place.root.join("y.bench.mjs"), place.root.join("z.bench.mjs")).unwrap();
    for words in [&quick[..], &["diff", "main", "--quick", "--fail-on", "slower"]] {
        let none = place.derny(words).expect(5);
        assert!(none.err.contains("no case exists on every side"), "{}", none.err);
    }
}
