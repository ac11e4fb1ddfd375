//! The workbench: everything between the command line and the engine.
//!
//! 1. `config` reads plain options, and settings with their origins.
//! 2. `project` finds the project and opens its store.
//! 3. `variants` parses, resolves and builds the variants.
//! 4. `pipeline/plan` plans the run.
//! 5. `pipeline/measure` passes the plan to the engine, and the engine's events to the store.
//! 6. `pipeline/conclude` analyses the records, together with stored runs that `results` finds.
//! 7. `notice` and `results/outcome` report to the caller.
//!
//! The workbench prints nothing and installs no signal handler: it returns its messages as data.

pub mod config;
pub mod error;
pub mod init;
pub mod notice;
pub mod pipeline;
pub mod project;
pub mod release;
pub mod results;
pub mod variants;

pub use error::{Error, Result};
pub use notice::Notice;
pub use results::outcome::{Happened, Outcome};
