//! Benchmark files that are one program: its processes start once for the cases of all of them.

use crate::discover::sdk::Convention;
use crate::discover::{self, Source};
use crate::hash::Fnv;
use std::fs;
use std::path::Path;

/// The folder whose files are one program with this one: the first one below the root of its project. A file in that root is
/// a program by itself.
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

/// The program of some files. Its cases are listed anew when one of them changes, or a file that the project's tool reads first.
pub(super) fn source(
    root: &Path,
    sdk: &Path,
    convention: &Convention,
    folder: &str,
    files: &[&String],
) -> Source {
    let suite = Path::new(folder).with_extension("").display().to_string();
    let folder = folder.to_string();
    let one = discover::source(root, sdk, convention, suite, Some(&folder));
    let mut hash = Fnv::new();
    hash.write(one.hash.as_bytes());
    let mut covers: Vec<String> = files.iter().map(|file| (*file).clone()).collect();
    covers.sort();
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

/// Leaves out the files that are not meant.
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
