//! `derny init`: writes the missing files, and prints what it did.

use crate::args::{Ci, Global, InitArgs};
use crate::output;
use crate::session;
use derny_model::Problem;
use derny_workbench::init::{self, Service, Step};
use derny_workbench::{Outcome, Result};

pub fn init(global: &Global, args: &InitArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let service = args.ci.map(|ci| match ci {
        Ci::Github => Service::GitHub,
        Ci::Gitlab => Service::GitLab,
    });
    let begun = init::init(&session, &args.languages, service)?;
    if global.quiet > 0 {
        return Ok(Outcome::Done);
    }
    for step in &begun.steps {
        output::note(&match step {
            Step::Wrote(file) => format!("wrote  {file}"),
            Step::Added(file, what) => format!("added  {what} to {file}"),
            Step::Kept(file) => format!("kept   {file}, which exists"),
            Step::Found(harness) => format!("found  benchmarks of {harness}; `derny list` shows them"),
            Step::Do(what) => format!("to do  {what}"),
        });
    }
    match begun.languages.is_empty() {
        true => {
            let mut names = init::names(session.sdks.all());
            names.sort_unstable();
            let none =
                Problem::new("no first benchmark was written, because no language was recognised here")
                    .known(names.join(", "))
                    .remedy("run `derny init LANGUAGE`");
            output::note(&none.to_string());
        }
        false => output::note("measure with `derny run`"),
    }
    Ok(Outcome::Done)
}
