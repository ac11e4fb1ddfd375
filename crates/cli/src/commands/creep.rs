//! `derny history creep`: what accumulated since a release or an age.

use super::confirm;
use super::pairs::Pairs;
use crate::args::{CreepArgs, Format, Global, JudgeArgs};
use crate::output::{self, Destination};
use crate::{options, results, session};
use derny_engine::measure::now_ms;
use derny_history::creep::{self, Base, Bases, CreepTerms};
use derny_history::pair::Measured;
use derny_model::Document;
use derny_model::words::counted;
use derny_report as report;
use derny_store::Store;
use derny_workbench::config::gate::{self, StatedTerms};
use derny_workbench::pipeline::Concluded;
use derny_workbench::project::session::Bench;
use derny_workbench::{Error, Outcome, Result};

/// Compares the head with old commits, adds the changes to the history, and prints what accumulated. If a
/// base cannot be measured, continues with the others.
pub fn creep(global: &Global, args: &CreepArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let store = session.store()?;
    let stated = StatedTerms { margin: args.margin.as_deref(), ..StatedTerms::default() };
    let margin = gate::terms(&session.project, stated, None)?.margin;
    let terms = CreepTerms { margin, fail_on: options::fail_on(&args.fail_on) };
    let bases = Bases::find(&session.project.root, args.head.as_deref(), &args.against, now_ms())?;
    let say = |text: &str| {
        if global.quiet == 0 {
            output::note(text)
        }
    };
    bases.absent.iter().for_each(|why| say(&format!("note: {why}")));
    let (stop, reaper) = (session::interruptible()?, session::reaper()?);
    let bench = Bench { session: &session, store: &store, reaper: Some(&reaper), stop: &stop };
    let pairs =
        Pairs { global, bench, select: &args.select, how: &args.pair, metric: None, is_one_of_many: false };
    let (mut outcome, mut failed) = (Outcome::Done, None);
    for base in &bases.all {
        let name = base.against.join(" and ");
        if base.hash == bases.head.hash {
            say(&format!("note: {name} is the commit to measure, so nothing can have accumulated since"));
            continue;
        }
        let measured = creep::compared(base, &bases.head, &terms, &mut |request| pairs.measured(request));
        let why = match measured {
            Ok(Measured::Done(done)) => {
                outcome = outcome.max(done.outcome);
                let kept = creep::entry(&done.document, base, &bases.head);
                derny_history::add(&store, &[kept])?;
                print(global, &store, base, &terms, &done)?;
                if done.outcome == Outcome::Interrupted {
                    return Ok(outcome);
                }
                continue;
            }
            Ok(Measured::Early(ended)) => {
                outcome = outcome.max(ended);
                continue;
            }
            Ok(Measured::Nothing(why)) => Error::Nothing(why.within(format_args!("against {name}"))),
            Err(error @ (Error::Interrupted | Error::System(_) | Error::Store(_))) => return Err(error),
            Err(error) => error.within(format_args!("against {name}")),
        };
        if let Some(earlier) = failed.replace(why) {
            output::note(&format!("error: {earlier}"));
        }
    }
    match failed {
        Some(error) => Err(error),
        None => Ok(outcome.max(confirm::after(global, &session)?)),
    }
}

/// Prints a comparison, and the cases that are worse.
fn print(global: &Global, store: &Store, base: &Base, terms: &CreepTerms, done: &Concluded) -> Result<()> {
    let mut out = Destination::stdout();
    results::print(global, (Format::Table, &JudgeArgs::default()), &terms.fail_on, done, &mut out)?;
    let known = derny_history::stored(store)?;
    let worse = creep::accumulated(&done.document, base, &known);
    let style = output::style(global, &std::io::stdout(), false);
    let cases = cases(&done.document);
    let margin = report::numbers::confidence(terms.margin, &style);
    let what = match worse.len() {
        0 => format!("no case is shown to be worse by more than {margin}"),
        1 => format!("1 of {cases} is worse by more than {margin}"),
        more => format!("{more} of {cases} are worse by more than {margin}"),
    };
    let commits = counted(base.after.len(), "commit", "commits");
    let names = base.against.join(" and ");
    let mut text = format!("\nsince {names} ({}, {commits}): {what}\n", &base.hash[..7.min(base.hash.len())]);
    for one in &worse {
        text.push_str(&report::history::accumulated(&one.case, &one.change, one.rest, &style));
    }
    Ok(out.write(&text)?)
}

fn cases(document: &Document) -> String {
    let count = document.comparison.as_ref().map_or(0, |comparison| comparison.cases.len());
    counted(count, "case", "cases")
}
