//! The tests of this crate as one program, which is linked once.

mod properties;
mod session;
mod transcripts;
