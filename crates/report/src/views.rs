//! Results in the formats of other tools. Each is followed by Derny's own verdict, because the statistics of
//! those tools do not account for looks, margins and multiple comparisons.

pub mod criterion;
mod dots;
pub mod ministat;
pub mod node;
pub mod plain;
