//! The tests of this crate in one program, so that only one program is linked.

mod properties;
mod session;
mod transcripts;
