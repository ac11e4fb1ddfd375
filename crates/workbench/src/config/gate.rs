//! The terms of a comparison: from the caller, from the stored run, from `[gate]`, or the defaults.

use crate::config::units;
use crate::error::Result;
use derny_engine::discover::project::Project;
use derny_model::{GateTerms, Problem, Settings, problem};

/// The terms by which a comparison is judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// The largest change that does not matter, as a share.
    pub margin: f64,
    /// The same for mean time, if requested.
    pub mean_margin: Option<f64>,
    /// Confidence of the intervals, from 0.5 to 1, if requested.
    pub confidence: Option<f64>,
    /// Compared and judged quantities: `time`, or metrics by name. If empty, all are compared and times are
    /// judged.
    pub metrics: Vec<String>,
}

impl Terms {
    /// Returns the terms that a run was measured with.
    pub fn of_run(settings: &Settings) -> Terms {
        let Settings { margin, mean_margin, confidence, metrics, .. } = settings.clone();
        Terms { margin, mean_margin, confidence: Some(confidence), metrics }
    }
}

/// Terms that the caller states, as typed.
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
    /// Neither worse nor shown to be harmless.
    Unclear,
}

/// Reads the terms of a run that is about to be measured, or of one that is `stored`. Terms stored with a
/// gated run take precedence over `[gate]`. Margins stored with another run come after `[gate]`, if they are
/// not the default.
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
        Some(text) => Some(units::confidence(text).map_err(|why| problem!("--confidence: {why}"))?),
        None => gated.map(|settings| settings.confidence).or(gate.and_then(|gate| gate.confidence)),
    };
    let metrics = match stated.metrics {
        [] => gated.map_or(Vec::new(), |settings| settings.metrics.clone()),
        stated => stated.to_vec(),
    };
    Ok(Terms { margin, mean_margin, confidence, metrics })
}

/// Returns a margin: that of the option, or else that of the key of `[gate]` with the same name.
fn share(name: &str, option: Option<&str>, key: Option<&str>) -> Result<Option<f64>> {
    let margin = match (option, key) {
        (Some(text), _) => units::share(text).map_err(|why| problem!("--{name}: {why}"))?,
        (None, Some(text)) => units::share(text).map_err(|why| problem!("`{name}` of [gate]: {why}"))?,
        (None, None) => return Ok(None),
    };
    if !(margin > 0.0 && margin < 1.0) {
        return Err(problem!("a margin lies between 0 and 100 %").remedy(format_args!("--{name} 1%")).into());
    }
    Ok(Some(margin))
}

/// Returns the verdicts that fail a gate over a stored run: those stored with it, or else `fail-on` of
/// `[gate]`. Without either, both verdicts fail: a gate that lets every unclear result pass would look like
/// one that passed.
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
        "worse" => Ok(FailOn::Worse),
        "unclear" => Ok(FailOn::Unclear),
        _ => Err(problem!("`fail-on` of [gate]: `{word}` is neither worse nor unclear")),
    };
    Ok(words.iter().map(read).collect::<Result<_, Problem>>()?)
}

/// Returns the verdicts of stored terms. An unknown word, from a later version, counts as the stricter
/// verdict.
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
