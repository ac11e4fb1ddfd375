//! Stands in for the crate of this name, whose place is taken.
