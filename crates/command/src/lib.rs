//! Whole commands as benchmarks: `derny try`.
//!
//! 1. `request` contains the user's request.
//! 2. `parameters` combines the values of the parameters and fills them into texts.
//! 3. `plan` turns the request into runs: commands for a `shell`, or split into `words`.
//! 4. `copies` gives each command a separate folder, on request.
//! 5. `first` runs every command once before anything is measured.
//! 6. `printed` reads the figures of a run, `figures` describes them, and `settle` decides which to measure.
//! 7. `calls` describes the commands in a file, which the harness reads.
//! 8. `harness` speaks the protocol: an iteration is one run of a command, from its start to its end.

pub mod calls;
pub mod copies;
pub mod figures;
pub mod first;
mod gather;
pub mod harness;
pub mod os;
pub mod parameters;
pub mod plan;
pub mod printed;
pub mod request;
pub mod settle;
mod shell;
pub mod words;
