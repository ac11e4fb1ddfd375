//! The project: its files, its store, its git repository, and the builds of its suites.

pub mod build;
pub mod check;
pub(crate) mod extra_args;
pub mod git;
mod limited;
pub mod queue;
pub mod remote;
pub mod session;
pub(crate) mod worktree;
