//! Comparisons as text, one file per format. Pure.

pub mod annotations;
pub mod csv;
pub mod details;
mod failing;
pub mod junit;
pub mod markdown;
pub mod table;

mod layout;
mod notes;
pub(crate) mod rows;

pub use details::details;
pub use failing::failing;
pub(crate) use notes::first_lines;
pub(crate) use rows::{figures_on_one_line, footnote, name, quantity, word};
pub use table::table;

use derny_model::Comparison;

/// Returns the whole comparison as indented JSON. Its `format` is [`Comparison::FORMAT`]; keys are added
/// within a format, never renamed.
pub fn json(comparison: &Comparison) -> String {
    crate::json::printed(comparison)
}
