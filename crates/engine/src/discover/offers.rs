//! The modes and counters that programs declare in their hello.
//!
//! The caller decides which ones are needed, and reports missing ones.

use crate::discover::asking::Asking;
use crate::discover::catalogue::Catalogue;
use crate::discover::listing;
use crate::observe::thread;
use std::time::Duration;

/// The valid values of `modes` and `metrics`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offers {
    /// Modes of measuring.
    pub modes: Vec<String>,
    /// Counters of the harnesses, of the cases, and of the engine.
    pub metrics: Vec<String>,
    /// True if every program has answered. Otherwise, more modes and counters may exist.
    pub is_whole: bool,
}

/// Starts the programs of the selected cases one after the other, until `is_enough` returns true. Opens and
/// measures no case.
pub fn offers(catalogue: &Catalogue, asking: Asking<'_>, is_enough: impl Fn(&Offers) -> bool) -> Offers {
    let declared = catalogue.cases.iter().flat_map(|case| &case.metrics).map(|metric| metric.name.clone());
    let observed = thread::names().map(str::to_owned);
    let as_run = catalogue.cases.iter().filter_map(derny_model::Case::as_run);
    let metrics = observed.chain(declared).chain(as_run).collect();
    let mut offers = Offers { modes: Vec::new(), metrics, is_whole: true };
    let mut sources = catalogue.source_of.clone();
    sources.sort_unstable();
    sources.dedup();
    for source in sources {
        if is_enough(&offers) {
            break;
        }
        match listing::meet(&catalogue.sources[source], asking) {
            Ok(link) => {
                offers.modes.extend(link.hello.modes.iter().cloned());
                offers.metrics.extend(link.hello.metrics.iter().map(|metric| metric.name.clone()));
                link.quit(Duration::from_secs(2));
            }
            Err(_) => offers.is_whole = false,
        }
    }
    offers
}

impl Offers {
    /// Returns true if a metric of this name exists: a counter, the time of a mode, or `MODE.COUNTER`.
    pub fn has_metric(&self, name: &str) -> bool {
        let is_counter = |name: &str| self.metrics.iter().any(|own| own == name);
        let of_mode = |mode: &String| name.strip_prefix(mode.as_str())?.strip_prefix('.');
        is_counter(name) || self.has_mode(name) || self.modes.iter().filter_map(of_mode).any(is_counter)
    }

    /// Returns true if a harness has this mode.
    pub fn has_mode(&self, name: &str) -> bool {
        self.modes.iter().any(|own| own == name)
    }
}
