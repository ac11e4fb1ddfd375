//! The receipt: what was measured, with hashes of everything that could have been exchanged.

use crate::rule::Ruling;
use crate::sides::Side;
use derny_model::{Commit, Receipt, ReceiptSide, RunHeader};
use derny_store::Store;
use derny_workbench::Result;

/// Version of the format.
pub(crate) const FORMAT: u32 = 1;

/// The data of a judgement that the run does not contain.
pub(crate) struct Facts<'a> {
    /// The sides in the order of the run: name and side.
    pub sides: &'a [(String, Side)],
    pub frozen: &'a [(String, String)],
    pub margin: f64,
    pub level: f64,
    pub weights: &'a [(String, f64)],
    pub parity: Option<f64>,
    pub score: f64,
}

/// Returns the receipt of a run.
pub(crate) fn receipt(header: &RunHeader, facts: &Facts<'_>, ruling: &Ruling) -> Receipt {
    let side = |(number, (name, side)): (u32, &(String, Side))| ReceiptSide {
        name: name.clone(),
        side: side.text.clone(),
        commit: side.commit.as_ref().map(|hash| Commit { hash: hash.clone(), branch: None, dirty: false }),
        tree: side.tree.clone(),
        programs: programs(header, number),
    };
    Receipt {
        format: FORMAT,
        run: header.id.clone(),
        derny: header.derny.clone(),
        machine: header.machine.host.clone(),
        seed: header.seed,
        runtimes: header.runtimes.clone(),
        sides: (0..).zip(facts.sides).map(side).collect(),
        frozen: facts.frozen.to_vec(),
        margin: facts.margin,
        level: facts.level,
        weights: facts.weights.to_vec(),
        parity: facts.parity,
        verdict: ruling.verdict,
        ground: ruling.ground,
        score: facts.score,
    }
}

/// Returns the hashes of the native programs of a side, in the order of the run.
pub(crate) fn programs(header: &RunHeader, variant: u32) -> Vec<String> {
    let own = header.built.iter().filter(|built| built.variant == variant);
    own.flat_map(|built| &built.programs).map(|program| program.hash.clone()).collect()
}

/// Stores a receipt beside its run.
///
/// # Errors
/// Fails if the store cannot be written.
pub(crate) fn keep(store: &Store, receipt: &Receipt) -> Result<()> {
    let text = serde_json::to_string(receipt).expect("a receipt has only text keys");
    Ok(store.change_text(&key(&receipt.run), |_| text.clone())?)
}

/// Returns the receipt of a run, if there is one.
///
/// # Errors
/// Fails if the store cannot be read.
pub(crate) fn find(store: &Store, run: &str) -> Result<Option<Receipt>> {
    Ok(store.text(&key(run))?.and_then(|text| serde_json::from_str(&text).ok()))
}

fn key(run: &str) -> String {
    format!("judge-receipt:{run}")
}
