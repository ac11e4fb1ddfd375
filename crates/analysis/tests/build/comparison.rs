//! Compares the variants of a constructed run.

use super::RunBuilder;
use derny_analysis::{Input, Options, compare, summarise};
use derny_model::Comparison;

pub fn options() -> Options<'static> {
    Options::default()
}

pub fn of_run(run: &RunBuilder, options: &Options) -> Comparison {
    let document = summarise(&run.records);
    let inputs: Vec<Input> = (0..run.records.header.variants.len() as u32)
        .map(|variant| Input {
            name: document.run.variants[variant as usize].name.clone(),
            document: &document,
            records: Some(&run.records),
            variant,
        })
        .collect();
    compare(&inputs, options)
}
