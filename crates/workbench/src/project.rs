//! The project: what it holds and where it is stored, what git knows of it, and how its suites are built.

pub mod build;
pub(crate) mod extra_args;
pub mod git;
pub mod session;
pub(crate) mod worktree;
