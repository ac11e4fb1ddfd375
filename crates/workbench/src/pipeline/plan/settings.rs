//! Resolves the settings of a run.

use crate::config::gate::{self, Terms};
use crate::config::settings::{self, Mode};
use crate::error::Result;
use crate::pipeline::plan::request::Request;
use derny_engine::discover::project::split;
use derny_model::Settings;

/// Resolves the settings for a number of variants, except for the terms of the verdict.
///
/// # Errors
/// Fails if a value is invalid.
pub(crate) fn of_measuring(request: Request<'_, '_>, variants: u32) -> Result<Settings> {
    let Request { launcher, options, .. } = request;
    let mode = Mode { variants, attached: false, ..options.mode };
    let profiler = options.profiler.as_deref().map(split).unwrap_or_default();
    settings::resolve(&launcher.session.layers(&options.stated)?, mode, profiler)
}

/// Resolves the settings for a number of variants. A resumed run keeps its original settings; the caller's
/// are still validated.
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
