//! Results in the forms that people know from other tools. Each is followed by Derny's own word, because the statistics of
//! those tools do not know about looks, margins and many comparisons.

mod dots;
pub mod ministat;
pub mod node;
pub mod plain;
