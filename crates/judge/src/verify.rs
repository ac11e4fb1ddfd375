//! Checks a receipt: recomputes the decision from the stored measurements.

use crate::found::Found;
use crate::receipt;
use derny_model::{Receipt, problem};
use derny_store::Store;
use derny_workbench::Result;
use std::path::Path;

/// The result of checking a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// Id of the run.
    pub run: String,
    /// Everything that contradicts the receipt, as sentences. Empty if it is correct.
    pub wrong: Vec<String>,
    /// Remarks that contradict nothing, as sentences.
    pub notes: Vec<String>,
}

/// Checks a receipt: a file with the JSON of a judgement or of its receipt, or the name of a run.
///
/// # Errors
/// Fails if the file is not a receipt, or if the store has neither the run nor a receipt of it.
pub fn verify(store: &Store, word: &str) -> Result<Verified> {
    let path = Path::new(word);
    let receipt = match path.is_file() {
        true => of_file(path)?,
        false => {
            let run = store.resolve(word)?;
            receipt::find(store, &run)?.ok_or_else(|| {
                problem!("run {run} has no receipt")
                    .why("it was not measured by `derny judge`")
                    .remedy("`derny judge -f json` prints the receipt with the decision")
            })?
        }
    };
    let records = store.load(&receipt.run)?;
    let header = records.header.clone();
    let found = Found::of(records, &receipt.weights, receipt.level, receipt.parity)?;
    let mut wrong = Vec::new();
    let mut compare = |what: &str, said: String, is: String| {
        if said != is {
            wrong.push(format!("{what}: the receipt says {said}, but the stored run says {is}"));
        }
    };
    compare("seed", receipt.seed.to_string(), header.seed.to_string());
    compare("machine", receipt.machine.clone(), header.machine.host.clone());
    for (number, side) in (0..).zip(&receipt.sides) {
        let programs = receipt::programs(&header, number);
        compare(&format!("programs of {}", side.name), side.programs.join(" "), programs.join(" "));
    }
    // These grounds follow from observations during the call, and not from the measurements.
    use derny_model::Ground::{BenchmarkChanged, Failed, Incomplete, TooGood, Witness};
    if !matches!(receipt.ground, BenchmarkChanged | Failed | Incomplete | TooGood | Witness) {
        compare("verdict", receipt.verdict.token().into(), found.ruling.verdict.token().into());
        compare("ground", receipt.ground.token().into(), found.ruling.ground.token().into());
        compare("score", format!("{:.6}", receipt.score), format!("{:.6}", found.score(&found.ruling)));
    }
    let mut notes = Vec::new();
    if receipt.derny != env!("CARGO_PKG_VERSION") {
        notes.push(format!("the run was measured by derny {}", receipt.derny));
    }
    Ok(Verified { run: receipt.run, wrong, notes })
}

fn of_file(path: &Path) -> Result<Receipt> {
    let refused = |why: String| {
        problem!("{} is not a receipt", path.display())
            .why(why)
            .remedy("use the output of `derny judge -f json`, or the name of its run")
    };
    let text = std::fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
    let value: serde_json::Value = serde_json::from_str(&text).map_err(|error| refused(error.to_string()))?;
    let own = value.get("receipt").unwrap_or(&value).clone();
    Ok(serde_json::from_value(own).map_err(|error| refused(error.to_string()))?)
}
