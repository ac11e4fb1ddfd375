//! Variants: the ways to launch the measured programs. A variant is parsed from the text of `-x`
//! (`VariantSpec`), resolved (`ResolvedVariant`) and built (the model's `Variant`).

pub(crate) mod baseline;
pub mod build;
pub mod diff;
pub mod kept_programs;
pub mod parse;
pub mod places;
pub mod resolve;
pub(crate) mod same_code;
