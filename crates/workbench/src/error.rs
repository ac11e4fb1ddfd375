//! Errors of the workbench. Every message is a [`Problem`] and ends in an exit code.

use derny_model::{Problem, problem};
use derny_store::StoreError;
use std::fmt::Display;
use std::io;

/// An error of the workbench. Its text is complete: it includes the text of its cause.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An option, a setting or a file cannot be used.
    #[error(transparent)]
    Refused(#[from] Problem),
    /// A file or a stream failed.
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
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is nothing to do: no benchmark, case or run matches the request.
    #[error(transparent)]
    Nothing(Problem),
    /// A baseline cannot be measured again: one sentence.
    #[error("{0}")]
    NotAgain(String),
    /// The user wanted to stop while something was built.
    #[error("interrupted")]
    Interrupted,
}

/// The result of every fallible function here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Names the operation when the system reports an error.
pub trait Doing<T> {
    /// Returns the same result; its error begins with `what`.
    fn doing(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T> Doing<T> for io::Result<T> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|cause| Error::File { problem: problem!("{}: {cause}", what()), cause })
    }
}

impl Error {
    /// Returns the message in its parts.
    pub fn into_problem(self) -> Problem {
        match self {
            Error::Refused(problem) | Error::File { problem, .. } | Error::Nothing(problem) => problem,
            Error::Store(error) => error.problem,
            Error::System(_) | Error::NotAgain(_) | Error::Interrupted => Problem::new(self),
        }
    }

    /// Returns the same error with `what` in front: what could not be done because of it.
    pub fn within(self, what: impl Display) -> Error {
        Error::Refused(self.into_problem().within(what))
    }

    /// Returns what is wrong and why on one line.
    pub fn in_a_line(self) -> String {
        self.into_problem().in_a_line()
    }

    /// Returns the system's error behind it, if there is one. A closed pipe at the reader's end is found
    /// this way.
    pub fn io(&self) -> Option<&io::Error> {
        match self {
            Error::File { cause, .. } | Error::System(cause) => Some(cause),
            _ => None,
        }
    }
}
