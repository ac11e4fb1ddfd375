//! One file per verb.

pub mod list;
pub mod run;
