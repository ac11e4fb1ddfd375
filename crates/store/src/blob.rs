//! Turns as bytes: column by column, then deflated if that is smaller. Knows nothing of the database.
//!
//! The same form holds one turn on its way into the store (many a second: see [`put_turn`]) and all turns of a
//! finished visit. The first byte is the form's version, so that a later form can be told apart.

use crate::times::{put_times, read_times};
use crate::varint::{Reader, put, put_step};
use derny_model::{Phase, Turn};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use std::io::{Read, Write};

const PLAIN: u8 = 1;
const DEFLATED: u8 = 2;
/// The order is part of the form: append only.
const PHASES: [Phase; 6] =
    [Phase::Cold, Phase::Calibration, Phase::WarmUp, Phase::Measured, Phase::Overhead, Phase::Rejected];
/// Integers of a column of floats are kept as integers up to 2^53, where each has a float of its own.
const INTEGER_LIMIT: f64 = 9_007_199_254_740_992.0;

/// Appends one turn, with its length in front, to a chunk of a visit under way. Cheap: no deflating.
pub fn put_turn(chunk: &mut Vec<u8>, turn: &Turn) {
    let start = chunk.len();
    chunk.extend([0; 4]); // its length, known when it is written
    put_columns(chunk, std::slice::from_ref(turn));
    let length = (chunk.len() - start - 4) as u32;
    chunk[start..start + 4].copy_from_slice(&length.to_le_bytes());
}

/// The turns of a chunk; none if the bytes are damaged.
pub fn read_chunk(visit: u32, chunk: &[u8], turns: &mut Vec<Turn>) -> Option<()> {
    let mut reader = Reader::new(chunk);
    while !reader.is_empty() {
        let length = u32::from_le_bytes(reader.bytes(4)?.try_into().ok()?);
        read_columns(&mut Reader::new(reader.bytes(length as usize)?), visit, turns)?;
    }
    Some(())
}

/// All turns of a visit in one blob.
pub fn encode(turns: &[Turn]) -> Vec<u8> {
    let mut plain = vec![PLAIN];
    put_columns(&mut plain, turns);
    let mut deflated = DeflateEncoder::new(vec![DEFLATED], Compression::new(6));
    match deflated.write_all(&plain[1..]).and_then(|()| deflated.finish()) {
        Ok(deflated) if deflated.len() < plain.len() => deflated,
        _ => plain,
    }
}

/// The turns of a blob; none if the bytes are damaged.
pub fn decode(visit: u32, blob: &[u8]) -> Option<Vec<Turn>> {
    let mut inflated = Vec::new();
    let (form, body) = blob.split_first()?;
    let body = match *form {
        PLAIN => body,
        DEFLATED => {
            DeflateDecoder::new(body).read_to_end(&mut inflated).ok()?;
            &inflated[..]
        }
        _ => return None,
    };
    let (mut reader, mut turns) = (Reader::new(body), Vec::new());
    read_columns(&mut reader, visit, &mut turns)?;
    reader.is_empty().then_some(turns)
}

fn put_columns(out: &mut Vec<u8>, turns: &[Turn]) {
    put(out, turns.len() as u64);
    out.extend(turns.iter().map(|turn| turn.phase as u8));
    put_words(out, turns, |turn| u64::from(turn.round));
    put_words(out, turns, |turn| turn.iterations);
    put_words(out, turns, |turn| turn.at_ns);
    put_words(out, turns, |turn| turn.wall_ns);
    put_words(out, turns, |turn| turn.cpu.map_or(0, |cpu| u64::from(cpu) + 1));
    put_words(out, turns, |turn| turn.hash.as_ref().map_or(0, |hash| hash.len() as u64 + 1));
    turns.iter().filter_map(|turn| turn.hash.as_ref()).for_each(|hash| out.extend(hash.as_bytes()));
    put_words(out, turns, |turn| turn.counters.len() as u64);
    let longest = turns.iter().map(|turn| turn.counters.len()).max().unwrap_or(0);
    for column in 0..longest {
        put_floats(out, turns.iter().filter_map(|turn| turn.counters.get(column)).copied());
    }
    put_words(out, turns, |turn| turn.ops.as_ref().map_or(0, |ops| ops.len() as u64 + 1));
    put_floats(out, turns.iter().filter_map(|turn| turn.ops.as_ref()).flatten().map(|&ops| Some(ops)));
    put_words(out, turns, |turn| turn.times_ns.len() as u64);
    let mut minimum = 0;
    for turn in turns {
        minimum = put_times(out, &turn.times_ns, minimum);
    }
}

fn read_columns(reader: &mut Reader<'_>, visit: u32, turns: &mut Vec<Turn>) -> Option<()> {
    let count = reader.count(1)?;
    let phases = reader.bytes(count)?;
    let rounds = read_words(reader, count)?;
    let iterations = read_words(reader, count)?;
    let at_ns = read_words(reader, count)?;
    let wall_ns = read_words(reader, count)?;
    let cpus = read_words(reader, count)?;
    let hashes = read_strings(reader, count)?;
    let counters = read_rows(reader, count)?;
    let ops = read_ops(reader, count)?;
    let batches = read_words(reader, count)?;
    let mut minimum = 0;
    for (index, ((hash, counters), ops)) in hashes.into_iter().zip(counters).zip(ops).enumerate() {
        let (times_ns, smallest) = read_times(reader, usize::try_from(batches[index]).ok()?, minimum)?;
        minimum = smallest;
        turns.push(Turn {
            visit,
            phase: *PHASES.get(usize::from(phases[index]))?,
            round: u32::try_from(rounds[index]).ok()?,
            iterations: iterations[index],
            times_ns,
            ops,
            counters,
            cpu: cpus[index].checked_sub(1).map(u32::try_from).transpose().ok()?,
            at_ns: at_ns[index],
            wall_ns: wall_ns[index],
            hash,
        });
    }
    Some(())
}

fn put_words(out: &mut Vec<u8>, turns: &[Turn], word: impl Fn(&Turn) -> u64) {
    let mut before = 0;
    for turn in turns {
        let word = word(turn);
        put_step(out, word, before);
        before = word;
    }
}

fn read_words(reader: &mut Reader<'_>, count: usize) -> Option<Vec<u64>> {
    let mut before = 0;
    (0..count)
        .map(|_| {
            before = reader.step(before)?;
            Some(before)
        })
        .collect()
}

/// Counters are whole numbers more often than not: those are steps from the last one, anything else its eight bytes.
fn put_floats(out: &mut Vec<u8>, values: impl Iterator<Item = Option<f64>>) {
    let mut before = 0i64;
    for value in values {
        match value {
            None => out.push(0),
            Some(value)
                if value.abs() < INTEGER_LIMIT && (value as i64 as f64).to_bits() == value.to_bits() =>
            {
                let step = value as i64 - before; // both below 2^53: no overflow
                put(out, ((step << 1) ^ (step >> 63)) as u64 + 2);
                before = value as i64;
            }
            Some(value) => {
                out.push(1);
                out.extend(value.to_bits().to_le_bytes());
            }
        }
    }
}

struct Floats {
    before: i64,
}

impl Floats {
    fn next(&mut self, reader: &mut Reader<'_>) -> Option<Option<f64>> {
        match reader.varint()? {
            0 => Some(None),
            1 => Some(Some(f64::from_bits(u64::from_le_bytes(reader.bytes(8)?.try_into().ok()?)))),
            coded => {
                let step = ((coded - 2) >> 1) as i64 ^ -(((coded - 2) & 1) as i64);
                self.before = self.before.checked_add(step)?;
                Some(Some(self.before as f64))
            }
        }
    }
}

fn read_strings(reader: &mut Reader<'_>, count: usize) -> Option<Vec<Option<String>>> {
    let lengths = read_words(reader, count)?;
    lengths
        .iter()
        .map(|&length| match length.checked_sub(1) {
            None => Some(None),
            Some(length) => {
                let bytes = reader.bytes(usize::try_from(length).ok()?)?;
                Some(Some(String::from_utf8(bytes.to_vec()).ok()?))
            }
        })
        .collect()
}

fn read_rows(reader: &mut Reader<'_>, count: usize) -> Option<Vec<Vec<Option<f64>>>> {
    let lengths = read_words(reader, count)?;
    let mut rows = vec![Vec::new(); count];
    for column in 0..lengths.iter().copied().max().unwrap_or(0) {
        let mut floats = Floats { before: 0 };
        for (row, &length) in rows.iter_mut().zip(&lengths) {
            if column < length {
                row.push(floats.next(reader)?);
            }
        }
    }
    Some(rows)
}

fn read_ops(reader: &mut Reader<'_>, count: usize) -> Option<Vec<Option<Vec<f64>>>> {
    let lengths = read_words(reader, count)?;
    let mut floats = Floats { before: 0 };
    lengths
        .iter()
        .map(|&length| match length.checked_sub(1) {
            None => Some(None),
            Some(length) => (0..length).map(|_| floats.next(reader)?).collect::<Option<_>>().map(Some),
        })
        .collect()
}
