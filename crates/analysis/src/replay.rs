//! The event stream of a run (`--format ndjson`) back into the records that a store would have kept.

use derny_model::{Event, Records, RunStatus};

/// Records from events in their order; none if no run starts among them. A stream that breaks off is a partial run.
/// Of several runs in one stream the last counts.
pub fn replay(events: impl IntoIterator<Item = Event>) -> Option<Records> {
    let mut records: Option<Records> = None;
    for event in events {
        if let Event::RunStarted { run, cases, .. } = event {
            let mut header = *run;
            header.status = RunStatus::Partial;
            records = Some(Records::new(header, cases));
        } else if let Some(records) = &mut records {
            records.take(event);
        }
    }
    records
}
