//! Reports: turns documents into text.
//!
//! 1. `style` contains the caller's choices: width, character set and colour.
//! 2. `subject` names a case, and `numbers` formats a figure with its unit.
//! 3. `columns` selects the figures of a document to show; `tree` and `table` lay them out.
//! 4. `context`, `warning` and `footer` are the text around the table.
//! 5. `terminal`, `markdown`, `csv`, `json` and `html` write one format each, and `foreign` several others.
//! 6. `comparison` does the same for two or more sides, and `views` in the style of other tools.
//! 7. `history` prints figures over commits, and `site` writes them as a static site.
//! 8. `chart` draws pictures, which are results of analysis, as SVG.
//!
//! The crate only formats the model's types. It does not access terminals, files or clocks and computes no
//! statistics. The current time is an argument. Text ends with a line break, except where a function returns
//! a single line.

pub mod bisection;
pub mod chart;
pub mod commands;
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
pub mod history;
pub mod html;
pub mod json;
pub mod judgement;
pub mod list;
pub mod markdown;
pub mod numbers;
pub mod plan;
pub mod raw;
pub mod runs;
pub mod scaling;
pub mod settings;
pub mod site;
pub mod stability;
pub mod stats;
pub mod terminal;
pub mod views;
pub mod warning;

mod columns;
mod cut;
mod deflated;
mod ranking;
mod style;
mod subject;
mod table;
mod tree;

pub use style::Style;
