//! `derny doctor`: checks whether this machine is fit for measurements.

use crate::args::{DoctorArgs, Format, Global};
use crate::doctor;
use crate::output::{self, Destination};
use crate::session;
use derny_report::{self as report, doctor::Status};
use derny_workbench::{Outcome, Result};

/// Runs all checks and prints them. A failed check is an error of the set-up, with exit code 2.
pub fn doctor(global: &Global, args: &DoctorArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let mut checks = doctor::checks(&session);
    if args.noise {
        checks.push(doctor::noise());
    }
    let style = output::style(global, &std::io::stdout(), false);
    let text = match args.format {
        Format::Json => report::doctor::json(&checks),
        _ => report::doctor::table(&checks, &style),
    };
    Destination::stdout().write_as(args.format.into(), &text)?;
    Ok(if checks.iter().any(|check| check.status == Status::Fail) { Outcome::Unfit } else { Outcome::Done })
}
