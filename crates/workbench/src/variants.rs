//! Variants: the ways to launch what a run measures. What `-x` says is parsed, built, and may be a stored run that is measured again.

pub(crate) mod baseline;
pub mod build;
pub mod kept_programs;
pub mod parse;
pub(crate) mod same_code;
