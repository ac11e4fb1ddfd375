//! The machines of a merged comparison: their contributions, and which of them is an outlier.

use super::case::Compared;
use derny_estimate::fleet::{self, CaseOnMachine, Deviation};
use derny_estimate::pair::Pair;
use derny_model::{FleetMachine, Machine, Side, words};
use derny_stats::location::hodges_lehmann;
use derny_stats::scale::standard_deviation;
use std::collections::BTreeMap;

pub(super) fn machines(compared: &[Compared], machines: &[Machine], sides: &[Side]) -> Vec<FleetMachine> {
    if machines.len() < 2 {
        return Vec::new();
    }
    let judged = |side: &&super::case::Side| !sides[side.side as usize].control && !side.pairs.is_empty();
    let cases: Vec<Vec<CaseOnMachine>> =
        compared.iter().flat_map(|one| &one.sides).filter(judged).map(|side| seen(&side.pairs)).collect();
    let standings = fleet::standings(&cases, machines.len());
    let of = |(machine, standing): (&Machine, Deviation)| FleetMachine {
        name: machine.host.clone(),
        cpu: machine.cpu.clone(),
        cases: standing.cases,
        pairs: standing.pairs,
        noise: standing.noise,
        shift: standing.shift.map(libm::expm1),
        odd: odd(&standing),
    };
    machines.iter().zip(standings).map(of).collect()
}

fn seen(pairs: &[Pair]) -> Vec<CaseOnMachine> {
    let mut by_machine: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    pairs.iter().for_each(|pair| by_machine.entry(pair.units.0).or_default().push(pair.log));
    let of = |(machine, logs): (u32, Vec<f64>)| CaseOnMachine {
        machine,
        log: hodges_lehmann(&logs),
        spread: (logs.len() > 1).then(|| standard_deviation(&logs)),
        pairs: logs.len() as u32,
    };
    by_machine.into_iter().map(of).collect()
}

fn odd(standing: &Deviation) -> String {
    let noise = standing.noise.filter(|_| standing.is_noisy);
    let shift = standing.shift.filter(|_| standing.is_apart).map(libm::expm1);
    let sign = |shift: f64| if shift > 0.0 { "+" } else { "" };
    let parts = [
        noise.map(|noise| format!("its pairs scatter {noise:.1} times as much as those of other machines")),
        shift.map(|shift| {
            format!(
                "its changes differ by {}{} from those of other \
                machines",
                sign(shift),
                words::percent(shift)
            )
        }),
    ];
    parts.into_iter().flatten().collect::<Vec<String>>().join(", and ")
}

/// Describes machines that are outliers, and cases that only one machine measured.
pub(super) fn unknown(machines: &[FleetMachine], compared: &[derny_model::ComparedCase]) -> Vec<String> {
    let odd = machines.iter().filter(|machine| !machine.odd.is_empty());
    let mut all: Vec<String> = odd
        .map(|machine| {
            let FleetMachine { name, odd, .. } = machine;
            format!(
                "Machine {name} differs from the others: {odd}. To decide, merge without its parts, or \
                measure its shards on another machine."
            )
        })
        .collect();
    let alone = |case: &&derny_model::ComparedCase| {
        case.sides.iter().any(|side| side.changes.first().is_some_and(|change| change.machines == 1))
    };
    let alone = compared.iter().filter(alone).count();
    if alone > 0 && machines.len() > 1 {
        let cases = words::counted(alone, "case was", "cases were");
        let who = if alone == 1 { "Its verdict holds" } else { "Their verdicts hold" };
        all.push(format!(
            "{cases} measured on one machine each. {who} for that machine only. To cover more machines, use \
                `derny fleet plan --machines-per-case 3`."
        ));
    }
    all
}
