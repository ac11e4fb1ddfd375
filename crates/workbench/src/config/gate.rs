//! What a comparison is judged by: what the caller states, what is stored with the run, `[gate]`,
//! the defaults.

use crate::config::units;
use crate::error::Result;
use derny_engine::discover::project::Project;
use derny_model::{GateTerms, Problem, Settings, problem};

/// What a comparison is judged by.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// The largest change that is of no consequence, as a share.
    pub margin: f64,
    /// The same for mean time, if requested.
    pub mean_margin: Option<f64>,
    /// Confidence of the intervals, from 0.5 to 1, if requested.
    pub confidence: Option<f64>,
    /// What is compared and judged: `time`, or metrics by name; empty for all quantities, of which
    /// times are judged.
    pub metrics: Vec<String>,
}

impl Terms {
    /// Those by which a run was measured.
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
    /// Neither that nor shown to be harmless.
    Unclear,
}

/// Reads the terms of a run that is about to be measured, or of one that is `stored`. What a run
/// with a gate has stored goes before `[gate]`. Margins of another run that are not the default, so
/// that somebody asked for them, go behind it.
///
/// # Errors
/// A margin or a confidence that is none.
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

/// A margin: that of the option, else that of the key of `[gate]` with the same name.
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

/// The verdicts that fail a gate over a stored run: those that are stored with it, else `fail-on`
/// of `[gate]`. Both fail where neither is there: a gate that is open because nothing could be told
/// would be taken for one that was passed.
///
/// # Errors
/// A word that is no verdict that can fail.
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
        _ => Err(problem!("`fail-on` of [gate]: `{word}` is none of worse, unclear")),
    };
    Ok(words.iter().map(read).collect::<Result<_, Problem>>()?)
}

/// The verdicts of terms that were stored. A word of a later version is taken for the stricter one.
pub fn stored_fail_on(terms: &GateTerms) -> Vec<FailOn> {
    let read = |word: &String| if word == "worse" { FailOn::Worse } else { FailOn::Unclear };
    terms.fail_on.iter().map(read).collect()
}

/// The terms of a gate as they are stored with a run; none where no verdict can fail it.
pub fn recorded(metrics: &[String], fail_on: &[FailOn]) -> Option<GateTerms> {
    let word = |verdict: &FailOn| match verdict {
        FailOn::Worse => "worse".to_owned(),
        FailOn::Unclear => "unclear".to_owned(),
    };
    let terms = || GateTerms { fail_on: fail_on.iter().map(word).collect(), metrics: metrics.to_vec() };
    (!fail_on.is_empty()).then(terms)
}
