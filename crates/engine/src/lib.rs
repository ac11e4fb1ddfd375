//! The engine: discover, plan, measure. The only crate that starts a process or reads a clock.
//!
//! [`discover`] finds the programs that hold benchmarks, [`catalogue`] asks them for their cases, [`plan`] decides the
//! order and the cost, and [`run`] measures and tells everything in one stream of events. It knows nothing of reports,
//! stores and analysis; of statistics it uses only what calibration needs; when to stop is the business of `derny_estimate`.

// Where no harness can be started yet (Windows), what talks to one is compiled and not called.
#![cfg_attr(not(unix), allow(dead_code, unused_imports))]

mod aside;
pub mod attached;
pub mod binary;
mod block;
mod builds;
mod calibrate;
pub mod catalogue;
pub mod conform;
mod context;
mod counterpart;
mod deck;
pub mod diagnose;
pub mod discover;
pub mod fault;
mod footprint;
pub mod glob;
pub mod hash;
pub mod launch;
pub mod link;
mod mode;
pub mod observe;
mod once;
pub mod os;
pub mod partner;
pub mod pattern;
pub mod plan;
mod preparer;
pub mod project;
pub mod reaper;
pub mod resume;
pub mod run;
pub mod runtime;
pub mod sdk;
mod seat;
mod settle;
mod sitting;
mod state;
mod turn;
mod warmth;
mod wave;
