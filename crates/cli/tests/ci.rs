//! Runs the shell recipe of docs/guide/ci.md and the workflows of `derny init --ci`, which compare a pull
//! request with its base.

#![cfg(unix)]

use crate::place::{self, Done, Place, git, harness};
use std::path::Path;
use std::process::Command;

/// Returns the first "```sh" block of the page.
fn recipe() -> String {
    let page = include_str!("../../../docs/guide/ci.md");
    let (_, rest) = page.split_once("```sh\n").expect("the page has a shell block");
    rest.split_once("```").expect("the block ends").0.to_owned()
}

/// Returns a clone of a repository whose benchmark takes 50 ns, with a change that makes it take `cost` ns.
fn pull_request(cost: u32) -> Place {
    let place = Place::new();
    let bench = |ns: u32| {
        let text = format!("#!/bin/sh\nexec '{}' --cases=1 --cost-ns={ns} \"$@\"\n", harness());
        place.program("bench.sh", &text);
    };
    git(&place.root, &["init", "-q", "-b", "main"]);
    place.write(".gitignore", ".derny\norigin.git\ncomment.md\n");
    place.write("derny.toml", "[suite.s]\nharness = { command = './bench.sh' }\n");
    bench(50);
    git(&place.root, &["add", "."]);
    git(&place.root, &["commit", "-q", "-m", "base"]);
    git(&place.root, &["clone", "-q", "--bare", ".", "origin.git"]);
    git(&place.root, &["remote", "add", "origin", "./origin.git"]);
    git(&place.root, &["checkout", "-q", "-b", "change"]);
    bench(cost);
    place.write("NOTES", "a change\n");
    git(&place.root, &["add", "."]);
    git(&place.root, &["commit", "-q", "-m", "change"]);
    place
}

/// Runs the recipe with this margin, and with settings that keep it short.
fn run(place: &Place, margin: &str) -> Done {
    let folder = Path::new(env!("CARGO_BIN_EXE_derny")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    // Give the shell the same environment as the tests' `derny`.
    let prepared = place.command(&[]);
    let mut shell = Command::new("sh");
    for (name, value) in prepared.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.env("PATH", path);
    for (name, value) in [("PROCESSES", "8"), ("ROUNDS", "4"), ("WARMUP", "0"), ("BUDGET", "20s")] {
        shell.env(format!("DERNY_{name}"), value);
    }
    let recipe = recipe().replace("--fail-on", &format!("--margin {margin} --fail-on"));
    place::done(shell.current_dir(&place.root).args(["-c", &recipe]).output().unwrap())
}

#[test]
fn a_true_regression_fails_the_step() {
    let place = pull_request(200);
    let done = run(&place, "1%").expect(1);
    assert!(done.err.contains("worse: ") && done.err.contains("origin/main"), "{}", done.err);
    let comment = std::fs::read_to_string(place.root.join("comment.md")).unwrap();
    assert!(comment.contains("**slower**"), "{comment}");
    assert!(place.derny(&["compare", "-f", "github"]).expect(0).out.contains("::error"));
}

#[test]
fn a_change_that_costs_nothing_passes() {
    let place = pull_request(50);
    // The margin is wider than any effect of other programs on one side.
    run(&place, "99%").expect(0);
    let comment = std::fs::read_to_string(place.root.join("comment.md")).unwrap();
    assert!(comment.contains("origin/main") && comment.contains("head"), "{comment}");
    // By chance, the new side may be slower within the margin.
    assert!(!comment.contains("**slower**"), "{comment}");
}

/// Returns the scripts of a workflow with the names of their steps. A script is a block or line after
/// `run:`, or an item in a list of scripts.
fn scripts(workflow: &str) -> Vec<(String, String)> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let (mut found, mut name, mut list) = (Vec::new(), String::new(), false);
    let mut lines = workflow.lines().peekable();
    while let Some(line) = lines.next() {
        let text = line.trim_start().trim_start_matches("- ");
        if let Some(step) = text.strip_prefix("name: ") {
            name = step.to_string();
        }
        if !line.trim_start().starts_with('-') && !line.trim_start().starts_with("run:") {
            list = line.trim_end().ends_with("script:");
            name = if list { text.trim_end_matches(':').to_string() } else { name };
            continue;
        }
        let script = match text.strip_prefix("run: ") {
            Some(script) => script,
            None if list => text,
            None => continue,
        };
        let mut script = script.to_string();
        if script == "|" {
            script.clear();
            let inside = depth(line);
            while let Some(next) = lines.next_if(|next| next.is_empty() || depth(next) > inside) {
                script.push_str(&format!("{}\n", next.trim_start()));
            }
        }
        found.push((name.clone(), script));
    }
    found
}

/// Creates a repository with a main branch, and returns a clean clone of it with a change. The CI service
/// begins with such a clone.
fn clean_clone(place: &Place, service: &str) -> std::path::PathBuf {
    let source = place.root.join("source");
    std::fs::create_dir(&source).unwrap();
    git(&source, &["init", "-q", "-b", "main"]);
    for (name, cost) in [("main", 50), ("change", 200)] {
        let bench = format!("#!/bin/sh\nexec '{}' --cases=1 --cost-ns={cost} \"$@\"\n", harness());
        place.program("source/bench.sh", &bench);
        if name == "main" {
            let begun = place.derny(&["-C", "source", "init", "--ci", service]).expect(0);
            assert!(
                begun.err.contains("wrote  .git") && begun.err.contains("to do  commit"),
                "{}",
                begun.err
            );
            let settings = place.read("source/derny.toml");
            let suite = "[suite.s]\nharness = { command = './bench.sh' }\n";
            place.write("source/derny.toml", &(settings + suite));
        } else {
            git(&source, &["checkout", "-q", "-b", name]);
        }
        git(&source, &["add", "."]);
        git(&source, &["commit", "-q", "-m", name]);
    }
    git(&place.root, &["clone", "-q", "-b", "change", "source", "clone"]);
    place.root.join("clone")
}

/// Makes a release of the engine under test, and returns the address of its folder.
fn release(place: &Place) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let name = format!("derny-{version}-{}-linux", std::env::consts::ARCH);
    let start = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_derny"));
    place.program(&format!("releases/{name}/derny"), &start);
    let folder = format!("releases/v{version}");
    place.write(&format!("{folder}/install.sh"), include_str!("../../../install.sh"));
    let pack =
        format!("tar -czf v{version}/{name}.tar.gz {name} && cd v{version} && sha256sum *.gz >SHA256SUMS");
    let packed = Command::new("sh").current_dir(place.root.join("releases")).args(["-c", &pack]).status();
    assert!(packed.unwrap().success());
    format!("file://{}", place.root.join("releases").display())
}

/// Runs a workflow's scripts as the service would, each in a shell that stops at the first failure. A file
/// passes additions to the PATH from one script to the next. Returns the name and the result of each.
fn run_workflow(
    place: &Place,
    clone: &Path,
    scripts: &[(String, String)],
    env: &[(&str, &str)],
) -> Vec<(String, Done)> {
    let prepared = place.command(&[]);
    let home = place.root.join("home");
    std::fs::create_dir_all(&home).unwrap();
    let added = place.root.join("added-path");
    std::fs::write(&added, "").unwrap();
    let download = release(place);
    let mut done = Vec::new();
    for (name, script) in scripts {
        let mut shell = Command::new("bash");
        for (name, value) in prepared.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        let more = std::fs::read_to_string(&added).unwrap();
        let path: Vec<&str> = more.lines().rev().chain(["/usr/local/bin", "/usr/bin", "/bin"]).collect();
        let path = format!("{}:{}", place.root.join("bin").display(), path.join(":"));
        // install.sh installs to PREFIX rather than to HOME.
        shell
            .env_remove("PREFIX")
            .env("PATH", path)
            .env("HOME", &home)
            .env("DERNY_DOWNLOAD", &download)
            .env("GITHUB_PATH", &added);
        shell.envs(env.iter().copied());
        for (name, value) in [("PROCESSES", "8"), ("ROUNDS", "4"), ("WARMUP", "0"), ("BUDGET", "20s")] {
            shell.env(format!("DERNY_{name}"), value);
        }
        let output = shell.current_dir(clone).args(["-eo", "pipefail", "-c", script]).output().unwrap();
        done.push((name.clone(), place::done(output)));
    }
    done
}

#[track_caller]
fn step<'a>(done: &'a [(String, Done)], name: &str) -> &'a Done {
    &done.iter().find(|(own, _)| own == name).unwrap_or_else(|| panic!("no step {name}")).1
}

/// Returns a clone as the job on GitHub checks it out, and the scripts of its workflow. The clone is at a
/// merge of the change into the base, whose branch has moved on since.
fn job_on_github(place: &Place) -> (std::path::PathBuf, Vec<(String, String)>) {
    let clone = clean_clone(place, "github");
    git(&clone, &["checkout", "-q", "--detach", "origin/main"]);
    git(&clone, &["merge", "-q", "--no-ff", "-m", "merge", "change"]);
    git(&clone, &["update-ref", "refs/remotes/origin/main", "change"]);
    // This stand-in for GitHub's client lists the comments in `comments`, and records the arguments of every
    // other call.
    let gh = "#!/bin/sh\ncase $* in *--paginate*) cat ../comments ;; *) echo \"$@\" >>../told ;; esac\n";
    place.program("bin/gh", gh);
    place.write("comments", "");
    let workflow = std::fs::read_to_string(clone.join(".github/workflows/benchmarks.yml")).unwrap();
    // Expressions that the service itself replaces.
    let filled: Vec<&str> =
        workflow.split("${{ ").skip(1).map(|rest| rest.split(" }}").next().unwrap()).collect();
    let download = concat!("vars.DERNY_DOWNLOAD || '", env!("CARGO_PKG_REPOSITORY"), "/releases/download'");
    let values = ["vars.DERNY_INSTALL_SHA256", "github.token", "github.event.pull_request.number"];
    let wanted: Vec<&str> = ["github.workflow", "github.ref", download].into_iter().chain(values).collect();
    assert_eq!(filled, wanted);
    assert!(workflow.contains("fetch-depth: 0") && workflow.contains("on: pull_request"), "{workflow}");
    let scripts = scripts(&workflow);
    let names: Vec<&str> = scripts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Install Derny", "Measure", "Report", "Comment"]);
    (clone, scripts)
}

/// Runs scripts of the workflow for GitHub with the variables of a pull request.
fn on_github(place: &Place, clone: &Path, scripts: &[(String, String)]) -> Vec<(String, Done)> {
    let (root, summary) = (place.root.display().to_string(), place.root.join("summary"));
    let env = [
        ("PR", "7"),
        ("GITHUB_REPOSITORY", "me/mine"),
        ("RUNNER_TEMP", &root),
        ("GITHUB_STEP_SUMMARY", summary.to_str().unwrap()),
    ];
    run_workflow(place, clone, scripts, &env)
}

#[test]
fn the_workflow_for_github_measures_a_pull_request_in_a_clean_clone() {
    let place = Place::new();
    let (clone, scripts) = job_on_github(&place);
    let other = run_workflow(&place, &clone, &scripts[..1], &[("DERNY_INSTALL_SHA256", &"0".repeat(64))]);
    assert_ne!(step(&other, "Install Derny").code, 0, "the script is not the one of the checksum");
    assert!(!place.root.join("home/.local").exists());
    let done = on_github(&place, &clone, &scripts);
    assert_eq!(step(&done, "Install Derny").code, 0, "{}", step(&done, "Install Derny").err);
    let measured = step(&done, "Measure");
    assert_eq!(measured.code, 1, "four times slower: {}{}", measured.out, measured.err);
    assert!(step(&done, "Report").out.contains("::error"), "{}", step(&done, "Report").out);
    assert!(place.read("summary").contains("**slower**"), "{}", place.read("summary"));
    assert!(place.read("body.md").contains("**slower**"), "{}", place.read("body.md"));
}

#[test]
fn the_workflow_for_github_edits_its_own_comment_and_writes_none_where_nothing_was_compared() {
    let place = Place::new();
    let (clone, scripts) = job_on_github(&place);
    for (name, done) in on_github(&place, &clone, &scripts[2..]) {
        assert_eq!(done.code, 0, "{name}: {}", done.err);
    }
    assert!(!place.root.join("told").exists());
    place.write("comment.md", "### slower\n");
    let comment = |listed: &str| {
        place.write("comments", listed);
        place.write("told", "");
        let done = on_github(&place, &clone, &scripts[3..]);
        assert_eq!(step(&done, "Comment").code, 0, "{}", step(&done, "Comment").err);
        place.read("told").replace(&format!("body=@{}", place.root.display()), "body=@")
    };
    assert_eq!(comment(""), "api --silent repos/me/mine/issues/7/comments -F body=@/body.md\n");
    assert_eq!(place.read("body.md"), "<!-- derny -->\n### slower\n");
    let edited = "api --silent --method PATCH repos/me/mine/issues/comments/31 -F body=@/body.md\n";
    assert_eq!(comment("31\n32\n"), edited);
}

#[test]
fn the_workflow_for_gitlab_measures_a_merge_request_in_a_clean_clone() {
    let place = Place::new();
    let clone = clean_clone(&place, "gitlab");
    // The target branch has moved on, by a commit with the same change. That commit is not part of the base.
    let source = place.root.join("source");
    git(&source, &["checkout", "-q", "main"]);
    git(&source, &["checkout", "-q", "change", "--", "bench.sh"]);
    git(&source, &["commit", "-q", "-m", "later"]);
    let workflow = std::fs::read_to_string(clone.join(".gitlab-ci.yml")).unwrap();
    let parts = scripts(&workflow);
    assert!(parts.iter().any(|(name, _)| name == "before_script"), "{parts:?}");
    // The service runs both lists in one shell.
    let whole: Vec<&str> = parts.iter().map(|(_, script)| script.as_str()).collect();
    let job = [("job".to_string(), whole.join("\n"))];
    let done = run_workflow(&place, &clone, &job, &[("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main")]);
    let job = step(&done, "job");
    assert_eq!(job.code, 1, "four times slower: {}{}", job.out, job.err);
    let report = std::fs::read_to_string(clone.join("benchmarks.xml")).unwrap();
    assert!(report.contains("<failure"), "{report}");
}

#[test]
fn a_workflow_stands_in_the_root_of_the_repository_and_replaces_none() {
    let place = Place::new();
    git(&place.root, &["init", "-q", "-b", "main"]);
    std::fs::create_dir(place.root.join("part")).unwrap();
    place.write(".gitlab-ci.yml", "mine:\n  script: true\n");
    let begun = place.derny(&["-C", "part", "init", "elixir", "--ci", "gitlab"]).expect(0);
    assert!(begun.err.contains("include: [{ local: benchmarks.gitlab-ci.yml }]"), "{}", begun.err);
    assert_eq!(place.read(".gitlab-ci.yml"), "mine:\n  script: true\n");
    let workflow = place.read("benchmarks.gitlab-ci.yml");
    for line in ["  image: elixir\n", "    - cd part\n", "      junit: part/benchmarks.xml\n"] {
        assert!(workflow.contains(line), "{line}: {workflow}");
    }
    place.derny(&["-C", "part", "init", "elixir", "--ci", "github"]).expect(0);
    let workflow = place.read(".github/workflows/benchmarks.yml");
    let needed = "        working-directory: part\n";
    assert!(
        workflow.contains(needed) && workflow.contains("      - uses: erlef/setup-beam@54075bcc5e249e4758d363f27d099f55d843f124 # v1.24.1\n        with:\n"),
        "{workflow}"
    );
    assert!(!workflow.contains("NEEDS") && !workflow.contains("FOLDER"), "{workflow}");
}

#[test]
fn a_workflow_looks_for_files_in_the_folder_of_the_project() {
    let place = Place::new();
    git(&place.root, &["init", "-q", "-b", "main"]);
    for language in ["javascript", "elixir", "python"] {
        std::fs::create_dir_all(place.root.join("part")).unwrap();
        place.derny(&["-C", "part", "init", language, "--ci", "github"]).expect(0);
        let workflow = place.read(".github/workflows/benchmarks.yml");
        // `hashFiles` looks in the root of the repository, whatever the working directory is.
        assert!(workflow.contains("if [ -f ") && !workflow.contains("hashFiles"), "{language}: {workflow}");
        std::fs::remove_dir_all(place.root.join(".github")).unwrap();
        std::fs::remove_dir_all(place.root.join("part")).unwrap();
    }
}
