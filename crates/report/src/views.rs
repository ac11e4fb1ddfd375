//! Results in the terminal formats of other tools. Derny's own verdict follows each, because the statistics
//! of those tools do not account for looks, margins and multiple comparisons.

pub mod criterion;
mod dots;
pub mod ministat;
pub mod node;
pub mod plain;
