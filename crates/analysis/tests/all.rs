//! Links all tests of this crate into one program, which is faster than one program per file.

mod accounting;
mod apart;
mod build;
mod clean;
mod compare;
mod compare_metrics;
mod criterion;
mod estimates;
mod kept;
mod metrics;
mod pictures;
mod ranking;
mod scaling;
mod simulation;
mod speed;
mod warning_classes;
mod warnings;
mod warnings_machine;
mod warnings_result;
