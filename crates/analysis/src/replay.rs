//! Converts the event stream of a run (`--format ndjson`) back into records.

use derny_model::{Event, Records, RunStatus};

/// Builds records from a stream of events (`--format ndjson`). Returns `None` if no run starts in it. A
/// truncated stream becomes a partial run. If there are several runs, the last one counts.
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
