//! `derny plot scaling`: results along one parameter.

use crate::args::{Format, Global, ScalingArgs};
use crate::output::{self, Destination};
use crate::session;
use derny_analysis::scaling::{self, Over};
use derny_model::{Problem, problem};
use derny_report::scaling as report;
use derny_workbench::config::units;
use derny_workbench::results::stored;
use derny_workbench::{Error, Outcome, Result};

fn wrong(flag: &str, text: &str, why: String) -> Problem {
    problem!("{why}").place(format_args!("--{flag} {text}"))
}

pub fn scaling(global: &Global, args: &ScalingArgs) -> Result<Outcome> {
    let margin = units::share(&args.margin).map_err(|why| wrong("margin", &args.margin, why))?;
    let confidence = args.confidence.as_deref().map(units::confidence).transpose();
    let confidence =
        confidence.map_err(|why| wrong("confidence", args.confidence.as_deref().unwrap_or_default(), why))?;
    let session = session::open(global)?;
    let mut out = Destination::open(global, args.output.as_deref())?;
    let (source, _) = stored::source(&session, &(&args.stored).into(), &mut output::told(global))?;
    let document = source.document();
    let over = Over {
        over: &args.over,
        by: &args.by,
        metric: args.metric.as_deref().filter(|name| *name != "time"),
        log: args.log,
        margin,
        confidence: confidence.unwrap_or(document.run.settings.confidence),
    };
    let scaling = scaling::scaling(&document, &over);
    if scaling.curves.is_empty() {
        let mut known: Vec<&str> =
            document.cases().flat_map(|case| &case.case.id.params).map(|(key, _)| key.as_str()).collect();
        known.sort_unstable();
        known.dedup();
        let why = scaling.left_out.first().map_or(String::new(), |(case, why)| format!("{case}: {why}"));
        let known = if known.is_empty() {
            "none; --name-template 'sort {n}' extracts parameters from names".to_owned()
        } else {
            known.join(", ")
        };
        let what = problem!("there is no curve over `{}`", args.over);
        return Err(Error::Nothing(what.known(format_args!("parameters: {known}")).why(why)));
    }
    let style = output::style(global, &std::io::stdout(), out.is_file());
    let text = match args.format {
        Format::Table => report::table(&scaling, &style),
        Format::Json => report::json(&scaling),
        Format::Csv => report::csv(&scaling),
        _ => report::markdown(&scaling, &style),
    };
    out.write_as(args.format.into(), &text)?;
    Ok(Outcome::Done)
}
