//! Results in the files of other tools, so that what people built around those goes on working. Each format is one file
//! here; its reader, where Derny has one, is the file of the same name in the crate `import`.

mod batches;
pub mod benchfella;
pub mod benchfmt;
pub mod benchmark_action;
pub mod bmf;
pub mod criterion;
pub mod hyperfine;
pub mod jmh;
pub mod node;
pub mod openmetrics;
pub mod rebar3;

use derny_model::{Case, VariantResult};

/// What a file without variants calls a case of one of them. A case that was imported from such a file has the name that stood there.
fn name(case: &Case, variant: &VariantResult, several: bool, own: &str) -> String {
    let id = &case.id;
    let name = if id.suite == own { id.name() } else { id.to_string() };
    of_variant(name, variant, several)
}

fn of_variant(name: String, variant: &VariantResult, several: bool) -> String {
    if several { format!("{name} ({})", variant.variant) } else { name }
}
