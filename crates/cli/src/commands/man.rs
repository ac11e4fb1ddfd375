//! `derny dev man`: the manual, one page per verb.

use crate::args::ManArgs;
use crate::manual;
use crate::output::{self, Destination, Form};
use clap::Command;
use clap_mangen::Man;
use derny_model::problem;
use derny_workbench::error::Doing;
use derny_workbench::{Outcome, Result};
use std::io;
use std::path::Path;

/// Prints the page of `derny` or of a verb, or writes all pages.
pub fn man(quiet: bool, args: &ManArgs) -> Result<Outcome> {
    let command = manual::command();
    let Some(folder) = &args.all else {
        let mut verb = &command;
        for word in &args.verb {
            let Some(below) = manual::verbs(verb).find(|below| below.get_name() == word) else {
                return Err(problem!("there is no command `{}`", args.verb.join(" "))
                    .remedy("`derny help all` lists every command")
                    .into());
            };
            verb = below;
        }
        Destination::stdout().write_as(Form::Data, &page(verb, &args.verb.join(" "))?)?;
        return Ok(Outcome::Done);
    };
    std::fs::create_dir_all(folder).doing(|| format!("cannot make the folder {}", folder.display()))?;
    let count = pages(&command, "", folder)?;
    if !quiet {
        output::note(&format!("wrote {count} pages to {}", folder.display()));
    }
    Ok(Outcome::Done)
}

/// Writes a page for the command and one for each of its subcommands. Returns the number of pages.
fn pages(command: &Command, path: &str, folder: &Path) -> Result<usize> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let file = folder.join(format!("{name}.1"));
    std::fs::write(&file, page(command, path)?).doing(|| format!("cannot write {}", file.display()))?;
    manual::verbs(command)
        .map(|verb| pages(verb, format!("{path} {}", verb.get_name()).trim_start(), folder))
        .try_fold(1, |sum, count| Ok(sum + count?))
}

/// Returns the manual page of a verb: clap's page, with the examples after the description. `path` is the
/// full name of the verb.
fn page(command: &Command, path: &str) -> Result<String> {
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text)?;
    let text = String::from_utf8(text).map_err(io::Error::other)?;
    let described = text.find(".SH DESCRIPTION").unwrap_or(0);
    let end = text[described + 1..].find("\n.SH ").map_or(text.len(), |at| described + 1 + at + 1);
    let (before, after) = text.split_at(end);
    let escaped = |text: &str| text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    let examples = manual::examples(path).iter();
    let examples: String = examples
        .map(|(typed, what)| format!(".TP\n\\fB{}\\fR\n{}\n", escaped(typed), escaped(what)))
        .collect();
    Ok(format!("{before}.SH EXAMPLES\n{examples}{after}"))
}
