//! The errors of a store.

use derny_model::Problem;

/// The kind of an error, for callers that handle it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The directory or file cannot be opened or created.
    Open,
    /// A newer derny wrote the file.
    TooNew,
    /// Another process kept the database locked for too long.
    Busy,
    /// The disk is full. Data that were already written are kept.
    Full,
    /// The database failed for another reason.
    Database,
    /// Stored bytes are corrupt.
    Damaged,
    /// No run or baseline has this name.
    Unknown,
    /// Several runs match the name.
    Ambiguous,
    /// The run is being recorded, or a baseline points to it.
    InUse,
    /// The name is not allowed.
    BadName,
}

/// An error of the store.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub struct StoreError {
    /// Kind of the error, for callers that handle it.
    pub kind: ErrorKind,
    /// Message for the user.
    pub problem: Problem,
}

/// An error within the store, to which the operation and the location have yet to be added.
#[derive(Debug)]
pub(crate) enum Trouble {
    Database {
        kind: ErrorKind,
        why: String,
        remedy: String,
    },
    Damaged(String),
    /// The error already contains the operation and the location.
    Told(StoreError),
}

impl From<serde_json::Error> for Trouble {
    fn from(error: serde_json::Error) -> Self {
        Trouble::Damaged(error.to_string())
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Trouble::Told(error)
    }
}

impl Trouble {
    pub(crate) fn unreadable(visit: u32) -> Trouble {
        Trouble::Damaged(format!("the turns of visit {visit} cannot be read"))
    }

    pub(crate) fn of(self, what: &str, place: &str) -> StoreError {
        let (kind, why, remedy) = match self {
            Trouble::Told(error) => return error,
            Trouble::Damaged(why) => {
                (ErrorKind::Damaged, why, "delete the run with `derny runs delete`".into())
            }
            Trouble::Database { kind, why, remedy } => (kind, why, remedy),
        };
        StoreError { kind, problem: Problem::new(what).place(place).why(why).remedy(remedy) }
    }
}
