//! `derny dev schema`: the JSON Schemas of output formats and of derny.toml.

use crate::args::SchemaArgs;
use crate::output::{Destination, Form};
use crate::schema;
use derny_workbench::{Outcome, Result};
use std::io;

pub fn schema(args: &SchemaArgs) -> Result<Outcome> {
    Destination::stdout().write_as(Form::Data, &schema::text(args.name).map_err(io::Error::from)?)?;
    Ok(Outcome::Done)
}
