//! Programs that consist of several benchmark files, so that one process measures all of their cases.

use crate::discover::file;
use crate::discover::sdk::Convention;
use crate::discover::source::Source;
use crate::hash::Fnv;
use std::fs;
use std::path::Path;

/// Returns the folder whose files form one program with this file. The folder is directly below the nearest
/// project root (see [`Convention::together`]). For a file in that root itself, returns the file, which is a
/// separate program.
pub(super) fn folder(root: &Path, convention: &Convention, file: &str) -> String {
    let is_project = |folder: &Path| {
        let there = root.join(folder);
        folder.as_os_str().is_empty() || convention.together.iter().any(|name| there.join(name).is_file())
    };
    let mut below = Path::new(file);
    while let Some(parent) = below.parent().filter(|parent| !is_project(parent)) {
        below = parent;
    }
    below.display().to_string()
}

/// Returns the program that consists of these files. Its cases are listed again if one of these files, or
/// another file that the benchmark tool reads, changes.
pub(super) fn source(
    root: &Path,
    sdk: &Path,
    convention: &Convention,
    folder: &str,
    files: &[&String],
) -> Source {
    let suite = Path::new(folder).with_extension("").display().to_string();
    let folder = folder.to_string();
    let one = file::source(root, sdk, convention, suite, Some(&folder), &[]);
    let mut hash = Fnv::new();
    hash.write(one.hash.as_bytes());
    let mut covers: Vec<String> = files.iter().map(|file| (*file).clone()).collect();
    covers.sort();
    covers.dedup();
    for file in &covers {
        hash.write(file.as_bytes()).write(&fs::read(root.join(file)).unwrap_or_default());
        for parent in Path::new(file).ancestors().skip(1) {
            for name in convention.together.iter().chain(&convention.reads) {
                hash.write(&fs::read(root.join(parent).join(name)).unwrap_or_default());
            }
        }
    }
    Source { covers, hash: format!("{:016x}", hash.finish()), ..one }
}

pub(super) fn narrow(found: &mut [Source], admits: impl Fn(&String) -> bool) {
    for source in found.iter_mut().filter(|source| source.command.iter().any(|word| word == "{files}")) {
        if !source.covers.iter().all(&admits) && source.covers.iter().any(&admits) {
            source.covers.retain(&admits);
            source.hash = format!("{}-{:08x}", source.hash, of(&source.covers));
        }
    }
}

fn of(files: &[String]) -> u32 {
    let mut hash = Fnv::new();
    files.iter().for_each(|file| _ = hash.write(file.as_bytes()).write(b"/"));
    hash.finish() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover;
    use crate::discover::project::Project;
    use crate::discover::sdk::Sdks;
    use derny_model::Variant;

    /// Returns the sources of a project with an SDK made for this test. Several of its files form one
    /// program.
    fn found(root: &Path, words: &[&str]) -> Vec<Source> {
        let sdks = root.join("sdks");
        let table = "name = \"toy\"\ntitle = \"Toy\"\n[[harness]]\nname = \"toys\"\nfiles = [\"**/*.toy\"]\n\
            contains = [\"bench\", \"time\"]\nunless = [\"other\"]\ntogether = [\"toys.ini\"]\nreads = [\"own.cfg\"]\n\
            launch-ms = 400\nruntime = \"sh\"\ncommand = [\"{runtime}\", \"{file}\", \"--\", \"{files}\"]\n";
        fs::create_dir_all(sdks.join("toy")).unwrap();
        fs::write(sdks.join("toy/sdk.toml"), format!("{table}[embed]\nfiles = []\n")).unwrap();
        let project = Project { root: root.join("project"), ..Project::default() };
        let patterns = words.iter().map(|word| (*word).to_string()).collect();
        let selector = discover::Selector { patterns, ..discover::Selector::default() };
        discover::sources(&project, &Sdks::of_folder(&sdks).unwrap(), &selector).unwrap().sources
    }

    #[test]
    fn files_below_one_folder_of_a_project_are_one_program() {
        let root = std::env::temp_dir().join(format!("derny-together-{}", std::process::id()));
        let write = |file: &str, text: &str| {
            let path = root.join("project").join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for file in ["tests/a.toy", "tests/deep/er/b.toy", "part/tests/c.toy", "d.toy"] {
            write(file, "bench");
        }
        write("tests/none.toy", "nothing");
        write("tests/another.toy", "bench other");
        write("part/toys.ini", "");
        let of = |words: &[&str]| -> Vec<(String, Vec<String>)> {
            found(&root, words).into_iter().map(|source| (source.suite, source.covers)).collect()
        };
        let case = |suite: &str, files: &[&str]| {
            (suite.to_string(), files.iter().map(|file| (*file).to_string()).collect::<Vec<_>>())
        };
        let tests = case("tests", &["tests/a.toy", "tests/deep/er/b.toy"]);
        assert_eq!(of(&[]), [case("d", &["d.toy"]), case("part/tests", &["part/tests/c.toy"]), tests]);
        assert_eq!(of(&["tests/a.toy::x[1]"]), [case("tests", &["tests/a.toy"])]);
        assert_eq!(of(&["./tests/deep"]), [case("tests", &["tests/deep/er/b.toy"])]);
        let whole = found(&root, &["tests"]).remove(0);
        let project = root.join("project").display().to_string();
        let path = |file: &str| format!("{project}/{file}");
        let words =
            ["sh".into(), path("tests"), "--".into(), path("tests/a.toy"), path("tests/deep/er/b.toy")];
        assert_eq!(whole.words(&Variant::default(), 0, &[]), words);
        assert_eq!(whole.launch_ns, Some(400_000_000));
        write("tests/deep/own.cfg", "changed");
        assert_ne!(found(&root, &["tests"])[0].hash, whole.hash, "what the tool reads first has changed");
        fs::remove_dir_all(&root).unwrap();
    }
}
