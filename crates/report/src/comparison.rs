//! Formats comparisons as text, one file per format.

pub mod annotations;
pub mod csv;
pub mod details;
mod failing;
pub mod junit;
pub mod markdown;
pub mod table;

mod layout;
mod notes;
mod quantities;
pub(crate) mod rows;
mod unclear;

pub use details::details;
pub use failing::failing;
pub(crate) use notes::first_lines;
pub(crate) use quantities::quantity;
pub(crate) use rows::{decisive, figures_on_one_line, footnote, name, rank, sides, word};
pub use table::{Parts, table};
pub(crate) use unclear::lines as unclear_lines;
