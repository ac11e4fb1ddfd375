//! `derny dev completions`: completion scripts for shells.

use crate::args::CompletionsArgs;
use crate::manual;
use crate::output::{Destination, Form};
use derny_workbench::{Outcome, Result};
use std::io;

pub fn completions(args: &CompletionsArgs) -> Result<Outcome> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut manual::command(), "derny", &mut text);
    Destination::stdout().write_as(Form::Data, &String::from_utf8(text).map_err(io::Error::other)?)?;
    Ok(Outcome::Done)
}
