//! Reports: documents in, text out.
//!
//! There is one file per format. The crate formats the model's types. It does not access terminals, files or
//! clocks and computes no statistics: width, character set and colour are given by [`Style`], the current
//! time by an argument. Text ends with a line break unless a function returns a single line.

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
