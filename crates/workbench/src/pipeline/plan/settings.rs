//! The settings in force.

use crate::config::gate::{self, Terms};
use crate::config::settings::{self, Mode};
use crate::error::Result;
use crate::pipeline::plan::request::Request;
use derny_engine::discover::project::split;
use derny_model::Settings;

/// Resolves the settings for this number of variants, without the terms of a verdict.
///
/// # Errors
/// Fails if a value is invalid.
pub(crate) fn of_measuring(request: Request<'_, '_>, variants: u32) -> Result<Settings> {
    let Request { launcher, options, .. } = request;
    let mode = Mode { variants, attached: false, ..options.mode };
    let profiler = options.profiler.as_deref().map(split).unwrap_or_default();
    settings::resolve(&launcher.session.layers(&options.stated)?, mode, profiler)
}

/// Resolves the settings for this number of variants. A resumed run keeps its own settings, but those of this
/// call are still checked.
///
/// # Errors
/// Fails if a value is invalid.
pub(crate) fn of(request: Request<'_, '_>, variants: u32) -> Result<Settings> {
    let settings = of_measuring(request, variants)?;
    let Terms { margin, mean_margin, .. } = request.options.terms(request.launcher.session)?;
    let gate = gate::recorded(&settings.metrics, &request.options.fail_on);
    Ok(match request.occasion.prior {
        Some(prior) => prior.header.settings.clone(),
        None => Settings { margin, mean_margin, gate, ..settings },
    })
}
