//! What can go wrong on the workbench. Messages have up to four parts: what, where, why, and what to try.

use derny_engine::discover::DiscoverError;
use derny_engine::discover::project::ProjectError;
use derny_store::StoreError;
use std::io;

/// An error of the workbench. Its text is complete: a cause that has a text of its own is part of it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An option, a setting or a file says what cannot be done. The text has its lines already.
    #[error("{0}")]
    Refused(String),
    /// A file or a stream failed. `what` says what was to be done with it.
    #[error("{what}: {cause}")]
    File {
        /// What could not be done, such as `cannot read FILE`.
        what: String,
        /// The system's answer. The text above contains it, so that it is no source of this error.
        cause: io::Error,
    },
    /// The system refused something that has no better name.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The project's configuration cannot be read.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The programs of the project cannot be found.
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    /// There is nothing to do: no benchmark, no case, no run is as it was asked for.
    #[error("{0}")]
    Nothing(String),
    /// A baseline cannot be measured again: one sentence.
    #[error("{0}")]
    NotAgain(String),
    /// The user wanted to stop while something was built.
    #[error("interrupted")]
    Interrupted,
}

/// The result of everything that can fail here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error with a text, written as for `format!`.
#[macro_export]
macro_rules! refused {
    ($($text:tt)+) => { $crate::error::Error::Refused(format!($($text)+)) };
}

/// Returns an error with a text.
#[macro_export]
macro_rules! refuse {
    ($($text:tt)+) => { return Err($crate::error::refused!($($text)+)) };
}

pub use {refuse, refused};

/// Says what was to be done when the system refuses.
pub trait Doing<T> {
    /// The same result; its error begins with `what`.
    fn doing(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T> Doing<T> for io::Result<T> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|cause| Error::File { what: what(), cause })
    }
}

impl Error {
    /// The same error with `what` in front: what could not be done because of it.
    pub fn within(self, what: &str) -> Error {
        Error::Refused(format!("{what}: {self}"))
    }

    /// Its first line, and why, as one sentence.
    pub fn in_a_line(&self) -> String {
        let text = self.to_string();
        let what = text.lines().next().unwrap_or_default().to_owned();
        match text.lines().find_map(|line| line.trim_start().strip_prefix("why ")) {
            Some(why) => format!("{what}: {}", why.trim()),
            None => what,
        }
    }

    /// The system's error behind it, if there is one. A closed pipe at the reader's end is found this way.
    pub fn io(&self) -> Option<&io::Error> {
        match self {
            Error::File { cause, .. } | Error::System(cause) => Some(cause),
            _ => None,
        }
    }
}
