//! `derny schema`: the JSON Schemas of what is printed, made from the types, and of derny.toml.

use crate::args::{SchemaArgs, SchemaName};
use crate::output::{Destination, Form};
use crate::schema;
use anyhow::Result;
use derny_workbench::Outcome;

/// Prints one.
pub fn schema(args: &SchemaArgs) -> Result<Outcome> {
    let value = match args.name {
        SchemaName::Result => schema::of::<derny_model::Document>(),
        SchemaName::Comparison => schema::of::<derny_model::Comparison>(),
        SchemaName::Scaling => schema::of::<derny_model::Scaling>(),
        SchemaName::Events => schema::of::<derny_model::Event>(),
        SchemaName::Plan => schema::of::<derny_model::FleetPlan>(),
        SchemaName::Config => schema::config(),
    };
    Destination::Stdout.write_as(Form::Data, &(serde_json::to_string_pretty(&value)? + "\n"))?;
    Ok(Outcome::Done)
}
