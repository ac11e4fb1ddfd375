//! Errors of the workbench. Each has a [`Problem`] as its message, and maps to an exit code.

use derny_model::{Problem, problem};
use derny_store::StoreError;
use std::fmt::Display;
use std::io;

/// An error of the workbench. Its text includes the text of its cause.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An option, a setting or a file is not valid.
    #[error(transparent)]
    Refused(#[from] Problem),
    /// An operation on a file or a stream failed.
    #[error("{problem}")]
    File {
        /// The operation that failed, such as `cannot read FILE: no such file`.
        problem: Problem,
        /// The system's error. The text already contains it, so it is not a source of this error.
        cause: io::Error,
    },
    /// A system error without a more specific kind.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The store failed, or rejected an operation.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is nothing to do: no benchmark, case or run matches the request.
    #[error(transparent)]
    Nothing(Problem),
    /// A baseline cannot be measured again. Contains the reason, as one sentence.
    #[error("{0}")]
    NotAgain(String),
    /// The user stopped the command during a build.
    #[error("interrupted")]
    Interrupted,
}

/// Result of the workbench's fallible functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Adds the failed operation to an I/O error.
pub trait Doing<T> {
    /// Puts `what`, the operation that failed, in front of the error.
    fn doing(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T> Doing<T> for io::Result<T> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|cause| Error::File { problem: problem!("{}: {cause}", what()), cause })
    }
}

impl Error {
    /// Returns the message, split into its parts.
    pub fn into_problem(self) -> Problem {
        match self {
            Error::Refused(problem) | Error::File { problem, .. } | Error::Nothing(problem) => problem,
            Error::Store(error) => error.problem,
            Error::System(_) | Error::NotAgain(_) | Error::Interrupted => Problem::new(self),
        }
    }

    /// Puts `what`, the operation that could not be done, in front of the error.
    pub fn within(self, what: impl Display) -> Error {
        Error::Refused(self.into_problem().within(what))
    }

    /// Returns the problem and its reason on one line.
    pub fn in_a_line(self) -> String {
        self.into_problem().in_a_line()
    }

    /// Returns the underlying I/O error, if there is one. Callers use it to detect a closed pipe.
    pub fn io(&self) -> Option<&io::Error> {
        match self {
            Error::File { cause, .. } | Error::System(cause) => Some(cause),
            _ => None,
        }
    }
}
