//! Variants: the ways to launch the measured programs. The text of `-x` is parsed (`VariantSpec`), resolved
//! (`ResolvedVariant`) and built (the `Variant` of the model).

pub(crate) mod baseline;
pub mod build;
pub mod kept_programs;
pub mod parse;
pub mod resolve;
pub(crate) mod same_code;
