//! The engine: discover, plan, measure. The only crate that starts a process or reads a clock.
//!
//! [`discover`] finds the programs that hold benchmarks, [`catalogue`] asks them for their cases, [`plan`] decides the
//! order and the cost, and [`run`] measures and tells everything in one stream of events. It knows nothing of reports,
//! stores and analysis; of statistics it uses only what calibration needs; when to stop is the business of `derny_estimate`.

// Where no harness can be started yet (Windows), what talks to one is compiled and not called.
#![cfg_attr(not(unix), allow(dead_code, unused_imports))]

pub mod conform;
pub mod diagnose;
pub mod discover;
pub mod hash;
pub mod launch;
pub mod measure;
pub mod observe;
pub mod os;
pub mod plan;
