//! Warns about programs that fail a witness test.

use super::view::{CaseView, Detected};

/// Warns if a variant may cheat. Names the first failed test of the first such variant.
pub(super) fn suspicious(view: &CaseView) -> Option<Detected> {
    let variants = &view.result.variants;
    let variant = variants.iter().find(|variant| !variant.suspicions.is_empty())?;
    let suspicion = variant.suspicions.first()?;
    let name = if variants.len() > 1 { format!(" (in variant {})", variant.variant) } else { String::new() };
    Some(Detected {
        message: format!("{}{name}", suspicion.message),
        remedy: "find out where the program spends this time before you use the result".to_owned(),
        severity: suspicion.observed / suspicion.claimed.max(f64::MIN_POSITIVE),
    })
}
