//! The machine between two runs: which one it was, and what its yardsticks show.

use super::Input;
use derny_estimate::machine::{self, Drift};
use derny_model::{ComparedCase, MachineChange, Pairing, Quantity};

/// What yardsticks say of the machine from the base's run to that of `other`, none where it is another machine; and the time between
/// them in ms.
pub(super) fn between(base: &Input, other: &Input) -> (Option<Drift>, u64) {
    let (old, new) = (base.document, other.document);
    let drift = is_same(base, other).then(|| Drift::between(&old.yardsticks, &new.yardsticks));
    (drift, old.run.started_ms.abs_diff(new.run.started_ms))
}

/// Whether two runs are of one machine, by its name and its processor. One that several have measured is of none.
pub(super) fn is_same(base: &Input, other: &Input) -> bool {
    match (base.document.run.only_machine(), other.document.run.only_machine()) {
        (Some(old), Some(new)) => (&old.host, &old.cpu) == (&new.host, &new.cpu),
        _ => false,
    }
}

/// What the yardsticks of every side show, and the shift that its cases share.
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
            common_shift: machine::common_shift(&logs).map(libm::expm1),
        }
    };
    others.map(change).collect()
}
