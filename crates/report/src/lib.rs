//! Reports: documents in, text out.
//!
//! One file per format. Knows the model and how to write numbers; knows nothing of terminals, files, clocks or
//! statistics: width, character set and colour come in as [`Style`], the time of day as an argument.

pub mod failure;
pub mod json;
pub mod numbers;
pub mod terminal;
pub mod warning;

mod columns;
mod footer;
mod style;
mod table;
mod tree;

pub use footer::footer;
pub use style::Style;
