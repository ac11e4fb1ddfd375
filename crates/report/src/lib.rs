//! Reports: documents in, text out.
//!
//! One file per format. Knows the model and how to write numbers; knows nothing of terminals, files, clocks or
//! statistics: width, character set and colour come in as [`Style`], the time of day as an argument. Text ends
//! with a line break unless a function says that it is one line.

pub mod chart;
pub mod comparison;
pub mod context;
pub mod csv;
pub mod detail;
pub mod diagnosis;
pub mod doctor;
pub mod explain;
pub mod failure;
pub mod fastest;
pub mod fleet;
pub mod footer;
pub mod foreign;
pub mod html;
pub mod json;
pub mod list;
pub mod markdown;
pub mod numbers;
pub mod plan;
pub mod raw;
pub mod runs;
pub mod scaling;
pub mod settings;
pub mod stability;
pub mod stats;
pub mod terminal;
pub mod views;
pub mod warning;

mod columns;
mod ranking;
mod style;
mod subject;
mod table;
mod tree;

pub use style::Style;
