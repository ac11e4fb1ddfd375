//! The engine discovers, plans and measures. Only this crate starts harnesses and reads clocks to
//! measure.
//!
//! 1. `discover` finds the programs that contain benchmarks.
//! 2. `discover/listing` lists their cases, and `discover/catalogue` caches the lists.
//! 3. `plan` decides the order and the cost of all processes.
//! 4. `launch` starts a harness, and `launch/link` exchanges lines of the protocol with it.
//! 5. `measure/wave` runs blocks, and `measure/block` takes a case through its steps.
//! 6. `measure/turn` summarises each answer, and `measure/context` emits it as an event.
//! 7. `observe` reads the machine and the processes from outside. Its readings are also events.
//! 8. `measure/decision` looks at all cases after a stage and returns those that continue.
//!
//! The engine does not depend on reports, stores or analysis. `derny_estimate` decides when to stop.

// On a platform that cannot start harnesses yet (Windows), the code that communicates with them compiles but
// is not called.
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
