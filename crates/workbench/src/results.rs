//! Results: runs from the store or a file, their documents, and their comparison.

pub mod compare;
pub mod diagnoses;
pub(crate) mod history;
pub mod input;
pub mod outcome;
pub mod source;
pub mod stored;
