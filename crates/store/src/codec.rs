//! The binary encoding of turns. It is the same for every database and for the journal.

pub mod blob;
mod columns;
mod more;
mod times;
pub mod varint;
