use crate::calls::Call;
use crate::words;
use derny_model::Problem;
use std::path::Path;

/// The shell that runs commands by default.
const USUAL: &str = "sh";

/// The shell that runs commands: its program and arguments, without `-c` and the command's text. `None` if
/// commands run without a shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shell(Option<Vec<String>>);

impl Shell {
    /// Returns the shell for the value of `--shell`.
    ///
    /// # Errors
    /// Fails if the value cannot be split into words.
    pub fn named(text: Option<&str>) -> Result<Shell, Problem> {
        match text {
            None | Some("default") => Ok(Shell(Some(vec![USUAL.to_owned()]))),
            Some("none") => Ok(Shell(None)),
            Some(text) => Ok(Shell(Some(words::split(text).map_err(|why| format!("--shell: {why}"))?))),
        }
    }

    /// Returns the call that runs a text.
    ///
    /// # Errors
    /// Fails if there is no shell, and the text cannot be split into words.
    pub fn call(&self, text: &str, directory: &Path) -> Result<Call, Problem> {
        let words = match &self.0 {
            None => words::split(text)?,
            Some(shell) => [&shell[..], &["-c".to_owned(), text.to_owned()]].concat(),
        };
        Ok(Call { text: text.to_owned(), words, directory: directory.to_owned(), env: Vec::new() })
    }

    /// Returns the words of a text that only a shell would interpret. Empty if there is a shell.
    pub fn unread(&self, text: &str) -> Vec<String> {
        if self.0.is_none() { words::for_a_shell(text) } else { Vec::new() }
    }

    /// Returns a call that runs an empty command in the shell, or `None` without a shell.
    ///
    /// # Errors
    /// Fails like [`Shell::call`].
    pub fn empty(&self, directory: &Path) -> Result<Option<Call>, Problem> {
        self.0.as_ref().map(|_| self.call("", directory)).transpose()
    }
}
