//! What a comparison is judged by.

use crate::error::{Result, refuse, refused};
use crate::session::Session;
use crate::units;
use derny_model::{GateTerms, Settings};

/// What a comparison is judged by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terms {
    /// The largest change that is of no consequence, as a share.
    pub margin: f64,
    /// The same for mean time, where somebody asked for one.
    pub mean_margin: Option<f64>,
    /// Confidence of the intervals, from 0.5 to 1, where somebody asked for one.
    pub confidence: Option<f64>,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms { margin: Settings::default().margin, mean_margin: None, confidence: None }
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
}

/// A verdict that can fail a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailOn {
    /// Worse by more than the margin.
    Worse,
    /// Neither that nor shown to be harmless.
    Unclear,
}

/// Reads the terms: what the caller states, as typed, comes before `[gate]`, and that before the defaults.
///
/// # Errors
/// A margin or a confidence that is none.
pub fn terms(session: &Session, stated: StatedTerms<'_>) -> Result<Terms> {
    let gate = session.project.content.gate.as_ref();
    let own = gate.and_then(|gate| gate.margin.as_deref());
    let margin = share("margin", stated.margin, own)?.unwrap_or(Terms::default().margin);
    let own = gate.and_then(|gate| gate.mean_margin.as_deref());
    let mean_margin = share("mean-margin", stated.mean_margin, own)?;
    let confidence = match stated.confidence {
        Some(text) => Some(units::confidence(text).map_err(|why| refused!("--confidence: {why}"))?),
        None => gate.and_then(|gate| gate.confidence),
    };
    Ok(Terms { margin, mean_margin, confidence })
}

/// A margin: that of the option, else that of the key of `[gate]` with the same name.
fn share(name: &str, option: Option<&str>, key: Option<&str>) -> Result<Option<f64>> {
    let margin = match (option, key) {
        (Some(text), _) => units::share(text).map_err(|why| refused!("--{name}: {why}"))?,
        (None, Some(text)) => units::share(text).map_err(|why| refused!("`{name}` of [gate]: {why}"))?,
        (None, None) => return Ok(None),
    };
    if !(margin > 0.0 && margin < 1.0) {
        refuse!("a margin lies between 0 and 100 %\n  try    --{name} 1%");
    }
    Ok(Some(margin))
}

/// Reads `fail-on` of `[gate]`. Both verdicts fail where it is not given: a gate that is open because nothing could be told
/// would be taken for one that was passed.
///
/// # Errors
/// A word that is no verdict that can fail.
pub fn configured(session: &Session) -> Result<Vec<FailOn>> {
    let words = session.project.content.gate.as_ref().map_or(&[][..], |gate| gate.fail_on.as_slice());
    if words.is_empty() {
        return Ok(vec![FailOn::Worse, FailOn::Unclear]);
    }
    let read = |word: &String| match word.as_str() {
        "worse" => Ok(FailOn::Worse),
        "unclear" => Ok(FailOn::Unclear),
        _ => Err(refused!("`fail-on` of [gate]: `{word}` is none of worse, unclear")),
    };
    words.iter().map(read).collect()
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
