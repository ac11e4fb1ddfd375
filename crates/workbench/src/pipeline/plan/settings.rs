//! Resolves the settings of a run.

use crate::config::gate::{self, Terms};
use crate::config::settings::{self, Mode};
use crate::error::Result;
use crate::pipeline::options::RunOptions;
use crate::project::session::Session;
use derny_engine::discover::project::split;
use derny_model::{Records, Settings};

/// Resolves the settings for a number of variants, except for the terms of the verdict.
///
/// # Errors
/// Fails if a value is invalid.
pub(crate) fn of_measuring(session: &Session, options: &RunOptions, variants: u32) -> Result<Settings> {
    let mode = Mode { variants, attached: false, ..options.mode };
    let profiler = options.profiler.as_deref().map(split).unwrap_or_default();
    settings::resolve(&session.layers(&options.stated)?, mode, profiler)
}

/// Resolves the settings for this number of variants. A resumed run keeps its own settings except for the
/// time limits that this call states. The other settings of this call are still checked.
///
/// # Errors
/// Fails if a value is invalid.
pub(crate) fn of(
    session: &Session,
    options: &RunOptions,
    prior: Option<&Records>,
    variants: u32,
) -> Result<Settings> {
    let settings = of_measuring(session, options, variants)?;
    let Terms { margin, mean_margin, .. } = options.terms(session)?;
    let gate = gate::recorded(&settings.metrics, &options.fail_on);
    Ok(match prior {
        Some(prior) => {
            let is_stated = |name: &str| options.stated.values.iter().any(|(own, _)| *own == name);
            with_limits(prior.header.settings.clone(), &settings, is_stated)
        }
        None => Settings { margin, mean_margin, gate, ..settings },
    })
}

/// Returns the settings `prior` of a resumed run with the time limits that this call states. `now` contains
/// the settings of this call. If it states only the total time, each case may use all of it.
fn with_limits(prior: Settings, now: &Settings, is_stated: impl Fn(&str) -> bool) -> Settings {
    let (budget, total) = (is_stated("budget"), is_stated("total"));
    let total_ns = if total { now.total_ns } else { prior.total_ns };
    let budget_ns = match (budget, now.total_ns.filter(|_| total)) {
        (true, _) => now.budget_ns,
        (false, Some(total)) => prior.budget_ns.max(total),
        (false, None) => prior.budget_ns,
    };
    Settings { total_ns, budget_ns, ..prior }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resumed_run_takes_only_the_time_limits_of_this_call() {
        let prior =
            Settings { budget_ns: 1_000, total_ns: Some(5_000), rounds: Some(7), ..Settings::default() };
        let now =
            Settings { budget_ns: 2_000, total_ns: Some(90_000), rounds: Some(1), ..Settings::default() };
        let limits = |stated: &[&str]| {
            let settings = with_limits(prior.clone(), &now, |name| stated.contains(&name));
            assert_eq!(settings.rounds, Some(7));
            (settings.budget_ns, settings.total_ns)
        };
        assert_eq!(limits(&[]), (1_000, Some(5_000)));
        assert_eq!(limits(&["budget"]), (2_000, Some(5_000)));
        assert_eq!(limits(&["total"]), (90_000, Some(90_000)));
        assert_eq!(limits(&["budget", "total"]), (2_000, Some(90_000)));
    }
}
