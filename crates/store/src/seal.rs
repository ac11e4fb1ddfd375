//! Events into the database, and the turns of a visit as one blob.

use crate::backend::{Rows, RunKey, SealedTurns};
use crate::codec::blob::encode;
use crate::error::Trouble;
use crate::journal::open::Open;
use derny_model::Event;

/// Writes events; a visit that ended takes its turns from `open`, and so does every other when the run ends. `taken` is
/// the journal's number of the last of them.
pub fn append(
    rows: &dyn Rows,
    run: RunKey,
    events: &[Event],
    open: &Open,
    taken: u64,
) -> Result<(), Trouble> {
    rows.append(run, events, taken)?;
    for event in events {
        match event {
            Event::VisitEnded { visit } => seal_visit(rows, run, *visit, open)?,
            Event::RunEnded { .. } => seal_open(rows, run, open)?,
            _ => {}
        }
    }
    Ok(())
}

/// Seals every visit of a run that was not; they stay incomplete. `open` holds their turns.
pub fn seal_open(rows: &dyn Rows, run: RunKey, open: &Open) -> Result<(), Trouble> {
    rows.unsealed(run)?.into_iter().try_for_each(|visit| seal_visit(rows, run, visit, open))
}

fn seal_visit(rows: &dyn Rows, run: RunKey, visit: u32, open: &Open) -> Result<(), Trouble> {
    rows.seal(run, &SealedTurns { visit, bytes: encode(&open.turns(visit)) })
}
