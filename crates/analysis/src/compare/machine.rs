//! Compares the machine during two runs: its identity, its yardsticks, and the load from other programs.

use super::input::Input;
use derny_estimate::machine::{self, Between, Drift, Least};
use derny_model::{ComparedCase, MachineChange, Pairing, Quantity};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    /// True if both runs used the same machine.
    pub is_same: bool,
    /// Drift from yardsticks and contention. `None` if a run lacks them.
    pub drift: Option<Drift>,
    /// Time between the two runs, in ms.
    pub apart_ms: u64,
}

impl Seen {
    pub(crate) fn with(&self, least: Least, unit: &str) -> Between {
        match self.drift.or(least.by_days.then_some(Drift::NONE)) {
            _ if !self.is_same => Between::Elsewhere,
            None => Between::Unknown,
            Some(drift) => Between::Known(drift.of_unit(unit).at_least(least.log)),
        }
    }
}

pub(super) fn between(base: &Input, other: &Input) -> Seen {
    let (old, new) = (base.document, other.document);
    let of_runs = || {
        let contention = [old.contention.as_ref()?, new.contention.as_ref()?];
        Some(Drift::between(&old.yardsticks, &new.yardsticks)?.beside(contention))
    };
    let drift = if old.run.id == new.run.id { Some(Drift::NONE) } else { of_runs() };
    Seen { is_same: is_same(base, other), drift, apart_ms: old.run.started_ms.abs_diff(new.run.started_ms) }
}

/// Returns true if both runs have the same host name and processor. Returns false if one of them used several
/// machines.
pub(super) fn is_same(base: &Input, other: &Input) -> bool {
    match (base.document.run.only_machine(), other.document.run.only_machine()) {
        (Some(old), Some(new)) => (&old.host, &old.cpu) == (&new.host, &new.cpu),
        _ => false,
    }
}

/// Returns the change of the yardsticks for every side, and the shift that its cases share.
pub(super) fn changes(inputs: &[Input], pairing: Pairing, compared: &[ComparedCase]) -> Vec<MachineChange> {
    if pairing == Pairing::Paired {
        return Vec::new();
    }
    let base = &inputs[0];
    let others = inputs.iter().enumerate().skip(1).filter(|(_, other)| is_same(base, other));
    let change = |(at, other): (usize, &Input)| {
        let of_side = compared.iter().flat_map(|case| &case.sides).filter(|side| side.side as usize == at);
        let typical = of_side.flat_map(|side| &side.changes).filter(|c| c.quantity == Quantity::Typical);
        let logs: Vec<f64> = typical.filter_map(|change| Some(libm::log1p(change.change?.value))).collect();
        MachineChange {
            side: at as u32,
            yardsticks: machine::changes(&base.document.yardsticks, &other.document.yardsticks),
            contention: [base, other].map(|input| input.document.contention),
            common_shift: machine::common_shift(&logs).map(libm::expm1),
        }
    };
    others.map(change).collect()
}
