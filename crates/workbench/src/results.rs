//! Results: runs that are stored, or were read from a file, what they came to, and how they compare.

pub mod compare;
pub(crate) mod history;
pub mod input;
pub mod outcome;
pub mod source;
pub mod stored;
