//! `derny dev conform`: one line per test, the protocol trace of failed ones, and counts.

use crate::args::{ConformArgs, Global};
use crate::output::Destination;
use crate::session;
use derny_engine::conform::{self, CaseReport as Tested, Conform, Verdict};
use derny_engine::discover::pattern;
use derny_engine::launch::reaper::Reaper;
use derny_model::problem;
use derny_workbench::config::units;
use derny_workbench::error::Doing;
use derny_workbench::{Error, Outcome, Result};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

pub fn conform(global: &Global, args: &ConformArgs) -> Result<Outcome> {
    let timeout = units::duration_ns(&args.timeout).map_err(|why| problem!("{why}").place("--timeout"))?;
    let known = args.known_failing.as_deref().map(known_failures).transpose()?.unwrap_or_default();
    let cases = conform::selected(&args.patterns);
    if cases.is_empty() {
        return Err(Error::Nothing(problem!("no case matches").remedy("run `derny dev conform --list`")));
    }
    if args.command.is_empty() && !args.list {
        return Err(problem!("the harness is missing")
            .remedy("run `derny dev conform -- COMMAND`, with the launch line of a conformance program")
            .into());
    }
    let stop = session::interruptible()?;
    let reaper = Reaper::new(&std::env::current_exe()?);
    let job = Conform {
        command: &args.command,
        directory: global.directory.as_deref().unwrap_or(Path::new(".")),
        patterns: &args.patterns,
        known: &known,
        timeout: Duration::from_nanos(timeout),
        reaper: Some(&reaper),
        stop: &stop,
        trace: global.verbose > 0,
    };
    let mut out = Destination::stdout();
    if args.list {
        out.write(&table(&cases, (!args.command.is_empty()).then(|| conform::claims(&job)).as_ref()))?;
        return Ok(Outcome::Done);
    }
    let mut written = Ok(());
    let outcomes = conform::run(&job, &mut |outcome| {
        let is_quiet = global.quiet > 0 && !outcome.is_failure();
        if written.is_ok() && !is_quiet {
            written = out.write(&line(outcome));
        }
    });
    written?;
    out.write(&summary(&outcomes))?;
    Ok(match outcomes.iter().any(Tested::is_failure) {
        _ if stop.load(Ordering::Relaxed) => Outcome::Interrupted,
        true => Outcome::Failed,
        false => Outcome::Done,
    })
}

/// Returns the names in a list of known failures. Fails if a name has no test, because the list is then
/// outdated.
fn known_failures(file: &Path) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(file)
        .doing(|| format!("--known-failing: {} cannot be read", file.display()))?;
    let names = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let cases = conform::cases();
    names
        .filter(|name| !name.is_empty())
        .map(|name| match cases.iter().any(|case| case.name == name) {
            true => Ok(name.to_owned()),
            false => {
                let near = pattern::closest(name, cases.iter().map(|case| case.name.as_str()));
                let near = near.first().map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                Err(problem!("`{name}` is not a case{near}")
                    .place(file.display())
                    .remedy("run `derny dev conform --list`")
                    .into())
            }
        })
        .collect()
}

fn line(outcome: &Tested) -> String {
    let name = &outcome.name;
    let text = match &outcome.verdict {
        Verdict::Passed => return format!("pass  {name}\n"),
        Verdict::Skipped(need) => return format!("skip  {name}  needs {need}\n"),
        Verdict::Known(why) => return format!("known {name}  {why}\n"),
        Verdict::Failed(why) => format!("FAIL  {name}  {why}\n"),
        Verdict::Unexpected => {
            return format!("FAIL  {name}  it passes: remove it from the list of known failures\n");
        }
    };
    outcome.trace.iter().fold(text, |text, line| text + "        " + line + "\n")
}

fn summary(outcomes: &[Tested]) -> String {
    let count = |is: fn(&Verdict) -> bool| outcomes.iter().filter(|outcome| is(&outcome.verdict)).count();
    let failed = outcomes.iter().filter(|outcome| outcome.is_failure()).count();
    let passed = count(|verdict| matches!(verdict, Verdict::Passed));
    let skipped = count(|verdict| matches!(verdict, Verdict::Skipped(_)));
    let known = match count(|verdict| matches!(verdict, Verdict::Known(_))) {
        0 => String::new(),
        known => format!(", {known} known to fail"),
    };
    format!("{passed} passed, {failed} failed, {skipped} skipped{known}\n")
}

/// Returns the name, requirements and title of every test. With the `claims` of a harness, each row also
/// shows whether the harness meets the requirements.
fn table(cases: &[conform::Case], claims: Option<&conform::Claims>) -> String {
    let width = cases.iter().map(|case| case.name.len()).max().unwrap_or(0);
    let row = |case: &conform::Case| {
        let mark = match claims.map(|claims| claims.lacks(case)) {
            None => "",
            Some(None) => "yes ",
            Some(Some(_)) => "no  ",
        };
        let needs = match case.needs.is_empty() {
            true => String::new(),
            false => format!(" (needs {})", case.needs.join(", ")),
        };
        format!("{mark}{:width$}  {}{needs}\n", case.name, case.title)
    };
    cases.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(verdict: Verdict) -> Tested {
        Tested { name: "open-again".into(), verdict, trace: vec!["> open".into(), "< closed".into()] }
    }

    #[test]
    fn only_failures_show_their_conversation() {
        let outcomes = [
            Verdict::Passed,
            Verdict::Skipped("hash".into()),
            Verdict::Known("so".into()),
            Verdict::Failed("got `closed`".into()),
            Verdict::Unexpected,
        ]
        .map(outcome);
        let text: String = outcomes.iter().map(line).collect();
        assert_eq!(
            text,
            "pass  open-again\nskip  open-again  needs hash\nknown open-again  so\n\
             FAIL  open-again  got `closed`\n        > open\n        < closed\n\
             FAIL  open-again  it passes: remove it from the list of known failures\n"
        );
        assert_eq!(summary(&outcomes), "1 passed, 2 failed, 1 skipped, 1 known to fail\n");
        assert_eq!(summary(&outcomes[..1]), "1 passed, 0 failed, 0 skipped\n");
    }
}
