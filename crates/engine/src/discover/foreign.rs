//! Recognises benchmark files of other tools. Derny's globs match their names, but Derny must not run them.

use crate::discover::glob;
use crate::discover::recognise::{Said, Syntax};
use crate::discover::sdk::{Foreign, Sdk};
use std::fs;
use std::path::Path;

/// A benchmark file of another tool.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ForeignFile {
    /// Path of the file, relative to the project's root.
    pub file: String,
    /// Name of the tool that the file was written for.
    pub tool: String,
    /// Suggestion of an alternative for the user.
    pub hint: Option<String>,
}

/// Returns the tool that a file was written for, judging by its text. If the user names the file (`named`),
/// its extension is enough to match the tool's globs. `files` contains the paths of all files of the project.
/// Returns `None` if one of them shows that Derny can run the tool's files ([`Foreign::without`]).
pub(super) fn tool<'a>(
    root: &Path,
    sdks: &'a [Sdk],
    file: &str,
    named: bool,
    files: &[String],
) -> Option<&'a Foreign> {
    let all = || sdks.iter().flat_map(|sdk| sdk.foreign.iter().map(move |foreign| (sdk, foreign)));
    let mut candidates = all().filter(|(sdk, foreign)| may_be(sdk, foreign, file, named)).peekable();
    candidates.peek()?;
    let text = fs::read_to_string(root.join(file)).ok()?;
    let is_driven = |foreign: &Foreign| {
        files.iter().any(|file| foreign.without.iter().any(|glob| glob::matches(glob, file)))
    };
    let (_, foreign) = candidates.find(|(sdk, foreign)| {
        let said = Said::new(&text, Syntax::of(&sdk.syntax, file));
        said.any(&foreign.contains) && !said.any(&foreign.unless)
    })?;
    (!is_driven(foreign)).then_some(foreign)
}

fn may_be(sdk: &Sdk, foreign: &Foreign, file: &str, named: bool) -> bool {
    let extension = |path: &str| Path::new(path).extension().map(|end| end.to_owned());
    let globs = sdk.harness.iter().flat_map(|convention| &convention.files).chain(&foreign.files);
    let mut fitting = globs.filter(|glob| match named {
        true => extension(glob) == extension(file),
        false => glob::matches(glob, file),
    });
    fitting.next().is_some()
}
