//! Creates the [`Source`] for a file from its convention.

use crate::discover::sdk::Convention;
use crate::discover::source::Source;
use crate::discover::suite::covered;
use crate::hash::Fnv;
use std::fs;
use std::path::{Path, PathBuf};

/// Creates the [`Source`] for a benchmark file. Without `file`, creates it for a program that contains
/// benchmarks. `files` contains the paths of all files of the project, which may include more files of the
/// suite.
pub(super) fn source(
    root: &Path,
    sdk: &Path,
    convention: &Convention,
    suite: String,
    file: Option<&String>,
    files: &[String],
) -> Source {
    let mut hash = Fnv::new();
    convention.command.iter().for_each(|word| _ = hash.write(word.as_bytes()));
    let covers = file.map(|file| covered(convention, file, files)).unwrap_or_default();
    for file in file.into_iter().chain(&covers) {
        hash.write(&fs::read(root.join(file)).unwrap_or_default());
    }
    Source {
        suite,
        harness: convention.name.clone(),
        file: file.cloned(),
        command: convention.command.clone(),
        lister: convention.lister.clone(),
        runtime: vec![convention.runtime_in(root)],
        sdk: sdk.to_path_buf(),
        root: root.to_path_buf(),
        directory: working_folder(root, convention, file),
        build: convention.build.clone(),
        build_env: convention.build_env.clone(),
        build_beside: convention.build_beside,
        build_whole: convention.build_whole,
        env: convention.env.iter().map(|(k, v)| (k.clone(), v.clone())).collect(),
        env_per_block: drawn(convention),
        hash: format!("{:016x}", hash.finish()),
        covers,
        launch_ns: convention.launch_ms.map(|ms| ms * 1_000_000),
        install: convention.install.clone(),
        revision: convention.revision.clone(),
        tells_package: convention.tells_package.clone(),
        code_path: convention.code_path.clone(),
        diagnose: convention.diagnose.clone(),
        descriptors: convention.descriptors,
        takes_build_folder: !convention.build_folders.is_empty(),
        sides: if convention.sides { convention.files.clone() } else { Vec::new() },
        ..Source::default()
    }
}

pub(super) fn drawn(convention: &Convention) -> Vec<(String, [u64; 2])> {
    convention.env_per_block.iter().map(|(name, range)| (name.clone(), *range)).collect()
}

/// Returns the working directory for the processes of a file, relative to the project's root. It is the
/// nearest folder above the file that contains the convention's `inside` file, or else the root.
fn working_folder(root: &Path, convention: &Convention, file: Option<&String>) -> PathBuf {
    let (Some(name), Some(file)) = (&convention.inside, file) else { return PathBuf::new() };
    let mut above = Path::new(file).ancestors().skip(1);
    above.find(|folder| root.join(folder).join(name).is_file()).map(PathBuf::from).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover::sdk::Sdks;

    #[test]
    fn processes_work_in_the_folder_that_a_convention_means() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let sdks = Sdks::carried();
        let all = || sdks.all().iter().flat_map(|sdk| &sdk.harness);
        let inside = all().find(|convention| convention.inside.as_deref() == Some("Cargo.toml")).unwrap();
        let of = |convention, file: &str| working_folder(&root, convention, Some(&file.to_string()));
        assert_eq!(of(inside, "engine/src/discover/x.rs"), PathBuf::from("engine"));
        assert_eq!(of(inside, "nowhere.rs"), PathBuf::new());
        let none = all().find(|convention| convention.inside.is_none()).unwrap();
        assert_eq!(of(none, "engine/src/discover/x.rs"), PathBuf::new());
    }
}
