//! A placeholder for the crate of this name, which Derny replaces.
