//! The vocabulary of Derny as types.
