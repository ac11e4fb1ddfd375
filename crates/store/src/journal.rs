//! The journal of a run in progress, in the store's directory. It consists of a lock that the recorder holds,
//! and of events that are not yet in the database.

pub mod alive;
pub mod frames;
pub mod open;
