//! Results in the file formats of other tools, for existing pipelines. Each format has a file. If the crate
//! `import` can read a format, its importer has the same file name.

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

/// Returns the name of a case for a format without variants. With `several` variants, the name contains the
/// variant. `own` is the suite of cases imported from this format, which keep their original names.
fn name(case: &Case, variant: &VariantResult, several: bool, own: &str) -> String {
    let id = &case.id;
    let name = if id.suite == own { id.name() } else { id.to_string() };
    of_variant(name, variant, several)
}

fn of_variant(name: String, variant: &VariantResult, several: bool) -> String {
    if several { format!("{name} ({})", variant.variant) } else { name }
}
