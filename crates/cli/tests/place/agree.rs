//! Checks every run of several variants that a test stores. The changes in time by which the engine stops a
//! case must equal those that a report shows, bit by bit.

use derny_analysis::{Input, Options, compare, summarise};
use derny_model::{CaseId, Change, Look, Reason, Records, Verdict};
use derny_store::Store;
use std::path::Path;

/// Fails the test if these changes differ for a run in this folder. Other tests cover stores that are
/// damaged, locked or of another version.
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
    let settings = &records.header.settings;
    let options = Options {
        margin: settings.margin,
        mean_margin: settings.mean_margin,
        confidence: settings.confidence,
        ..Options::default()
    };
    let comparison = compare(&inputs, &options);
    let looked = |case: &CaseId| {
        let own = |look: &Look| records.cases[look.case as usize].id == *case;
        records.looks.iter().any(own)
    };
    for (case, judged) in records.cases.iter().zip(derny_engine::measure::resume::judged(records)) {
        let compared = comparison.cases.iter().find(|compared| compared.case.id == case.id);
        // Only cases with a look have been judged. A killed run contains others.
        for reported in compared.iter().flat_map(|case| &case.sides).filter(|_| looked(&case.id)) {
            let Some(stopped) = judged.iter().find(|one| one.side.side == reported.side) else { continue };
            for change in stopped.side.changes.iter().filter(|change| change.quantity.metric() == "time") {
                let same = |other: &&Change| other.quantity == change.quantity;
                let Some(told) = reported.changes.iter().find(same) else { continue };
                assert_eq!(bits(change), bits(told), "{}: what stops is not what is reported", case.id);
            }
        }
    }
}

/// Returns the parts of a change that must agree to the last bit.
fn bits(change: &Change) -> (Vec<Option<u64>>, Verdict, Option<Reason>) {
    let interval = change.change.and_then(|estimate| estimate.interval);
    let ends = [interval.map(|i| i.lo), interval.map(|i| i.hi)];
    let numbers = ends.into_iter().chain([change.p, change.q, change.holm]);
    // A resumed run continues as if it had not been interrupted. Only the report mentions the interruption.
    let reason =
        change.reason.map(|reason| if reason == Reason::Interrupted { Reason::Noise } else { reason });
    (numbers.map(|value| value.map(f64::to_bits)).collect(), change.verdict, reason)
}
