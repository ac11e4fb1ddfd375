// Modules that all crates replacing a framework share.

#[path = "../src/alloc.rs"]
mod alloc;
#[path = "../src/clock.rs"]
mod clock;
#[path = "../src/loops.rs"]
mod loops;
#[path = "../src/panics.rs"]
mod panics;
#[path = "../src/turns.rs"]
mod turns;
#[path = "../src/wire.rs"]
mod wire;

mod bodies;
mod live;
mod start;
