//! Support for tests of the other crates: simulated noise with a known truth ([`scenario`]), a reader of HTML
//! reports ([`page`]), a database server ([`postgres`]), and the scripted harness `derny-fake-harness`, a
//! program of this package. Nothing here is part of a release.

pub mod page;
pub mod postgres;
pub mod program;
pub mod scenario;
pub mod simulator;
