//! Checks that a new language needs only its own folder below `sdk/`. With an additional folder, files of
//! the new language are found, listed, checked and measured. Files of the other languages still work.

#![cfg(target_os = "linux")]

use crate::project::{Project, concluded};
use derny_engine::discover::sdk::Sdks;
use derny_workbench::Outcome;
use derny_workbench::config::options::{Selection, Stated};
use derny_workbench::config::settings::Mode;
use derny_workbench::pipeline::{News, RunOptions};
use std::path::Path;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Returns the SDKs of the repository, and the additional SDK `toy`.
fn sdks(project: &Project) -> Sdks {
    let folder = project.root.join("checkout/sdk");
    std::fs::create_dir_all(&folder).unwrap();
    let link = |from: &Path| {
        std::os::unix::fs::symlink(from, folder.join(from.file_name().unwrap())).unwrap();
    };
    for sdk in Path::new(HERE).join("../../sdk").read_dir().unwrap() {
        link(&sdk.unwrap().path());
    }
    link(&Path::new(HERE).join("tests/toy"));
    let sdks = Sdks::of_folder(&folder).unwrap();
    std::fs::remove_dir_all(project.root.join("checkout")).unwrap();
    sdks
}

/// Removes the unpacked files of the SDKs on drop.
struct Unpacked(std::path::PathBuf);

impl Drop for Unpacked {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_new_language_touches_only_its_own_folder() {
    let mut project = Project::new();
    let known = project.session.sdks.all().len();
    project.session.sdks = sdks(&project);
    assert_eq!(project.session.sdks.all().len(), known + 1);
    let _unpacked = Unpacked(project.session.sdks.unpack().unwrap());
    std::fs::create_dir(project.root.join("some")).unwrap();
    std::fs::write(project.root.join("some/count.toy"), "short 10\nlong 1000\n").unwrap();
    std::fs::write(project.root.join("other.bench.mjs"), "").unwrap();

    let (found, _) = project.session.sources(&Selection::default(), &[], &mut |_| ()).unwrap();
    let found: Vec<_> = found.iter().map(|source| (source.suite.as_str(), source.harness.as_str())).collect();
    assert_eq!(found, [("other", "node"), ("some/count", "toy")]);

    let select = Selection { patterns: vec!["some".into()], ..Selection::default() };
    let mut listed = Vec::new();
    let once = RunOptions {
        select: select.clone(),
        mode: Mode { once: true, ..Mode::default() },
        ..RunOptions::default()
    };
    let checked = project.run(&once, &mut |news| {
        if let News::Planned(planned) = news {
            listed.extend(planned.catalogue.cases.iter().map(|case| case.id.benchmark.clone()));
        }
        Ok(())
    });
    let checked = concluded(checked.unwrap());
    assert_eq!(listed, ["short", "long"]);
    assert_eq!(checked.outcome, Outcome::Done);
    assert_eq!(checked.records.processes[0].language, "toy");

    let values = [("budget", "300ms"), ("processes", "2"), ("rounds", "2"), ("warmup", "0")];
    let stated =
        Stated { values: values.map(|(key, value)| (key, value.into())).into(), ..Stated::default() };
    let measured = project.run(&RunOptions { select, stated, ..RunOptions::default() }, &mut |_| Ok(()));
    let measured = concluded(measured.unwrap());
    assert_eq!(measured.outcome, Outcome::Done);
    let cases = &measured.document.suites[0].cases;
    let times: Vec<f64> =
        cases.iter().map(|case| case.variants[0].time.as_ref().unwrap().typical.value).collect();
    assert!(times.len() == 2 && times.iter().all(|time| *time > 0.0), "{times:?}");
}

#[test]
fn a_folder_that_cannot_be_carried_says_why() {
    let project = Project::new();
    let sdk = project.root.join("toy");
    std::fs::create_dir(&sdk).unwrap();
    let refused = |text: &str| {
        std::fs::write(sdk.join("sdk.toml"), text).unwrap();
        Sdks::of_folder(&project.root).unwrap_err()
    };
    let text = std::fs::read_to_string(Path::new(HERE).join("tests/toy/sdk.toml")).unwrap();
    assert!(refused(&text).contains("names harness.sh, which does not exist"));
    std::fs::write(sdk.join("harness.sh"), "").unwrap();
    assert!(refused(&text.replace("runtime", "runtimes")).contains("runtimes"));
    assert!(refused("name = ").contains("toy/sdk.toml"));
}
