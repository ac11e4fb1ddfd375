//! Chart data, made from documents and records. Independent of pixels and formats.

mod against;
mod boxes;
mod density;
mod facts;
mod quantity;
mod scatter;
mod trace;

pub use boxes::{boxes, intervals};
pub use density::densities;
pub use quantity::Quantified;
pub use scatter::scatter;
pub use trace::{CaseTrace, Traces, traced, traces};
