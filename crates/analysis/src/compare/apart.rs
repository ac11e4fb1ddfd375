//! Notes on runs that were not measured together: their machines, how these changed, and how to learn more.

use super::input::Input;
use derny_estimate::contention::taken;
use derny_model::{ComparedCase, Contention, MachineChange, Quantity};

const BUSY: f64 = 0.05;

pub(super) fn sentences(
    inputs: &[Input],
    compared: &[ComparedCase],
    machine: &[MachineChange],
) -> Vec<String> {
    let (base, new) = (&inputs[0], &inputs[inputs.len() - 1]);
    if base.document.run.id == new.document.run.id {
        let text = "The document contains results without rounds, so shared disturbances do not cancel.";
        return vec![text.to_owned(), format!("To decide, measure both in one run: `{}`.", offer(base, new))];
    }
    let mut all = vec![
        "The sides were not measured together, so the difference includes any change of the machine between \
            the runs."
            .to_owned(),
    ];
    all.extend(imported(inputs));
    all.extend(uncommitted(base));
    for (side, input) in (0..).zip(inputs).skip(1) {
        let who = if inputs.len() > 2 { format!("{}: ", input.name) } else { String::new() };
        let said = match machine.iter().find(|change| change.side == side) {
            Some(change) => seen(change, [&base.name, &input.name], compared),
            None => {
                let several = inputs.iter().any(|input| input.document.run.only_machine().is_none());
                let of = if several { "several machines" } else { "another machine" };
                vec![format!(
                    "It was measured on {of}, so the difference may have nothing to do with the \
                    program."
                )]
            }
        };
        all.extend(said.into_iter().map(|sentence| format!("{who}{sentence}")));
    }
    let first = if is_dirty(base) { "commit the base's code, and " } else { "" };
    all.push(format!("To decide, {first}measure both in one run: `{}`.", offer(base, new)));
    all
}

fn is_dirty(input: &Input) -> bool {
    input.document.run.commit.as_ref().is_some_and(|commit| commit.dirty)
}

fn uncommitted(base: &Input) -> Option<String> {
    let commit = base.document.run.commit.as_ref().filter(|commit| commit.dirty)?;
    let (name, hash) = (&base.name, short(&commit.hash));
    Some(format!("{name} was measured with uncommitted changes on top of {hash}."))
}

fn imported(inputs: &[Input]) -> Option<String> {
    let files: Vec<&str> = inputs
        .iter()
        .filter_map(|input| input.document.run.imported.as_ref())
        .map(|from| from.file.rsplit('/').next().unwrap_or(&from.file))
        .collect();
    let nameless = inputs.iter().any(|input| input.document.run.machine.host.is_empty());
    let machine = match nameless {
        true => ", and the machine is unknown",
        false => "",
    };
    (!files.is_empty()).then(|| {
        format!(
            "{} {} imported from a tool that does not alternate sides{machine}.",
            files.join(", "),
            if files.len() == 1 { "was" } else { "were" },
        )
    })
}

fn seen(machine: &MachineChange, [base, new]: [&str; 2], compared: &[ComparedCase]) -> Vec<String> {
    let list = |moved: bool| {
        let own = machine.yardsticks.iter().filter(|one| one.moved == moved);
        own.map(|one| format!("{} {}", one.name, share(one.change))).collect::<Vec<_>>().join(", ")
    };
    let has_moved = machine.yardsticks.iter().any(|one| one.moved);
    let yardsticks = match machine.yardsticks.as_slice() {
        [] => "One of the runs has no yardsticks, so changes of the machine between them are unknown."
            .to_owned(),
        _ if has_moved => format!("The machine changed, according to its yardsticks: {}.", list(true)),
        _ => format!("No yardstick moved by more than its noise: {}.", list(false)),
    };
    let contention = match machine.contention {
        [Some(old), Some(now)] => [busy(base, &old), busy(new, &now)].into_iter().flatten().collect(),
        _ if machine.yardsticks.is_empty() => Vec::new(),
        _ => vec!["The load by other programs is unknown for one of the runs.".to_owned()],
    };
    let shift = machine.common_shift.map(|shift| {
        let what = match (machine.yardsticks.is_empty(), has_moved) {
            _ if exceeds(shift, machine.side, compared) => "which is more than the machine can explain.",
            (true, _) => "which may be due to the machine or the program.",
            (_, true) => "and the yardsticks moved too: the machine may be the cause.",
            (_, false) => {
                "and no yardstick moved: the cause is the program, or a change that no yardstick measures."
            }
        };
        format!("All cases share a shift of {}, {what}", share(shift))
    });
    [yardsticks].into_iter().chain(contention).chain(shift).collect()
}

fn busy(name: &str, contention: &Contention) -> Option<String> {
    let taken = taken(contention);
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let whose = match contention.steal {
        steal if steal >= BUSY => format!(
            "other programs took {} and the hypervisor {}",
            percent(contention.others),
            percent(steal)
        ),
        _ => format!("other programs took {}", percent(contention.others)),
    };
    (taken >= BUSY).then(|| format!("The machine was busy during {name}: {whose} of its processors' time."))
}

fn share(share: f64) -> String {
    format!("{}{:.1} %", if share < 0.0 { "−" } else { "+" }, 100.0 * share.abs())
}

/// Returns true if, for typical time in every case of `side`, `shift` is outside the range that the machine
/// may explain.
fn exceeds(shift: f64, side: u32, compared: &[ComparedCase]) -> bool {
    let of_side = compared.iter().flat_map(|case| &case.sides).filter(|own| own.side == side);
    let typical = of_side.flat_map(|own| &own.changes).filter(|change| change.quantity == Quantity::Typical);
    let mut ranges = typical.filter_map(|change| change.machine).peekable();
    ranges.peek().is_some() && ranges.all(|range| shift < range.lo || range.hi < shift)
}

fn offer(base: &Input, new: &Input) -> String {
    let commit =
        |input: &Input| input.document.run.commit.as_ref().map(|commit| (commit.hash.clone(), commit.dirty));
    match (commit(base), commit(new)) {
        (Some((old, _)), Some((new, false))) if old != new => {
            format!("derny run -x {} -x {}", short(&old), short(&new))
        }
        (Some((old, _)), _) => format!("derny run -x {} -x head", short(&old)),
        _ => "derny run -x old=COMMAND -x new=COMMAND".to_owned(),
    }
}

fn short(hash: &str) -> &str {
    hash.get(..10).unwrap_or(hash)
}
