//! Placeholder for the crate of this name, which is replaced.
