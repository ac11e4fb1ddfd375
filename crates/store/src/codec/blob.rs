//! The binary encoding of the turns of a visit, column by column. The head, which is everything except the
//! times, is compressed if that makes it smaller.
//!
//! The journal uses the same encoding, without compression, for single turns (see [`put_turn`]), because it
//! receives many turns per second. The first byte of a visit's blob is the version.

use crate::codec::columns::{put_floats, put_words, read_ops, read_rows, read_strings, read_words};
use crate::codec::more::{has_more, put_more, put_outside, read_more, read_outside};
use crate::codec::times::{Free, put_times, read_times};
use crate::codec::varint::{Reader, put, width};
use derny_model::{Phase, Turn, TurnFacts};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use std::io::{Read, Write};

const PLAIN: u8 = 1;
const DEFLATED: u8 = 2;
/// Size in bytes up to which a head is not compressed. Setting up the compressor takes about 50 µs. A turn
/// takes about 20 bytes, and a file may have hundreds of thousands of visits with only a few turns.
const TOO_SHORT: usize = 256;
/// Size in bytes that a decompressed head may have in addition to [`BEST`] times its compressed size. It is
/// enough for hundreds of thousands of turns. There is a limit because a few bytes of untrusted input may
/// decompress to any number of zeros.
const LARGEST: u64 = 4 << 20;
/// Maximum compression ratio of heads larger than [`LARGEST`]. A head contains the start times of turns,
/// which never compress better than this.
const BEST: u64 = 32;
/// The phases in the order of their codes. The order is part of the format, so new phases are appended.
const PHASES: [Phase; 9] = [
    Phase::Cold,
    Phase::Calibration,
    Phase::WarmUp,
    Phase::Measured,
    Phase::Overhead,
    Phase::Rejected,
    Phase::Collection,
    Phase::Settling,
    Phase::Window,
];

/// Bit of the phase byte that marks a turn with rarely used data: a separate thread, or undeclared values.
/// These data follow after all columns. Turns of earlier versions do not have the bit and are decoded as
/// before.
const MORE: u8 = 0x80;
/// Bit of the phase byte that marks a turn that was also observed from outside its harness. These data come
/// last.
const OUTSIDE: u8 = 0x40;
const BITS: u8 = MORE | OUTSIDE;

/// Appends one turn of an open visit. Skips compression to keep this cheap.
pub fn put_turn(out: &mut Vec<u8>, turn: &Turn) {
    put_head(out, std::slice::from_ref(turn));
    put_batches(out, std::slice::from_ref(turn));
}

pub fn read_turn(visit: u32, bytes: &[u8]) -> Option<Turn> {
    let mut reader = Reader::new(bytes);
    let (mut head, batches) = read_head(&mut reader, visit)?;
    read_batches(&mut reader, &mut head, &batches, Free::of(bytes.len()))?;
    head.pop()
}

/// Encodes all turns of a visit as one blob. Only the head is compressed, because packed times cannot be
/// compressed further.
pub fn encode(turns: &[Turn]) -> Vec<u8> {
    let mut blob = vec![PLAIN];
    put_head(&mut blob, turns);
    if blob.len() > TOO_SHORT {
        let deflated = deflated(&blob[1..]);
        if !deflated.is_empty() && deflated.len() + width(deflated.len() as u64) < blob.len() - 1 {
            blob.clear();
            blob.push(DEFLATED);
            put(&mut blob, deflated.len() as u64);
            blob.extend(deflated);
        }
    }
    put_batches(&mut blob, turns);
    blob
}

fn deflated(head: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(head).and_then(|()| encoder.finish()).unwrap_or_default()
}

pub fn decode(visit: u32, blob: &[u8]) -> Option<Vec<Turn>> {
    let mut reader = Reader::new(blob);
    let (mut turns, batches) = match reader.byte()? {
        PLAIN => read_head(&mut reader, visit)?,
        DEFLATED => {
            let head = inflated(&mut reader)?;
            read_head(&mut Reader::new(&head), visit)?
        }
        _ => return None,
    };
    read_batches(&mut reader, &mut turns, &batches, Free::of(blob.len()))?;
    reader.is_empty().then_some(turns)
}

/// Returns facts about the turns of a blob without decoding the turns. `None` if the relevant bytes are
/// corrupt.
pub fn facts(blob: &[u8]) -> Option<TurnFacts> {
    let mut reader = Reader::new(blob);
    if reader.byte()? != DEFLATED {
        return decode(0, blob).map(|turns| TurnFacts::of(&turns));
    }
    let head = inflated(&mut reader)?;
    let first = read_first(&mut Reader::new(&head))?;
    let phase = |code: &u8| PHASES.get(usize::from(code & !BITS)).copied();
    let count = |wanted| first.phases.iter().filter(|code| phase(code) == Some(wanted)).count() as u32;
    Some(TurnFacts {
        begun_ns: first.at_ns.iter().copied().min(),
        warm_up: count(Phase::WarmUp),
        measured: count(Phase::Measured),
        rejected: count(Phase::Rejected),
        // If at least one turn has times, there are bytes after the head.
        timed: !reader.is_empty(),
        pinned: first.cpus.iter().any(|cpu| *cpu > 0),
    })
}

fn inflated(reader: &mut Reader<'_>) -> Option<Vec<u8>> {
    let length = reader.count(1)?;
    let most = LARGEST + (length as u64).saturating_mul(BEST);
    let mut head = Vec::with_capacity(8 * length);
    DeflateDecoder::new(reader.bytes(length)?).take(most + 1).read_to_end(&mut head).ok()?;
    (head.len() as u64 <= most).then_some(head)
}

struct First<'a> {
    phases: &'a [u8],
    rounds: Vec<u64>,
    iterations: Vec<u64>,
    at_ns: Vec<u64>,
    wall_ns: Vec<u64>,
    cpus: Vec<u64>,
}

fn read_first<'a>(reader: &mut Reader<'a>) -> Option<First<'a>> {
    let count = reader.count(1)?;
    Some(First {
        phases: reader.bytes(count)?,
        rounds: read_words(reader, count)?,
        iterations: read_words(reader, count)?,
        at_ns: read_words(reader, count)?,
        wall_ns: read_words(reader, count)?,
        cpus: read_words(reader, count)?,
    })
}

fn put_head(out: &mut Vec<u8>, turns: &[Turn]) {
    put(out, turns.len() as u64);
    out.extend(turns.iter().map(|turn| {
        let outside = if turn.outside.is_some() { OUTSIDE } else { 0 };
        phase_code(turn.phase) | outside | if has_more(turn) { MORE } else { 0 }
    }));
    put_words(out, turns, |turn| u64::from(turn.round));
    put_words(out, turns, |turn| turn.iterations);
    put_words(out, turns, |turn| turn.at_ns);
    put_words(out, turns, |turn| turn.wall_ns);
    put_words(out, turns, |turn| turn.cpu.map_or(0, |cpu| u64::from(cpu) + 1));
    put_words(out, turns, |turn| turn.hash.as_ref().map_or(0, |hash| hash.len() as u64 + 1));
    turns.iter().filter_map(|turn| turn.hash.as_ref()).for_each(|hash| out.extend(hash.as_bytes()));
    put_words(out, turns, |turn| turn.counters.len() as u64);
    // For each column, visit only the turns that have it. Otherwise, one turn with many counters would slow
    // down the others.
    let mut longer: Vec<&[Option<f64>]> =
        turns.iter().map(|turn| turn.counters.as_slice()).filter(|counters| !counters.is_empty()).collect();
    let mut column = 0;
    while !longer.is_empty() {
        put_floats(out, longer.iter().map(|counters| counters[column]));
        column += 1;
        longer.retain(|counters| counters.len() > column);
    }
    put_words(out, turns, |turn| turn.ops.as_ref().map_or(0, |ops| ops.len() as u64 + 1));
    put_floats(out, turns.iter().filter_map(|turn| turn.ops.as_ref()).flatten().map(|&ops| Some(ops)));
    put_words(out, turns, |turn| turn.times_ns.len() as u64);
    turns.iter().filter(|turn| has_more(turn)).for_each(|turn| put_more(out, turn));
    turns.iter().filter_map(|turn| turn.outside.as_ref()).for_each(|outside| put_outside(out, outside));
}

fn put_batches(out: &mut Vec<u8>, turns: &[Turn]) {
    let mut minimum = 0;
    for turn in turns {
        minimum = put_times(out, &turn.times_ns, minimum);
    }
}

/// Decodes turns without their times, and returns how many times each turn has.
fn read_head(reader: &mut Reader<'_>, visit: u32) -> Option<(Vec<Turn>, Vec<u64>)> {
    let First { phases, rounds, iterations, at_ns, wall_ns, cpus } = read_first(reader)?;
    let count = phases.len();
    let hashes = read_strings(reader, count)?;
    let counters = read_rows(reader, count)?;
    let ops = read_ops(reader, count)?;
    let batches = read_words(reader, count)?;
    let mut turns = Vec::with_capacity(count);
    for (index, ((hash, counters), ops)) in hashes.into_iter().zip(counters).zip(ops).enumerate() {
        turns.push(Turn {
            visit,
            phase: *PHASES.get(usize::from(phases[index] & !BITS))?,
            round: u32::try_from(rounds[index]).ok()?,
            iterations: iterations[index],
            times_ns: Vec::new(),
            ops,
            counters,
            cpu: cpus[index].checked_sub(1).map(u32::try_from).transpose().ok()?,
            at_ns: at_ns[index],
            wall_ns: wall_ns[index],
            hash,
            thread: None,
            reported: Vec::new(),
            outside: None,
        });
    }
    for (turn, _) in turns.iter_mut().zip(phases).filter(|(_, phase)| **phase & MORE != 0) {
        read_more(reader, turn)?;
    }
    for (turn, _) in turns.iter_mut().zip(phases).filter(|(_, phase)| **phase & OUTSIDE != 0) {
        turn.outside = Some(Box::new(read_outside(reader)?));
    }
    Some((turns, batches))
}

fn read_batches(reader: &mut Reader<'_>, turns: &mut [Turn], batches: &[u64], mut free: Free) -> Option<()> {
    let mut minimum = 0;
    for (turn, &count) in turns.iter_mut().zip(batches) {
        (turn.times_ns, minimum) = read_times(reader, usize::try_from(count).ok()?, minimum, &mut free)?;
    }
    Some(())
}

/// Returns the index of a phase in [`PHASES`]. A new phase causes a compile error here until it has a code.
fn phase_code(phase: Phase) -> u8 {
    match phase {
        Phase::Cold => 0,
        Phase::Calibration => 1,
        Phase::WarmUp => 2,
        Phase::Measured => 3,
        Phase::Overhead => 4,
        Phase::Rejected => 5,
        Phase::Collection => 6,
        Phase::Settling => 7,
        Phase::Window => 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::more::{DIRECTIONS, KINDS};
    use derny_model::{Metric, Outside, Reported};
    use proptest::prelude::*;

    fn float() -> impl Strategy<Value = f64> {
        prop_oneof![
            Just(0.0),
            Just(-0.0),
            Just(f64::MAX),
            Just(f64::MIN_POSITIVE / 8.0),
            Just(f64::INFINITY),
            Just(9_007_199_254_740_993.0),
            Just(-9_007_199_254_740_991.0),
            (0u32..5000).prop_map(f64::from),
            any::<u64>().prop_map(|word| word as f64),
            any::<f64>().prop_filter("counters are numbers", |value| !value.is_nan()),
        ]
    }

    fn any_outside() -> impl Strategy<Value = Option<Box<Outside>>> {
        let some = prop::option::of(any::<(u64, u64, Option<u64>, Option<u64>)>());
        some.prop_map(|some| {
            let (wall_ns, lead_ns, cpu_ns, wait_ns) = some?;
            // `u64::MAX` cannot be encoded. As a time it would be almost six hundred years.
            let limit = |ns: Option<u64>| ns.map(|ns| ns.min(u64::MAX - 1));
            Some(Box::new(Outside { wall_ns, lead_ns, cpu_ns: limit(cpu_ns), wait_ns: limit(wait_ns) }))
        })
    }

    fn any_reported() -> impl Strategy<Value = Reported> {
        let words = (".{0,9}", ".{0,3}", 0..KINDS.len(), 0..DIRECTIONS.len(), any::<bool>());
        (words, float()).prop_map(|((name, unit, kind, direction, exact), value)| {
            let metric = Metric { name, unit, kind: KINDS[kind], direction: DIRECTIONS[direction], exact };
            Reported { metric, value }
        })
    }

    fn any_turn() -> impl Strategy<Value = Turn> {
        let word = || prop_oneof![any::<u64>(), 0u64..100, Just(u64::MAX), Just(0)];
        let head = (0..PHASES.len(), any::<u32>(), word(), word(), word(), any::<Option<u32>>());
        let times_ns = prop_oneof![
            prop::collection::vec(word(), 0..20),
            prop::collection::vec((200u64..260).prop_map(|step| step * 10), 0..40),
        ];
        let rest = (
            times_ns,
            prop::option::of(prop::collection::vec(float(), 0..6)),
            prop::collection::vec(prop::option::of(float()), 0..5),
            prop::option::of(".{0,12}"),
        );
        (head, rest, (any::<Option<u32>>(), prop::collection::vec(any_reported(), 0..3), any_outside()))
            .prop_map(
                |((phase, round, iterations, at_ns, wall_ns, cpu), (times_ns, ops, counters, hash), more)| {
                    let (thread, reported, outside) = more;
                    let phase = PHASES[phase];
                    Turn {
                        visit: 3,
                        phase,
                        round,
                        iterations,
                        times_ns,
                        ops,
                        counters,
                        cpu,
                        at_ns,
                        wall_ns,
                        hash,
                        thread,
                        reported,
                        outside,
                    }
                },
            )
    }

    /// Returns the bits of all floats, because `==` treats -0.0 as 0.0.
    fn bits(turns: &[Turn]) -> Vec<Option<u64>> {
        let ops = turns.iter().flat_map(|turn| turn.ops.iter().flatten().map(|ops| Some(ops.to_bits())));
        ops.chain(turns.iter().flat_map(|turn| turn.counters.iter().map(|c| c.map(f64::to_bits)))).collect()
    }

    proptest! {
        #[test]
        fn any_turns_come_back_bit_by_bit(turns in prop::collection::vec(any_turn(), 0..12)) {
            let decoded = decode(3, &encode(&turns)).unwrap();
            prop_assert_eq!(bits(&decoded), bits(&turns));
            prop_assert_eq!(facts(&encode(&turns)), Some(TurnFacts::of(&turns)));
            prop_assert_eq!(decoded, turns);
        }

        #[test]
        fn a_single_turn_comes_back_bit_by_bit(turn in any_turn()) {
            let mut bytes = Vec::new();
            put_turn(&mut bytes, &turn);
            let decoded = read_turn(3, &bytes).unwrap();
            prop_assert_eq!(bits(std::slice::from_ref(&decoded)), bits(std::slice::from_ref(&turn)));
            prop_assert_eq!(decoded, turn);
        }

        #[test]
        fn damaged_blobs_never_panic(turns in prop::collection::vec(any_turn(), 1..4), at: prop::sample::Index, to: u8) {
            let mut plain = vec![PLAIN];
            put_head(&mut plain, &turns);
            put_batches(&mut plain, &turns);
            let at = at.index(plain.len());
            decode(3, &plain[..at]);
            plain[at] = to;
            decode(3, &plain);
        }
    }

    #[test]
    fn phases_are_stored_by_their_place_in_the_list() {
        for (index, phase) in PHASES.iter().enumerate() {
            assert_eq!(usize::from(phase_code(*phase)), index);
        }
    }

    fn of_zeros(begin: &[u8], zeros: usize) -> Vec<u8> {
        let deflated = deflated(&[begin, &vec![0; zeros]].concat());
        let mut blob = vec![DEFLATED];
        put(&mut blob, deflated.len() as u64);
        blob.extend(deflated);
        blob
    }

    #[test]
    fn few_bytes_never_become_many() {
        for zeros in [5 << 20, 1 << 26] {
            let blob = of_zeros(&[], zeros);
            assert!(blob.len() < 100_000);
            assert_eq!((decode(0, &blob), facts(&blob)), (None, None), "{zeros}");
        }
        // Test one turn of a million equal times, and as many turns as the limit allows.
        let equal = |times: usize| Turn { times_ns: vec![7; times], ..plain() };
        assert!(decode(3, &encode(&vec![equal(4096); 1000])).is_some());
        let mut blob = vec![PLAIN];
        put_head(&mut blob, &vec![equal(1 << 20); 20]);
        put_batches(&mut blob, &vec![equal(1); 20]);
        assert_eq!(decode(3, &blob), None);
        // Claim more times or counters than there are bytes.
        for counters in [1 << 40, u64::MAX] {
            let mut blob = vec![PLAIN, 1, 3];
            [0, 0, 0, 0, 0, 0, counters]
                .iter()
                .for_each(|&word| crate::codec::varint::put_step(&mut blob, word, 0));
            blob.extend([2; 100]);
            assert_eq!(decode(3, &blob), None);
        }
    }

    #[test]
    fn one_turn_of_many_counters_costs_the_others_nothing() {
        let mut turns = vec![plain(); 50_000];
        turns[7].counters = vec![Some(1.0); 50_000];
        assert_eq!(decode(3, &encode(&turns)), Some(turns));
    }

    fn plain() -> Turn {
        Turn {
            visit: 3,
            phase: Phase::Measured,
            round: 0,
            iterations: 1,
            times_ns: vec![7],
            ops: None,
            counters: Vec::new(),
            cpu: None,
            at_ns: 0,
            wall_ns: 0,
            hash: None,
            thread: None,
            reported: Vec::new(),
            outside: None,
        }
    }

    #[test]
    fn cut_and_unknown_blobs_are_refused() {
        assert_eq!(decode(0, &[]), None);
        assert_eq!(decode(0, &[9, 0]), None);
        assert_eq!(decode(0, &[PLAIN, 5]), None);
        assert_eq!(decode(0, &encode(&[])), Some(vec![]));
    }
}
