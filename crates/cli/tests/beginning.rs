//! Tests `derny init`: the files that it writes can be run at once, in an empty folder and in projects of
//! every build tool.

use crate::place::{Place, TINY};
use derny_engine::discover::runtime;
use derny_engine::discover::sdk::{Init, Sdk, Sdks};
use std::io::ErrorKind;
use std::path::Path;

/// Returns every language with its SDK, without the first benchmarks for special projects.
fn every(sdks: &Sdks) -> Vec<(&Sdk, &Init)> {
    let all = sdks.all().iter().flat_map(|sdk| sdk.init.iter().map(move |init| (sdk, init)));
    let all: Vec<_> = all.filter(|(_, init)| init.only.is_none()).collect();
    assert!(all.len() >= 7, "{} languages", all.len());
    all
}

/// Returns true if the tools that launch a first benchmark are installed.
fn is_installed(sdk: &Sdk, init: &Init) -> bool {
    let extension = |file: &str| file.rsplit('.').next().map(String::from);
    let mut fitting = sdk
        .harness
        .iter()
        .filter(|convention| convention.files.iter().any(|glob| extension(glob) == extension(&init.file)));
    let missing = |error: &std::io::Error| error.kind() == ErrorKind::NotFound;
    fitting.any(|convention| {
        runtime::version(convention, Path::new("/")).as_ref().err().is_none_or(|error| !missing(error))
    })
}

/// Measures the first benchmark. Fails the test if the output lacks it.
#[track_caller]
fn measure(place: &Place) {
    let done = place.derny(&[&["run", "--set", "isolation=suite"], &TINY[..]].concat()).expect(0);
    // Names in Go begin with a capital letter.
    assert!(done.out.to_lowercase().contains("join") && done.out.contains("n=1000"), "{}", done.out);
}

#[test]
fn the_first_benchmark_of_every_language_runs_at_once() {
    let sdks = Sdks::carried();
    let mut measured = 0;
    for (sdk, init) in every(&sdks) {
        if !is_installed(sdk, init) {
            continue;
        }
        let place = Place::new();
        let done = place.derny(&["init", &init.names[0]]).expect(0);
        assert!(done.err.contains(&format!("wrote  {}", init.file)), "{}", done.err);
        assert_eq!(place.read(".gitignore"), ".derny/\n");
        measure(&place);
        measured += 1;
    }
    assert!(measured > 0);
}

#[test]
fn a_project_that_says_so_begins_with_what_is_for_it() {
    let sdks = Sdks::carried();
    let all = sdks.all().iter().flat_map(|sdk| &sdk.init);
    let special: Vec<&Init> = all.filter(|init| init.only.is_some()).collect();
    assert!(!special.is_empty());
    for init in special {
        let Some(only) = &init.only else { continue };
        for file in &only.among {
            let place = Place::new();
            place.write(file, &format!("# {}", only.contains));
            place.derny(&["init", &init.names[0]]).expect(0);
            assert!(place.root.join(&init.file).is_file(), "{file}");
        }
    }
}

#[test]
fn a_language_is_found_by_every_name_and_by_the_files_of_its_projects() {
    let sdks = Sdks::carried();
    for (_, init) in every(&sdks) {
        for name in &init.names {
            let place = Place::new();
            place.derny(&["init", &name.to_uppercase()]).expect(0);
            assert!(place.root.join(&init.file).is_file(), "{name}");
        }
        for file in &init.detect {
            let place = Place::new();
            let content = init.manifest.as_ref().map_or(String::new(), |own| format!("[{}]\n", own.requires));
            place.write(&file.replace('*', "some"), &content);
            place.derny(&["init"]).expect(0);
            assert!(place.root.join(&init.file).is_file(), "{file}");
        }
    }
    // A name may be that of a platform, and several languages may be named at once.
    for (names, files) in [
        (&["jvm"][..], &["bench/FirstBench.java"][..]),
        (&["beam"], &["bench/first_bench.exs"]),
        (&["js", "ts", "rs"], &["first.bench.mjs", "first.bench.ts", "benches/first.rs"]),
    ] {
        let place = Place::new();
        place.derny(&[&["init"], names].concat()).expect(0);
        files.iter().for_each(|file| assert!(place.root.join(file).is_file(), "{names:?}: {file}"));
    }
    let place = Place::new();
    place.write("rebar.config", "");
    place.derny(&["init", "beam"]).expect(0);
    assert!(place.root.join("bench/first_bench.erl").is_file());
}

/// Sets up a project of a build tool, runs `derny init` without a language, and measures. Returns `None` if a
/// tool is missing.
#[track_caller]
fn in_a_project(tools: &[&str], files: &[(&str, &str)]) -> Option<Place> {
    let is_there = |tool: &&str| std::process::Command::new(tool).arg("--version").output().is_ok();
    if !tools.iter().all(is_there) {
        return None;
    }
    let place = Place::new();
    files.iter().for_each(|(name, text)| _ = place.write(name, text));
    place.derny(&["init"]).expect(0);
    measure(&place);
    Some(place)
}

#[test]
fn a_package_of_cargo_stays_as_it_is_written() {
    let begin = "# mine\n[workspace]\nmembers = [\"member\"]\n\n[package]\nname   = \"mine\"  # spaced\nversion = \"0.3.0\"\n\
                 edition = \"2021\"\n\n[dev-dependencies] # none\n\n[profile.bench]\ndebug = true\n";
    let member = "[package]\nname = \"member\"\nversion = \"0.3.0\"\nedition = \"2021\"\n";
    let files = [
        ("Cargo.toml", begin),
        ("src/lib.rs", "pub fn one() -> u32 { 1 }\n"),
        ("member/Cargo.toml", member),
        ("member/src/lib.rs", ""),
    ];
    let Some(place) = in_a_project(&["cargo"], &files) else { return };
    let added = "derny-bench = { path = \"benches/derny-bench\" }\n";
    let wanted = begin.replace("# none\n", &format!("# none\n{added}"))
        + "\n[[bench]]\nname = \"first\"\nharness = false\n";
    assert_eq!(place.read("Cargo.toml"), wanted);
    let again = place.derny(&["init", "cargo"]).expect(0);
    assert!(!again.err.contains("wrote"), "{}", again.err);
    assert_eq!(place.read("Cargo.toml"), wanted);
}

#[test]
fn a_workspace_without_a_package_is_refused_before_anything_is_written() {
    let place = Place::new();
    place.write("Cargo.toml", "[workspace]\nmembers = []\n");
    let refused = place.derny(&["init"]).expect(2);
    assert!(refused.err.contains("no [package]") && refused.err.contains("-C FOLDER"), "{}", refused.err);
    let files: Vec<_> =
        std::fs::read_dir(&place.root).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(files, ["Cargo.toml"]);
}

#[test]
fn a_package_of_npm() {
    let kinds = ["{ \"type\": \"module\" }", "{}"];
    kinds.iter().for_each(|text| _ = in_a_project(&["node"], &[("package.json", text)]));
    let Some(place) = in_a_project(&["node"], &[("package.json", "{}"), ("tsconfig.json", "{}")]) else {
        return;
    };
    assert!(place.root.join("first.bench.ts").exists() && !place.root.join("first.bench.mjs").exists());
}

#[test]
fn a_project_of_mix() {
    let mix = "defmodule Mine.MixProject do\n  use Mix.Project\n  def project, do: [app: :mine, version: \"0.3.0\"]\nend\n";
    in_a_project(&["mix"], &[("mix.exs", mix), ("lib/mine.ex", "defmodule Mine do\nend\n")]);
}

#[test]
fn a_project_of_rebar3() {
    in_a_project(&["erlc"], &[("rebar.config", "{erl_opts, []}.\n")]);
}

#[test]
fn a_project_of_maven() {
    let pom = "<project><modelVersion>4.0.0</modelVersion><groupId>mine</groupId><artifactId>mine</artifactId>\
               <version>1</version><properties><maven.compiler.source>8</maven.compiler.source>\
               <maven.compiler.target>8</maven.compiler.target></properties></project>\n";
    let source = "package mine;\npublic class Mine { public static int one() { return 1; } }\n";
    let files = [("pom.xml", pom), ("src/main/java/mine/Mine.java", source)];
    let Some(place) = in_a_project(&["mvn", "java"], &files) else { return };
    // The benchmark can use the project's classes.
    let first = place.read("bench/FirstBench.java");
    place.write(
        "bench/FirstBench.java",
        &first.replace("return String", "mine.Mine.one();\n        return String"),
    );
    measure(&place);
}

#[test]
fn a_project_of_the_clojure_cli() {
    in_a_project(&["mvn", "java"], &[("deps.edn", "{:paths [\"src\"]}\n"), ("src/mine.clj", "(ns mine)\n")]);
}

#[test]
fn a_package_of_cabal() {
    let cabal = "cabal-version: 2.0\nname: mine\nversion: 0.1\nbuild-type: Simple\nlibrary\n  hs-source-dirs: src\n  \
                 exposed-modules: Mine\n  build-depends: base\n  default-language: Haskell2010\n";
    in_a_project(&["ghc"], &[("mine.cabal", cabal), ("src/Mine.hs", "module Mine where\n")]);
}

#[test]
fn lines_of_a_gitignore_stay() {
    let place = Place::new();
    place.write(".gitignore", "# mine\nnode_modules");
    let done = place.derny(&["init"]).expect(0);
    assert!(done.err.contains("added  .derny/ to .gitignore"), "{}", done.err);
    assert_eq!(place.read(".gitignore"), "# mine\nnode_modules\n.derny/\n");
    place.derny(&["init"]).expect(0);
    assert_eq!(place.read(".gitignore"), "# mine\nnode_modules\n.derny/\n");
}

#[test]
fn a_project_with_benchmarks_gets_no_others() {
    let place = Place::new();
    place.write("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1\"\n");
    place.write("tests/test_shop.py", "def test_total(benchmark):\n    benchmark(sum, [1, 2])\n");
    let done = place.derny(&["init", "--ci", "github"]).expect(0);
    assert!(done.err.contains("found  benchmarks of pytest"), "{}", done.err);
    assert!(!place.root.join("benchmarks").exists(), "{}", done.err);
    let workflow = place.read(".github/workflows/benchmarks.yml");
    assert!(workflow.contains("pip install pytest pytest-benchmark"), "{workflow}");
    // `init` with a language writes a benchmark even if the project already has some.
    let named = place.derny(&["init", "python"]).expect(0);
    assert!(named.err.contains("wrote  benchmarks/"), "{}", named.err);
}

#[test]
fn benchmarks_name_their_language_where_no_file_of_the_project_does() {
    let place = Place::new();
    place.write(
        "tests/test_words.py",
        "import pytest\n\ndef test_join(benchmark):\n    benchmark(' '.join, ['a'])\n",
    );
    let done = place.derny(&["init", "--ci", "github"]).expect(0);
    assert!(done.err.contains("found  benchmarks of pytest"), "{}", done.err);
    assert!(
        done.err.contains("measure with `derny run`") && !done.err.contains("benchmarks/"),
        "{}",
        done.err
    );
    let workflow = place.read(".github/workflows/benchmarks.yml");
    assert!(workflow.contains("pip install pytest"), "{workflow}");
    assert!(workflow.contains("derny run -x \"base@HEAD^1\" -x head --fail-on slower"), "{workflow}");
}
