//! `derny export`: a stored run for other programs, as a document or as every batch.

use crate::args::{ExportArgs, ExportFormat, Global};
use crate::exit::Exit;
use crate::output::Destination;
use crate::session::Session;
use crate::source::Source;
use crate::stored;
use anyhow::{Result, anyhow, bail};
use derny_analysis::criterion::criterion;
use derny_report::{self as report, foreign};
use derny_store::Store;

/// Bytes gathered before they are written.
const CHUNK: usize = 64 * 1024;

/// Exports.
pub fn export(global: &Global, args: &ExportArgs) -> Result<Exit> {
    match (args.raw, args.format) {
        (true, ExportFormat::Json) => {
            bail!("raw rows have no JSON form\n  try    -f ndjson, an object per row")
        }
        (false, ExportFormat::Ndjson) => bail!("the document has no NDJSON form\n  try    -f json, or --raw"),
        (true, ExportFormat::Csv | ExportFormat::Ndjson) | (false, _) => {}
        (true, _) => bail!("raw rows have no such form\n  try    -f csv or -f ndjson, or without --raw"),
    }
    let session = Session::open(global)?;
    let mut out = Destination::open(args.output.as_deref())?;
    let Some((source, store)) = stored::source(&session, &args.stored)? else { return Ok(Exit::Nothing) };
    if !args.raw {
        out.write(&text(args.format, &source, store.as_ref())?)?;
        return Ok(Exit::Done);
    }
    let Source::Records(records) = source else {
        bail!(
            "a document holds no batches\n  try    without --raw, or the event stream of `derny run -f ndjson`"
        )
    };
    let rows = report::raw::rows(&records);
    let lines: Box<dyn Iterator<Item = String>> = match args.format {
        ExportFormat::Ndjson => Box::new(report::raw::ndjson(rows)),
        _ => Box::new(report::raw::csv(rows)),
    };
    let mut chunk = String::new();
    for line in lines {
        chunk.push_str(&line);
        if chunk.len() >= CHUNK {
            out.write(&chunk)?;
            chunk.clear();
        }
    }
    out.write(&chunk)?;
    Ok(Exit::Done)
}

/// What was concluded, in a form.
fn text(format: ExportFormat, source: &Source, store: Option<&Store>) -> Result<String> {
    let records = || {
        source.records().ok_or_else(|| {
            anyhow!("a document holds no measurements\n  try    a stored run, or an event stream")
        })
    };
    Ok(match format {
        ExportFormat::CriterionJson => foreign::criterion::json(&criterion(records()?)),
        ExportFormat::CriterionCsv => foreign::criterion::csv(&criterion(records()?)),
        ExportFormat::Json => report::json::document(&stored::concluded(source, store)?),
        ExportFormat::Csv | ExportFormat::Ndjson => report::csv::document(&stored::concluded(source, store)?),
    })
}
