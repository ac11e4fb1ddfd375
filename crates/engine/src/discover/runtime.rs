//! Finds the program for the placeholder `{runtime}` in a project, and its version.

use crate::discover::sdk::Convention;
use crate::launch::environment;
use std::path::Path;
use std::process::Stdio;
use std::{env, io};

impl Convention {
    /// Returns the program for `{runtime}` in a project. It is the first of `own_runtimes` that exists,
    /// or else the program on the search path.
    pub fn runtime_in(&self, root: &Path) -> String {
        let own = self.own_runtimes.iter().filter_map(|path| filled(path, root, |name| env::var(name).ok()));
        own.into_iter().find(|path| Path::new(path).is_file()).unwrap_or_else(|| self.runtime.clone())
    }
}

/// Fills in `{root}` and a leading `$NAME` in a path. Returns `None` if that variable is not set.
fn filled(path: &str, root: &Path, variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let Some(named) = path.strip_prefix('$') else {
        return Some(path.replace("{root}", &root.display().to_string()));
    };
    let (name, rest) = named.split_at(named.find('/').unwrap_or(named.len()));
    let value = variable(name).filter(|value| !value.is_empty())?;
    Some(format!("{value}{rest}"))
}

/// Returns the first line that the version command of a convention prints in a project. Returns `None`
/// if the convention has no version command.
///
/// # Errors
/// Fails with the system's error if the program cannot be started, and with `Other` if it exits with an
/// error.
pub fn version(convention: &Convention, root: &Path) -> io::Result<Option<String>> {
    let runtime = convention.runtime_in(root);
    let words: Vec<String> =
        convention.version.iter().map(|word| word.replace("{runtime}", &runtime)).collect();
    let Some((program, args)) = words.split_first() else { return Ok(None) };
    let output = environment::program(program).args(args).stdin(Stdio::null()).output()?;
    if !output.status.success() {
        return Err(io::Error::other(format!("`{}` ended with {}", words.join(" "), output.status)));
    }
    let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    Ok(String::from_utf8_lossy(&text).lines().next().map(|line| line.trim().to_string()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn convention(runtime: &str, version: &[&str]) -> Convention {
        Convention {
            name: "test".into(),
            runtime: runtime.into(),
            version: version.iter().map(|word| (*word).to_string()).collect(),
            ..Convention::default()
        }
    }

    #[test]
    fn a_runtime_says_its_version_or_why_it_cannot() {
        let asked = |runtime, words: &[&str]| version(&convention(runtime, words), Path::new("/"));
        assert_eq!(asked("echo", &["{runtime}", "v1.2"]).unwrap().as_deref(), Some("v1.2"));
        assert_eq!(asked("echo", &[]).unwrap(), None);
        assert_eq!(asked("derny-no-such", &["{runtime}"]).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(asked("false", &["{runtime}"]).is_err());
    }

    #[test]
    fn a_project_has_a_runtime_of_its_own_or_that_of_the_search_path() {
        let root = env::temp_dir().join(format!("derny-runtime-{}", std::process::id()));
        std::fs::create_dir_all(root.join("own/bin")).unwrap();
        let mut toy = convention("toy", &[]);
        toy.own_runtimes = vec!["$DERNY_NO_SUCH/bin/toy".into(), "{root}/own/bin/toy".into()];
        assert_eq!(toy.runtime_in(&root), "toy");
        std::fs::write(root.join("own/bin/toy"), "").unwrap();
        assert_eq!(toy.runtime_in(&root), root.join("own/bin/toy").display().to_string());
        let value = |value: &'static str| move |_: &str| Some(value.to_string());
        assert_eq!(filled("$ACTIVE/bin/toy", &root, value("/a b")).as_deref(), Some("/a b/bin/toy"));
        assert_eq!(filled("$ACTIVE/bin/toy", &root, value("")), None);
        std::fs::remove_dir_all(root).unwrap();
    }
}
