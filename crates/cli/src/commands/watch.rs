//! `derny run --watch`: run after run of the same sides, until all of them are decided.
//!
//! Every run adds blocks to those before. A plan of looks has an end, and this has none: the intervals are those of a
//! confidence sequence, which cover at all looks together however many there are.

use crate::args::{Format, Global, RunArgs};
use crate::commands::run::{self, Staged};
use crate::exit::Exit;
use crate::output::{self, Destination};
use crate::{judge, options};
use anyhow::{Result, bail};
use derny_model::{CaseId, Comparison, Records, Series, Verdict};
use derny_report as report;
use derny_store::Store;
use derny_workbench::gate;
use derny_workbench::session::Session;
use derny_workbench::sides::Sides;
use derny_workbench::source::Source;

/// Blocks of one run, where nobody says how many.
const BLOCKS: &str = "8";

/// Watches.
pub fn watch(
    global: &Global,
    session: &Session,
    store: &Store,
    args: &RunArgs,
    out: &mut Destination,
) -> Result<Exit> {
    if args.variants.is_empty() {
        bail!("--watch goes on until sides are told apart\n  try    -x old=COMMAND -x new=COMMAND");
    }
    let format = match (args.format, run::form(args.format)) {
        (_, Some(format)) => format,
        (Format::Json, _) => crate::args::CompareFormat::Json,
        _ => bail!("--watch has no such form\n  try    -f json, or `derny export` for each of its runs"),
    };
    let mut each = args.clone();
    each.precise = true;
    each.settings.processes.get_or_insert_with(|| BLOCKS.to_owned());
    let terms = gate::terms(session, args.judge.margin.as_deref(), None)?;
    let mut series = Some(Series { id: String::new(), number: 0, of: 1 });
    let mut all: Option<Records> = None;
    let mut open: Vec<CaseId> = Vec::new();
    loop {
        let staged = run::stage(global, session, store, &each, None, &mut series, &open, out)?;
        let (records, mut exit) = match staged {
            Staged::Ended(exit) if all.is_none() => return Ok(exit),
            Staged::Ended(exit) => (None, exit),
            Staged::Measured(records, exit) => (Some(*records), exit),
        };
        let joined = derny_analysis::join(all.take().into_iter().chain(records));
        let Some(joined) = joined else { return Ok(exit) };
        let settings = joined.header.settings.clone();
        let sides = Sides::variants(Source::Records(Box::new(joined.clone())))?;
        let comparison = sides.compare(terms.margin, settings.confidence, &settings.metrics, true);
        open = undecided(&comparison);
        let spent_ms = joined.header.ended_ms.unwrap_or(joined.header.started_ms) - joined.header.started_ms;
        let over = settings.total_ns.is_some_and(|total| spent_ms as u64 * 1_000_000 >= total);
        if open.is_empty() || over || exit != Exit::Done {
            judge::print(global, &comparison, format, &args.judge, out)?;
            if exit == Exit::Done {
                exit = judge::outcome(
                    global,
                    &comparison,
                    &settings.metrics,
                    &options::fail_on(&args.judge.fail_on),
                )
                .into();
            }
            return Ok(exit);
        }
        if global.quiet == 0 {
            let cases = report::numbers::counted(open.len(), "case is", "cases are");
            output::note(&format!(
                "{cases} undecided after {} runs: going on, Ctrl-C stops",
                number(&series)
            ));
        }
        series.iter_mut().for_each(|series| {
            series.number += 1;
            series.of += 1;
        });
        all = Some(joined);
    }
}

fn number(series: &Option<Series>) -> u32 {
    series.as_ref().map_or(0, |series| series.number + 1)
}

/// Cases with a side that has no verdict yet. A control needs none.
fn undecided(comparison: &Comparison) -> Vec<CaseId> {
    let is_open = |case: &&derny_model::ComparedCase| {
        let sides = case.sides.iter().filter(|side| !comparison.sides[side.side as usize].control);
        sides.into_iter().any(|side| side.verdict == Verdict::Unclear)
    };
    comparison.cases.iter().filter(is_open).map(|case| case.case.id.clone()).collect()
}
