//! Observes a harness and the machine from outside, with one file per kind of observation.
//!
//! Most observations exist on Linux only. On other systems their readers return `None`, and [`unobserved`]
//! lists what is missing.

pub mod clock;
pub mod footprint;
mod kernels;
pub mod limits;
pub mod machine;
pub mod memory;
pub mod process;
pub mod programs;
mod script;
pub mod spin;
pub mod system;
pub mod thread;
pub mod yardsticks;

/// Returns descriptions of what this platform cannot observe.
pub fn unobserved() -> Vec<String> {
    if cfg!(target_os = "linux") {
        return Vec::new();
    }
    [
        "run-queue delay of the measuring thread",
        "preemptions",
        "steal",
        "pressure",
        "moving a thread to a processor",
    ]
    .map(String::from)
    .to_vec()
}
