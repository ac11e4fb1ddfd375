//! The settings that all cases of a comparison share.

use super::history::History;
use super::input::{Input, Options};
use super::machine::{self, Seen};
use derny_estimate::change::Terms;
use derny_estimate::floor;
use derny_estimate::level::{Levels, LookPlan};
use derny_model::{Pairing, Settings};

pub(crate) struct Setting<'a> {
    pub options: &'a Options<'a>,
    pub pairing: Pairing,
    pub terms: Terms,
    pub levels: LookPlan,
    pub history: History<'a>,
    /// Changes of the machine between the base's run and that of each side.
    pub machine: Vec<Seen>,
}

pub(super) fn setting<'a>(
    inputs: &[Input],
    options: &'a Options<'a>,
    pairing: Pairing,
    family: usize,
) -> Setting<'a> {
    let base = &inputs[0];
    let settings = &base.document.run.settings;
    let levels = || match options.anytime {
        true => Levels::anytime(options.confidence),
        false => Levels::of_pairs(settings.processes as usize, options.confidence, settings.waves),
    };
    let mean_margin = options.mean_margin.or(settings.mean_margin);
    let terms = Terms {
        levels: levels(),
        margin: options.margin,
        mean_margin: Settings::mean_margin_of(mean_margin, options.margin),
        cycle_ns: base.records.and_then(|records| floor::cycle_ns(&records.observations)),
        machines: base.document.run.machines.len() > 1,
        ..Terms::new(settings, family)
    };
    Setting {
        options,
        pairing,
        terms,
        levels: LookPlan::new(levels()),
        history: History::new(options.history),
        machine: inputs.iter().map(|input| machine::between(base, input)).collect(),
    }
}
