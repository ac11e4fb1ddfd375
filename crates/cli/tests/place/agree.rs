//! Every run that a test stores goes through what a run that goes on is restored by, and through analysis: their pairs must agree bit
//! by bit.

use derny_analysis::{Input, Options, compare, summarise};
use derny_estimate::pair::Pair;
use derny_model::{Quantity, Records};
use derny_store::Store;
use std::path::Path;

/// Fails the test if they do not. A store that is damaged, locked or of another version is another test's business.
pub fn check(folder: &Path) {
    let Ok(Some(store)) = Store::open_existing(folder) else { return };
    for run in store.runs(usize::MAX).unwrap_or_default() {
        if let Ok(records) = store.load(&run.header.id) {
            agree(&records);
        }
    }
}

fn agree(records: &Records) {
    let variants = records.header.variants.len();
    if variants < 2 {
        return;
    }
    let document = summarise(records);
    let input = |variant: u32| Input {
        name: variant.to_string(),
        document: &document,
        records: Some(records),
        variant,
    };
    let inputs: Vec<Input> = (0..variants as u32).map(input).collect();
    let options = Options { margin: 0.01, confidence: 0.95, metrics: &[], anytime: false, history: &[] };
    let comparison = compare(&inputs, &options);
    for (case, known) in records.cases.iter().zip(derny_engine::measure::resume::evidence(records)) {
        let compared = comparison.cases.iter().find(|compared| compared.case.id == case.id);
        for side in compared.iter().flat_map(|compared| &compared.sides) {
            let evidence = &known[side.side as usize - 1];
            let pairs = |quantity: Quantity| {
                let change = side.changes.iter().find(|change| change.quantity == quantity);
                change.map(|change| change.pairs.clone())
            };
            if let Some(typical) = pairs(Quantity::Typical) {
                contained(&evidence.typical, &typical, &case.id.to_string());
            }
            // Whose time is taken, the processor's or the clock's, depends on all processes: it may differ where some were lost.
            if let (Some(own), Some(mean)) = (&evidence.mean, pairs(Quantity::Mean))
                && own.len() == mean.len()
            {
                contained(own, &mean, &case.id.to_string());
            }
        }
    }
}

/// Analysis has every pair, in the same order; and those of blocks from which a third side is missing.
fn contained(own: &[Pair], all: &[f64], case: &str) {
    let mut rest = all.iter();
    for pair in own {
        let share = libm::expm1(pair.log);
        assert!(
            rest.any(|other| other.to_bits() == share.to_bits()),
            "{case}: the pair of block {} is {share} to who stops and none of {all:?} to analysis",
            pair.block
        );
    }
}
