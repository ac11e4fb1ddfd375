//! The programs that `{runtime}` stands for: whether they are there, and in which version.

use crate::discover::sdk::Convention;
use std::io;
use std::process::{Command, Stdio};

/// The first line that a convention's runtime prints when it is asked for its version; none where the convention does not
/// say how to ask.
///
/// # Errors
/// Those of starting a program: not found, no permission; and `Other` if it ended with an error.
pub fn version(convention: &Convention) -> io::Result<Option<String>> {
    let words: Vec<String> =
        convention.version.iter().map(|word| word.replace("{runtime}", &convention.runtime)).collect();
    let Some((program, args)) = words.split_first() else { return Ok(None) };
    let output = Command::new(program).args(args).stdin(Stdio::null()).output()?;
    if !output.status.success() {
        return Err(io::Error::other(format!("`{}` ended with {}", words.join(" "), output.status)));
    }
    // Some runtimes answer on standard error.
    let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    Ok(String::from_utf8_lossy(&text).lines().next().map(|line| line.trim().to_string()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn convention(runtime: &str, version: &[&str]) -> Convention {
        Convention {
            name: "test".into(),
            files: Vec::new(),
            exclude: Vec::new(),
            marker: None,
            contains: None,
            build: Vec::new(),
            suite: None,
            sources: Vec::new(),
            runtime: runtime.into(),
            command: Vec::new(),
            lister: Vec::new(),
            version: version.iter().map(|word| (*word).to_string()).collect(),
            install: None,
            env: Default::default(),
            diagnose: Vec::new(),
            descriptors: false,
        }
    }

    #[test]
    fn a_runtime_says_its_version_or_why_it_cannot() {
        let asked = |runtime, words: &[&str]| version(&convention(runtime, words));
        assert_eq!(asked("echo", &["{runtime}", "v1.2"]).unwrap().as_deref(), Some("v1.2"));
        assert_eq!(asked("echo", &[]).unwrap(), None);
        assert_eq!(asked("derny-no-such", &["{runtime}"]).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(asked("false", &["{runtime}"]).is_err());
    }
}
