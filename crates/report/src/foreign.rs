//! Results in the files of other tools, so that what people built around those goes on working. Each format is one file
//! here; its reader, where Derny has one, is the file of the same name in the crate `import`.

pub mod benchfella;
pub mod benchfmt;
pub mod criterion;
pub mod node;
pub mod rebar3;
