//! Results in the forms that people know from other tools. Each is followed by Derny's own word, because the statistics of
//! those tools do not know about looks, margins and many comparisons.

pub mod criterion;
mod dots;
pub mod ministat;
pub mod node;
pub mod plain;
