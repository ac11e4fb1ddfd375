//! What a run under way has in the directory of the store: a lock that its recorder holds, and the events that the
//! database does not hold yet. Knows no database.

pub mod alive;
pub mod frames;
pub mod open;
