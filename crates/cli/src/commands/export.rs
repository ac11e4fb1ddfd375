//! `derny export`: a stored run for other programs, in their file formats or as raw batches.

use crate::args::{ExportArgs, ExportFormat, Global};
use crate::output::{self, Destination, Form};
use crate::{results, session};
use derny_analysis::criterion::criterion;
use derny_model::{Comparison, Problem, Records, problem};
use derny_report::foreign::rebar3::Naming;
use derny_report::{self as report, foreign};
use derny_store::Store;
use derny_workbench::config::gate::StatedTerms;
use derny_workbench::project::session::Session;
use derny_workbench::results::compare::Sides;
use derny_workbench::results::source::Source;
use derny_workbench::results::stored;
use derny_workbench::{Outcome, Result};

/// Size of the output buffer in bytes.
const CHUNK: usize = 64 * 1024;

pub fn export(global: &Global, args: &ExportArgs) -> Result<Outcome> {
    match (args.raw, args.format) {
        (false, ExportFormat::Csv | ExportFormat::Ndjson) => return Err(problem!(
            "without --raw, the formats csv and ndjson are not available"
        )
        .remedy("use --raw for every batch, `derny show -f csv` for results, or -f with another tool's name")
        .into()),
        (true, ExportFormat::Csv | ExportFormat::Ndjson) | (false, _) => {}
        (true, _) => {
            return Err(problem!("with --raw, only the formats csv and ndjson are available")
                .remedy("use -f csv or -f ndjson, or omit --raw")
                .into());
        }
    }
    let session = session::open(global)?;
    let mut out = Destination::open(global, args.output.as_deref())?;
    if matches!(args.format, ExportFormat::Rebar3Bench | ExportFormat::Rebar3BenchNew) {
        out.not_to_terminal("a binary file", "use -o FILE")?;
    }
    let (mut source, store) = stored::source(&session, &(&args.stored).into(), &mut output::told(global))?;
    if let Some(name) = &args.variant {
        source = source.variant(name)?;
    } else if is_of_one_variant(args.format) {
        source = source.own()?;
    }
    if !args.raw {
        write(&session, args, source, store.as_ref(), &mut out)?;
        return Ok(Outcome::Done);
    }
    let Source::Records(records) = source else {
        return Err(problem!("a document contains no batches")
            .remedy("omit --raw, or use the event stream of `derny run -f ndjson`")
            .into());
    };
    let lines: Box<dyn Iterator<Item = String>> = match args.format {
        ExportFormat::Ndjson => Box::new(report::raw::ndjson(&records)),
        _ => Box::new(report::raw::csv(&records)),
    };
    let mut chunk = String::new();
    for line in lines {
        chunk.push_str(&line);
        if chunk.len() >= CHUNK {
            out.write_as(Form::Data, &chunk)?;
            chunk.clear();
        }
    }
    out.write_as(Form::Data, &chunk)?;
    Ok(Outcome::Done)
}

/// Returns true if a format cannot represent variants.
fn is_of_one_variant(format: ExportFormat) -> bool {
    use ExportFormat::{
        Benchfmt, Bmf, Csv, GithubActionBenchmark, Hyperfine, Jmh, Ndjson, NodeCompare, Openmetrics,
    };
    let own_words = matches!(format, GithubActionBenchmark | Bmf | Hyperfine | Jmh | Openmetrics);
    !own_words && !matches!(format, Csv | Ndjson | NodeCompare | Benchfmt)
}

/// Writes the results in the requested format.
fn write(
    session: &Session,
    args: &ExportArgs,
    source: Source,
    store: Option<&Store>,
    out: &mut Destination,
) -> Result<()> {
    let document = || stored::concluded(&source, store);
    let records = || {
        source.records().ok_or_else(|| {
            problem!("a document contains only results, no measurements")
                .remedy("use a stored run, or the event stream of `derny run -f ndjson`")
        })
    };
    let text = match args.format {
        ExportFormat::CriterionJson => {
            Ok(foreign::criterion::json(&criterion(records()?, &results::regressions(&args.regress)?)))
        }
        ExportFormat::CriterionCsv => Ok(foreign::criterion::csv(&criterion(records()?, &[]))),
        ExportFormat::Benchfmt => {
            let records = records()?;
            let results = derny_analysis::process_results(records);
            Ok(foreign::benchfmt::lines(records, &results))
        }
        ExportFormat::Hyperfine => Ok(foreign::hyperfine::json(&document()?, records()?)),
        ExportFormat::Jmh => Ok(foreign::jmh::json(&document()?, records()?)),
        ExportFormat::GithubActionBenchmark => foreign::benchmark_action::json(&document()?),
        ExportFormat::Bmf => foreign::bmf::json(&document()?),
        ExportFormat::Openmetrics => Ok(foreign::openmetrics::text(&document()?)),
        ExportFormat::NodeCompare => foreign::node::compare(&comparison(session, args, source, store)?),
        ExportFormat::NodeRun => foreign::node::run(&document()?),
        ExportFormat::NodeScatter => foreign::node::scatter(&document()?),
        ExportFormat::Benchfella => foreign::benchfella::snapshot(&document()?),
        ExportFormat::Rebar3Bench => return Ok(out.write_bytes(&baseline(records()?, Naming::Legacy)?)?),
        ExportFormat::Rebar3BenchNew => return Ok(out.write_bytes(&baseline(records()?, Naming::New)?)?),
        ExportFormat::Csv | ExportFormat::Ndjson => return Ok(()),
    };
    Ok(out.write_as(Form::Data, &text.map_err(|why| cannot(&why))?)?)
}

fn baseline(records: &Records, naming: Naming) -> Result<Vec<u8>> {
    Ok(foreign::rebar3::baseline(records, naming).map_err(|why| cannot(&why))?)
}

fn cannot(why: &str) -> Problem {
    problem!("this format cannot represent the run")
        .why(why)
        .remedy("use --variant NAME, patterns of cases, or `derny show -f csv`, which contains everything")
}

/// Returns the comparison of the run's variants, or of the run with another run.
fn comparison(
    session: &Session,
    args: &ExportArgs,
    source: Source,
    store: Option<&Store>,
) -> Result<Comparison> {
    let sides = match (&args.against, store) {
        (Some(base), Some(store)) => Sides::against(store, base, source)?,
        (Some(_), None) => {
            return Err(problem!("--against needs a stored run")
                .remedy("`derny import` or `derny run` stores one")
                .into());
        }
        (None, _) => Sides::variants(source)
            .map_err(|why| why.within("this format needs two sides: use --against BASE"))?,
    };
    Ok(sides.compare(&sides.terms(session, StatedTerms::default())?, false))
}
