//! A compact form of a process. Processes are packed until their case is looked at again, to save memory, and
//! are restored bit for bit.
//!
//! See [`Pack`].

use crate::cost::{Cost, Spent, Use};
use crate::pair::Replicate;
use crate::rounds::Rounds;
use derny_model::{Collector, Pack};

/// Appends a process.
pub fn pack(to: &mut Vec<u8>, replicate: &Replicate) {
    let Replicate { block, place, unit, wave, clock_step_ns, rounds, cost, age_ns, floor } = replicate;
    for number in [block, place, unit, &rounds.turns] {
        number.pack(to);
    }
    for number in [*clock_step_ns, *age_ns, rounds.timed_ns, rounds.batches as u64, rounds.logs.len() as u64]
    {
        number.pack(to);
    }
    floor.pack(to);
    wave.map(u64::from).pack(to);
    for (at, log) in rounds.logs.iter().enumerate() {
        let ((visit, round), cpu) = rounds.places[at];
        log.pack(to);
        visit.pack(to);
        round.pack(to);
        (cpu.map_or(0, |cpu| u64::from(cpu) + 1) << 1 | u64::from(rounds.compiled[at])).pack(to);
    }
    to.push(match cost.collector {
        None => 0,
        Some(Collector::None) => 1,
        Some(Collector::Counted) => 2,
        Some(Collector::Untold) => 3,
    });
    cost.young.map(|young| young as u64).pack(to);
    let allocated = cost.allocated;
    allocated.map(|(bytes, _)| bytes).pack(to);
    allocated.map(|(_, operations)| operations).pack(to);
    (cost.turns.len() as u64).pack(to);
    cost.turns.iter().for_each(|turn| spent(to, turn));
}

/// Reads a process from the start of `from` and advances past it. Returns `None` if the bytes are invalid.
pub fn unpack(from: &mut &[u8]) -> Option<Replicate> {
    let [block, place, unit, turns] = [(); 4].map(|()| u32::unpack(from));
    let [clock_step_ns, age_ns, timed_ns, batches, logs] = [(); 5].map(|()| u64::unpack(from));
    let floor = Pack::unpack(from)?;
    let wave = Option::<u64>::unpack(from)?.and_then(|wave| u32::try_from(wave).ok());
    let (turns, timed_ns, batches) = (turns?, timed_ns?, batches? as usize);
    let mut rounds = Rounds { turns, timed_ns, batches, ..Rounds::default() };
    for _ in 0..logs? {
        rounds.logs.push(f64::unpack(from)?);
        let at = (u32::unpack(from)?, u32::unpack(from)?);
        let last = u64::unpack(from)?;
        let cpu = (last >> 1).checked_sub(1).and_then(|cpu| u32::try_from(cpu).ok());
        rounds.places.push((at, cpu));
        rounds.compiled.push(last & 1 == 1);
    }
    let collector = match u8::unpack(from)? {
        0 => None,
        1 => Some(Collector::None),
        2 => Some(Collector::Counted),
        _ => Some(Collector::Untold),
    };
    let young = Option::<u64>::unpack(from)?.map(|young| young as usize);
    let allocated = Option::<f64>::unpack(from)?.zip(Option::<f64>::unpack(from)?);
    let turns = (0..u64::unpack(from)?).map(|_| taken_spent(from)).collect::<Option<_>>()?;
    let cost = Cost { collector, turns, young, allocated };
    let (block, place, unit) = (block?, place?, unit?);
    let (clock_step_ns, age_ns) = (clock_step_ns?, age_ns?);
    Some(Replicate { block, place, unit, wave, clock_step_ns, rounds, cost, age_ns, floor })
}

fn spent(to: &mut Vec<u8>, turn: &Spent) {
    let is_zero = |value: f64| value.to_bits() == 0;
    let collections = turn.collections.map_or(0, |count| if is_zero(count) { 1 } else { 2 });
    let used = match turn.used {
        Use::WarmUp => 0,
        Use::Measured => 1,
        Use::Window => 2,
    };
    let preempted = turn.preempted.map_or(0, |hit| 1 + u8::from(hit));
    let excess = u8::from(!is_zero(turn.excess_ns));
    to.push(used | collections << 2 | preempted << 4 | u8::from(turn.compiled) << 6 | excess << 7);
    turn.ns.pack(to);
    turn.operations.pack(to);
    turn.cpu_ns.pack(to);
    if collections == 2 {
        turn.collections.unwrap_or_default().pack(to);
    }
    if excess == 1 {
        turn.excess_ns.pack(to);
    }
}

fn taken_spent(from: &mut &[u8]) -> Option<Spent> {
    let flags = u8::unpack(from)?;
    let used = match flags & 3 {
        0 => Use::WarmUp,
        1 => Use::Measured,
        _ => Use::Window,
    };
    let (ns, operations) = (f64::unpack(from)?, f64::unpack(from)?);
    let cpu_ns = Option::<f64>::unpack(from)?;
    let collections = match flags >> 2 & 3 {
        0 => None,
        1 => Some(0.0),
        _ => Some(f64::unpack(from)?),
    };
    let preempted = (flags >> 4 & 3).checked_sub(1).map(|hit| hit == 1);
    let excess_ns = if flags >> 7 == 1 { f64::unpack(from)? } else { 0.0 };
    let compiled = flags >> 6 & 1 == 1;
    Some(Spent { used, ns, operations, cpu_ns, collections, preempted, compiled, excess_ns })
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_model::{Phase, Turn};

    const WHOLE: f64 = 9_007_199_254_740_992.0;

    fn replicate() -> Replicate {
        let cost = Cost { collector: Some(Collector::Untold), young: Some(0), ..Cost::default() };
        let mut replicate =
            Replicate { block: 7, place: 1, unit: 300, clock_step_ns: 40, cost, ..Replicate::default() };
        (replicate.age_ns, replicate.floor) = (u64::MAX, Some(0.1));
        for (round, value) in (0..).zip([1.5, 0.0, 2.0 / 3.0, f64::MAX]) {
            let times_ns = vec![u64::from(round) * 1000; 3];
            let cpu = u32::checked_sub(round, 1);
            let turn = Turn { round, cpu, times_ns, ..crate::turn::tests::turn() };
            replicate.rounds.add(round / 2, &turn, &[], Some(value));
        }
        let plain = Spent {
            used: Use::Measured,
            ns: 2_000_000.0,
            operations: 1e6,
            cpu_ns: None,
            collections: None,
            preempted: None,
            compiled: false,
            excess_ns: 0.0,
        };
        replicate.cost.turns = vec![
            plain,
            Spent { used: Use::WarmUp, ns: 0.1, collections: Some(0.0), preempted: Some(false), ..plain },
            Spent { cpu_ns: Some(1.5), preempted: Some(true), ..plain },
            Spent {
                used: Use::Window,
                collections: Some(-0.0),
                preempted: Some(true),
                compiled: true,
                ..plain
            },
            Spent { ns: WHOLE, operations: f64::NAN, collections: Some(3.0), excess_ns: 1.25, ..plain },
            Spent { ns: -1.0, operations: WHOLE - 1.0, collections: Some(f64::INFINITY), ..plain },
        ];
        replicate
    }

    #[test]
    fn what_comes_back_has_the_same_bits() {
        let (one, two) = (replicate(), Replicate::default());
        let mut bytes = Vec::new();
        pack(&mut bytes, &one);
        pack(&mut bytes, &two);
        let mut from = bytes.as_slice();
        // The debug format of a float is unambiguous, even for a negative zero.
        assert_eq!(format!("{:?}", unpack(&mut from).unwrap()), format!("{one:?}"));
        assert_eq!(format!("{:?}", unpack(&mut from).unwrap()), format!("{two:?}"));
        assert!(from.is_empty());
    }

    #[test]
    fn bytes_that_end_early_are_no_process() {
        let mut bytes = Vec::new();
        pack(&mut bytes, &replicate());
        for end in 0..bytes.len() {
            assert!(unpack(&mut &bytes[..end]).is_none(), "{end}");
        }
    }

    #[test]
    fn a_turn_takes_few_bytes() {
        let turn = Turn { phase: Phase::Measured, times_ns: vec![20_000; 100], ..crate::turn::tests::turn() };
        let mut replicate = Replicate::default();
        for _ in 0..50 {
            replicate.rounds.add(0, &turn, &[], Some(1.0 / 3.0));
            replicate.cost.add(&turn, &[], 1.0);
        }
        let mut bytes = Vec::new();
        pack(&mut bytes, &replicate);
        assert!(bytes.len() < 50 * 22, "{}", bytes.len());
    }
}
