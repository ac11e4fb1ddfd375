//! Exit codes, documented in the book and in `derny help`; the only place where they are defined.

use derny_workbench::{Error, Outcome};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// Something got worse by more than the margin, and that was asked to fail.
    Worse = 1,
    /// Usage, configuration or internal error.
    Usage = 2,
    /// A benchmark or a harness failed; the results of the others are stored.
    Failed = 3,
    /// Nothing matched.
    Nothing = 4,
    /// Whether something got worse cannot be told, and that was asked to fail.
    Undecided = 5,
    /// Interrupted; finished batches are stored.
    Interrupted = 130,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        std::process::ExitCode::from(exit as u8)
    }
}

/// The one place where an outcome becomes an exit code.
impl From<Outcome> for Exit {
    fn from(outcome: Outcome) -> Exit {
        match outcome {
            Outcome::Done => Exit::Done,
            Outcome::Worse => Exit::Worse,
            Outcome::Undecided => Exit::Undecided,
            Outcome::Failed => Exit::Failed,
            Outcome::Nothing => Exit::Nothing,
            Outcome::Interrupted => Exit::Interrupted,
        }
    }
}

/// The exit code of an error.
pub fn of_error(error: &anyhow::Error) -> Exit {
    match error.downcast_ref() {
        Some(Error::Nothing(_)) => Outcome::Nothing.into(),
        Some(Error::Interrupted) => Outcome::Interrupted.into(),
        _ => Exit::Usage,
    }
}
