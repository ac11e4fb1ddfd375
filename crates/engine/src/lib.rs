//! The engine: discover, plan, measure. The only crate that starts a process or reads a clock.
//!
//! [`discover`] finds the programs that contain benchmarks, [`catalogue`] lists their cases, [`plan`] decides
//! the order and the cost, and [`run`] measures and reports everything in one stream of events. It knows
//! nothing of reports, stores and analysis; of statistics it uses only what calibration needs;
//! `derny_estimate` decides when to stop.

// On a platform that cannot start harnesses yet (Windows), the code that talks to them compiles but is not
// called.
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
