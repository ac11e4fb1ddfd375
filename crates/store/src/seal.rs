//! Writes events to the database, with the turns of a visit as one blob.

use crate::backend::{Rows, RunKey, SealedTurns};
use crate::codec::blob::encode;
use crate::error::Trouble;
use crate::journal::open::Open;
use derny_model::Event;

/// Writes events. Seals a visit with its turns from `open` when it ends, and all remaining visits when the
/// run ends. `taken` is the number of the last event in the journal.
pub fn append(
    rows: &dyn Rows,
    run: RunKey,
    events: &[Event],
    open: &Open,
    taken: u64,
) -> Result<(), Trouble> {
    rows.append(run, events, taken)?;
    let ended = events.iter().filter_map(|event| match event {
        Event::VisitEnded { visit } => Some(*visit),
        _ => None,
    });
    seal_visits(rows, run, &ended.collect::<Vec<u32>>(), open)?;
    let is_over = events.iter().any(|event| matches!(event, Event::RunEnded { .. }));
    if is_over { seal_open(rows, run, open) } else { Ok(()) }
}

/// Seals every unsealed visit of a run as incomplete, with the turns in `open`.
pub fn seal_open(rows: &dyn Rows, run: RunKey, open: &Open) -> Result<(), Trouble> {
    seal_visits(rows, run, &rows.unsealed(run)?, open)
}

/// Maximum number of visits that are sealed at once. Limits the memory for their turns.
pub const AT_ONCE: usize = 64;

fn seal_visits(rows: &dyn Rows, run: RunKey, visits: &[u32], open: &Open) -> Result<(), Trouble> {
    let sealed = |visit: &u32| SealedTurns { visit: *visit, bytes: encode(&open.turns(*visit)) };
    visits
        .chunks(AT_ONCE)
        .try_for_each(|some| rows.seal(run, &some.iter().map(sealed).collect::<Vec<SealedTurns>>()))
}
