//! Configuration of a command: its options, settings with their origins, and the terms of a verdict.

pub mod gate;
pub mod options;
pub mod settings;
pub mod units;
mod values;
