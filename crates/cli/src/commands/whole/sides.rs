//! Sides whose commands print figures: `derny run --metric-from`. `derny judge` measures such sides too.

use crate::args::{Global, RunArgs};
use crate::commands::whole::asked;
use crate::commands::whole::first::Terminal;
use crate::commands::whole::measured::{First, Measured, Run, calls, prepared, selection, surroundings};
use crate::news::Listener;
use crate::output;
use derny_command::first::{self as runs, Wrong};
use derny_command::plan;
use derny_command::request::Judged;
use derny_engine::launch::folder::PrivateFolder;
use derny_model::{Records, Variant, problem};
use derny_workbench::config::settings::Origin;
use derny_workbench::error::Doing;
use derny_workbench::pipeline::{Occasion, RunOptions};
use derny_workbench::project::session::Bench;
use derny_workbench::variants::parse::VariantSpec;
use derny_workbench::variants::places::{self, Places};
use derny_workbench::{Outcome, Result};
use std::path::PathBuf;

/// Placeholder in a command for the value of a side.
const HOLE: &str = "{}";

/// A side: a command that prints figures.
#[derive(Debug, Clone)]
pub struct Side {
    /// Name, folder, words and environment of the command.
    pub command: plan::Side,
    /// Hash of the commit that the folder contains, if it is a worktree that [`places::places`] has made. The
    /// run records the hash and locks the worktree, so the caller must not hold that lock.
    pub commit: Option<String>,
}

/// Measures the sides of `derny run --metric-from`.
pub fn run(
    global: &Global,
    args: &RunArgs,
    bench: Bench<'_>,
    (options, occasion): (&RunOptions, &Occasion<'_>),
    listener: &mut Listener<'_>,
) -> Result<Measured> {
    refuse(args)?;
    let judged = asked::figures(&args.figures, !options.fail_on.is_empty())?;
    let told = &mut output::told(global);
    let Places { all, locks } = places::places(bench.session, bench.stop, &options.variants, told)?;
    let sides: Vec<Side> = all
        .into_iter()
        .map(|(variant, folder)| side(variant, folder, &args.select.command))
        .collect::<Result<_>>()?;
    occasion.prior.map_or(Ok(()), |prior| unmoved(&sides, prior))?;
    drop(locks);
    let queue = (global, args.how.no_queue);
    measure_sides(queue, bench, (&sides, &judged), (options, occasion), listener)
}

/// Measures sides alternately. Their commands print the figures of `judged`. The first side is the base.
///
/// `options` are those of an ordinary run. Their selection and variants are ignored. If the user sets no
/// budget, the budget is the time of 20 runs of each command, but at least 3 s. With `no_queue`, does not
/// wait for other measurements, because the caller has waited already.
///
/// # Errors
/// Fails if the run cannot be planned, or if the store fails.
pub fn measure_sides(
    (global, no_queue): (&Global, bool),
    bench: Bench<'_>,
    (sides, judged): (&[Side], &Judged),
    (options, occasion): (&RunOptions, &Occasion<'_>),
    listener: &mut Listener<'_>,
) -> Result<Measured> {
    let commands: Vec<plan::Side> = sides.iter().map(|side| side.command.clone()).collect();
    let mut plan = plan::of_sides(&commands);
    // The harness executes commands from this folder, so no other user may write to it.
    let folder =
        PrivateFolder::make(bench.reaper).doing(|| "cannot create a folder for the commands".into())?;
    surroundings();
    let mut terminal = Terminal::new(global, bench.stop);
    let settled = match prepared(&mut plan, &First { runs: 0, timeout: None, judged }, &mut terminal) {
        Ok(settled) => settled,
        Err(Wrong::Stopped) => return Ok(Measured::Early(Outcome::Interrupted)),
        Err(Wrong::Failed(why)) => return Ok(Measured::Failed(why)),
    };
    let mut stated = options.stated.clone();
    if bench.session.layers(&stated)?["budget"].1 == Origin::Default {
        stated.values.push(("budget", format!("{}ns", runs::budget_ns(&plan.entries, 0))));
    }
    if !stated.has("metrics") {
        stated.values.extend(settled.names().map(|names| ("metrics", names)));
    }
    let parsed = |side: &Side| VariantSpec {
        benchmark: Some(side.command.name.clone()),
        revision: side.commit.clone(),
        ..VariantSpec::plain(&side.command.name)
    };
    let options = RunOptions {
        select: selection(folder.path())?,
        stated,
        parsed: sides.iter().map(parsed).collect(),
        refresh: true,
        ..options.clone()
    };
    let calls = calls(&plan, &settled, judged, None);
    let run = Run { calls: &calls, folder: folder.path(), options: &options, occasion };
    run.concluded((global, no_queue), bench, listener)
}

/// Runs each command. Returns true if all of them succeed and print the figures.
pub fn work(global: &Global, bench: Bench<'_>, sides: &[Side], judged: &Judged) -> Result<bool> {
    let commands: Vec<plan::Side> = sides.iter().map(|side| side.command.clone()).collect();
    surroundings();
    let mut terminal = Terminal::new(global, bench.stop);
    let first = First { runs: 0, timeout: None, judged };
    Ok(prepared(&mut plan::of_sides(&commands), &first, &mut terminal).is_ok())
}

/// Fails if an option of `derny run` applies to benchmarks only.
fn refuse(args: &RunArgs) -> Result<()> {
    let how = &args.how;
    let flags = [
        ("PATTERN", !args.select.patterns.is_empty()),
        ("--exclude", !args.select.exclude.is_empty()),
        ("--param", !args.select.param.is_empty()),
        ("--args", !how.passed.args.is_empty()),
        ("--build-args", !how.passed.build_args.is_empty()),
        ("--once", how.once.is_some()),
        ("--watch", how.watch),
        ("--stored", args.sides.stored),
        ("--profiler", how.profiler.is_some()),
        ("--diagnose", !how.diagnose.is_empty()),
        ("--dry-run", how.dry_run),
    ];
    match flags.iter().find(|(_, is_set)| *is_set) {
        Some((flag, _)) => Err(problem!("--metric-from measures commands, and does not support {flag}")
            .remedy("use -x for the sides, and write the command after --")
            .into()),
        None => Ok(()),
    }
}

/// Returns a side with its command: the one after `--`, where the side's value replaces `{}`, or else the
/// value itself.
pub fn side(variant: Variant, directory: PathBuf, command: &[String]) -> Result<Side> {
    let Variant { name, command: value, args: more, env, revision: commit, benchmark, .. } = variant;
    if let Some(benchmark) = benchmark {
        return Err(problem!("side `{name}` names a benchmark, but commands have none")
            .place(format_args!("-x {name}:{benchmark}"))
            .into());
    }
    let has_hole = command.iter().any(|word| word.contains(HOLE));
    let words = match (value, command.is_empty(), has_hole) {
        (Some(value), true, _) => value,
        (Some(value), false, true) => filled(command, &value),
        (None, false, false) => command.to_vec(),
        (None, true, _) => {
            return Err(problem!("side `{name}` has no command")
                .remedy(format_args!("use -x {name}=COMMAND, or write a command for all sides after --"))
                .into());
        }
        (Some(_), false, false) => {
            return Err(problem!("the command has no place for the value of side `{name}`")
                .remedy("write {} in the command, or omit the command")
                .into());
        }
        (None, false, true) => {
            return Err(problem!("side `{name}` has no value for {{}} in the command")
                .remedy(format_args!("use -x {name}=VALUE"))
                .into());
        }
    };
    let words = words.into_iter().chain(more).collect();
    Ok(Side { command: plan::Side { name, words, directory, env }, commit })
}

/// Replaces `{}` in a command with a value. A word that is only `{}` is replaced with all words of the value.
fn filled(command: &[String], value: &[String]) -> Vec<String> {
    let one = |word: &String| match word == HOLE {
        true => value.to_vec(),
        false => vec![word.replace(HOLE, &value.join(" "))],
    };
    command.iter().flat_map(one).collect()
}

/// Fails if a revision in a resumed run now names another commit.
fn unmoved(sides: &[Side], prior: &Records) -> Result<()> {
    let before = |name: &str| prior.header.variants.iter().find(|variant| variant.name == name);
    let has_moved =
        |side: &&Side| before(&side.command.name).is_some_and(|variant| variant.revision != side.commit);
    match sides.iter().find(has_moved) {
        Some(side) => {
            Err(problem!("the run cannot continue: `{}` now names another commit", side.command.name)
                .remedy("start a new run")
                .into())
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_takes_the_place_of_braces() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<String>>();
        assert_eq!(filled(&words("run {} --in={}.txt"), &words("a b")), ["run", "a", "b", "--in=a b.txt"]);
    }
}
