//! The terms of a comparison: from the caller, from the stored run, from `[gate]`, or the defaults.

use crate::config::units;
use crate::error::Result;
use derny_engine::discover::project::Project;
use derny_model::{GateTerms, Problem, Settings, problem};

/// The terms by which a comparison is judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// Largest change that does not matter, as a share of the base's value: 0.01 is 1 %.
    pub margin: f64,
    /// Margin for mean time. None for the default.
    pub mean_margin: Option<f64>,
    /// Confidence level of the intervals, from 0.5 to 1. None for the default.
    pub confidence: Option<f64>,
    /// Metrics to compare and judge, by name. If empty, all metrics are compared, and `time` is judged.
    pub metrics: Vec<String>,
}

impl Terms {
    /// Returns the terms stored with a run's settings.
    pub fn of_run(settings: &Settings) -> Terms {
        let Settings { margin, mean_margin, confidence, metrics, .. } = settings.clone();
        Terms { margin, mean_margin, confidence: Some(confidence), metrics }
    }
}

/// Terms from the caller's options, not parsed yet.
#[derive(Debug, Clone, Copy, Default)]
pub struct StatedTerms<'a> {
    /// See [`Terms::margin`].
    pub margin: Option<&'a str>,
    /// See [`Terms::mean_margin`].
    pub mean_margin: Option<&'a str>,
    /// See [`Terms::confidence`].
    pub confidence: Option<&'a str>,
    /// See [`Terms::metrics`].
    pub metrics: &'a [String],
}

/// A verdict that can fail a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailOn {
    /// Worse by more than the margin.
    Worse,
    /// Neither shown to be worse nor shown to be within the margin.
    Unclear,
}

/// Resolves the terms for a run about to be measured, or for a `stored` one. The caller's terms, `stated`,
/// take precedence. Terms stored with a gated run come before `[gate]`. Margins stored with any other run
/// apply only if `[gate]` sets none.
///
/// # Errors
/// Fails if a margin or a confidence is invalid.
pub fn terms(project: &Project, stated: StatedTerms<'_>, stored: Option<&Settings>) -> Result<Terms> {
    let table = project.content.gate.as_ref();
    let gated = stored.filter(|settings| settings.gate.is_some());
    let gate = table.filter(|_| gated.is_none());
    let key = gate.and_then(|gate| gate.margin.as_deref());
    let margin = share("margin", stated.margin, key)?;
    let margin = margin.or(stored.map(|settings| settings.margin)).unwrap_or(Settings::default().margin);
    let key = gate.and_then(|gate| gate.mean_margin.as_deref());
    let mean_margin = share("mean-margin", stated.mean_margin, key)?;
    let mean_margin = mean_margin.or(stored.and_then(|settings| settings.mean_margin));
    let confidence = match stated.confidence {
        Some(text) => Some(
            units::confidence(text)
                .map_err(|why| problem!("{why}").place(format_args!("--confidence {text}")))?,
        ),
        None => gated.map(|settings| settings.confidence).or(gate.and_then(|gate| gate.confidence)),
    };
    let metrics = match stated.metrics {
        [] => gated.map_or(Vec::new(), |settings| settings.metrics.clone()),
        stated => stated.to_vec(),
    };
    Ok(Terms { margin, mean_margin, confidence, metrics })
}

/// Returns the margin that `option` sets, or else `key`, the value of the same key in `[gate]`. `name` is the
/// option's name, for errors.
fn share(name: &str, option: Option<&str>, key: Option<&str>) -> Result<Option<f64>> {
    let margin = match (option, key) {
        (Some(text), _) => {
            units::share(text).map_err(|why| problem!("{why}").place(format_args!("--{name} {text}")))?
        }
        (None, Some(text)) => {
            units::share(text).map_err(|why| problem!("{why}").place(format_args!("`{name}` of [gate]")))?
        }
        (None, None) => return Ok(None),
    };
    if !(margin > 0.0 && margin < 1.0) {
        let place = match (option, key) {
            (Some(text), _) => format!("--{name} {text}"),
            (None, text) => format!("`{name} = \"{}\"` of [gate]", text.unwrap_or_default()),
        };
        return Err(problem!("a margin must lie between 0 and 100 %")
            .place(place)
            .remedy("use a share such as 1%")
            .into());
    }
    Ok(Some(margin))
}

/// Returns the verdicts that fail a gate over a stored run: those stored with the run, or else `fail-on` of
/// `[gate]`. By default, both verdicts fail, because an unclear result must not look like a pass.
///
/// # Errors
/// Fails if a word is not a verdict that can fail.
pub fn fail_on(project: &Project, stored: &Settings) -> Result<Vec<FailOn>> {
    if let Some(terms) = &stored.gate {
        return Ok(stored_fail_on(terms));
    }
    let words = project.content.gate.as_ref().map_or(&[][..], |gate| gate.fail_on.as_slice());
    if words.is_empty() {
        return Ok(vec![FailOn::Worse, FailOn::Unclear]);
    }
    let read = |word: &String| match word.as_str() {
        "worse" | "slower" => Ok(FailOn::Worse),
        "unclear" => Ok(FailOn::Unclear),
        _ => Err(problem!("`fail-on` of [gate]: `{word}` must be slower or unclear")),
    };
    Ok(words.iter().map(read).collect::<Result<_, Problem>>()?)
}

/// Returns the verdicts that fail a gate, from its stored terms. A word of a later version is unknown, and
/// counts as `Unclear`, the stricter verdict.
pub fn stored_fail_on(terms: &GateTerms) -> Vec<FailOn> {
    let read = |word: &String| if word == "worse" { FailOn::Worse } else { FailOn::Unclear };
    terms.fail_on.iter().map(read).collect()
}

/// Returns the terms of a gate to store with a run, or None if no verdict can fail it.
pub fn recorded(metrics: &[String], fail_on: &[FailOn]) -> Option<GateTerms> {
    let word = |verdict: &FailOn| match verdict {
        FailOn::Worse => "worse".to_owned(),
        FailOn::Unclear => "unclear".to_owned(),
    };
    let terms = || GateTerms { fail_on: fail_on.iter().map(word).collect(), metrics: metrics.to_vec() };
    (!fail_on.is_empty()).then(terms)
}
