//! Reads the file of a plan, with its builds if it has some.

use crate::archive::Carried;
use crate::{check, layout};
use derny_model::FleetPlan;
use derny_workbench::error::Result;
use derny_workbench::results::input;
use std::path::Path;

/// Reads a plan, which may have builds beside it.
///
/// # Errors
/// A file that cannot be read, that is no plan, or that a newer derny wrote.
pub fn read(file: &Path) -> Result<FleetPlan> {
    open(file).map(|(plan, _)| plan)
}

/// Reads a plan, and opens its builds if it has some.
///
/// # Errors
/// Those of [`read`].
pub fn open(file: &Path) -> Result<(FleetPlan, Option<Carried>)> {
    if layout::is_carrying(file) {
        return Carried::open(file).map(|(plan, carried)| (plan, Some(carried)));
    }
    let text = input::read_text(file)?;
    let plan = check::parse(&text).map_err(|error| error.within(format!("cannot use {}", file.display())))?;
    Ok((plan, None))
}
