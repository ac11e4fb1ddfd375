//! Reads the file of a plan, with its builds if it contains some.

use crate::archive::Carried;
use crate::{check, layout};
use derny_model::FleetPlan;
use derny_workbench::error::Result;
use derny_workbench::results::input;
use std::path::Path;

/// Reads a plan. Ignores its builds.
///
/// # Errors
/// Fails if the file cannot be read, is not a plan, or was written by a newer version of Derny.
pub fn read(file: &Path) -> Result<FleetPlan> {
    open(file).map(|(plan, _)| plan)
}

/// Reads a plan, and opens its builds if it contains some.
///
/// # Errors
/// Fails if the file cannot be read, is not a plan, or was written by a newer version of Derny.
pub fn open(file: &Path) -> Result<(FleetPlan, Option<Carried>)> {
    if layout::is_carrying(file) {
        return Carried::open(file).map(|(plan, carried)| (plan, Some(carried)));
    }
    let text = input::read_text(file)?;
    let plan = check::parse(&text).map_err(|error| error.within(format!("cannot use {}", file.display())))?;
    Ok((plan, None))
}
