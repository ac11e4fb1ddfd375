//! The shell that runs commands, or none.

use crate::calls::Call;
use crate::words;
use std::path::Path;

/// The shell where none is named.
const USUAL: &str = "sh";

/// The words before the command's text; none where a command runs by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shell(Option<Vec<String>>);

impl Shell {
    /// By the words of `--shell`.
    ///
    /// # Errors
    /// Words that cannot be parted.
    pub fn named(text: Option<&str>) -> Result<Shell, String> {
        match text {
            None | Some("default") => Ok(Shell(Some(vec![USUAL.to_owned()]))),
            Some("none") => Ok(Shell(None)),
            Some(text) => Ok(Shell(Some(words::split(text).map_err(|why| format!("--shell: {why}"))?))),
        }
    }

    /// How a text is run there.
    ///
    /// # Errors
    /// A text that has no words, where there is no shell.
    pub fn call(&self, text: &str, directory: &Path) -> Result<Call, String> {
        let words = match &self.0 {
            None => words::split(text)?,
            Some(shell) => [&shell[..], &["-c".to_owned(), text.to_owned()]].concat(),
        };
        Ok(Call { text: text.to_owned(), words, directory: directory.to_owned() })
    }

    /// The words of a text that only a shell would act on, where there is none.
    pub fn unread(&self, text: &str) -> Vec<String> {
        if self.0.is_none() { words::for_a_shell(text) } else { Vec::new() }
    }

    /// The shell with nothing to do.
    ///
    /// # Errors
    /// None for a shell.
    pub fn empty(&self, directory: &Path) -> Result<Option<Call>, String> {
        self.0.as_ref().map(|_| self.call("", directory)).transpose()
    }
}
