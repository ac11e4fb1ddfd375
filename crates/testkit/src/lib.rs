//! Support for tests of the other crates. It is not part of a release.
//!
//! 1. `scenario` generates the noise of a machine, for tests of single rules.
//! 2. `simulator/scene` generates complete comparisons with a known truth.
//! 3. `simulator/rule` judges them with the estimate crate, as engine and analysis do.
//! 4. `bin/derny-fake-harness` is the scripted harness, a program of this package. `program` finds it.
//! 5. `postgres` starts a database server.
//! 6. `page` reads the data of an HTML report.

pub mod page;
pub mod postgres;
pub mod program;
pub mod scenario;
pub mod simulator;
