//! The columns of a visit's turns: words, floats and strings.

use crate::codec::varint::{Reader, put, put_step};
use derny_model::Turn;

/// Limit below which floats with integer values are stored as integers: 2^53. Below it, the conversion is
/// exact.
const INTEGER_LIMIT: f64 = 9_007_199_254_740_992.0;

/// Appends one word per turn, as the difference from the previous one.
pub fn put_words(out: &mut Vec<u8>, turns: &[Turn], word: impl Fn(&Turn) -> u64) {
    let mut before = 0;
    for turn in turns {
        let word = word(turn);
        put_step(out, word, before);
        before = word;
    }
}

pub fn read_words(reader: &mut Reader<'_>, count: usize) -> Option<Vec<u64>> {
    let mut before = 0;
    (0..count)
        .map(|_| {
            before = reader.step(before)?;
            Some(before)
        })
        .collect()
}

/// Appends optional floats. Most are integers, and are stored as the difference from the previous integer.
/// All other floats take nine bytes.
pub fn put_floats(out: &mut Vec<u8>, values: impl Iterator<Item = Option<f64>>) {
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

/// Reads optional strings, which are stored as their lengths followed by their bytes.
pub fn read_strings(reader: &mut Reader<'_>, count: usize) -> Option<Vec<Option<String>>> {
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

/// Reads the counters of `count` turns, which are stored metric by metric.
pub fn read_rows(reader: &mut Reader<'_>, count: usize) -> Option<Vec<Vec<Option<f64>>>> {
    let lengths = read_words(reader, count)?;
    // Each counter takes at least one byte, so a corrupt length cannot reserve more memory than the remaining
    // bytes.
    let all = lengths.iter().try_fold(0, |sum: u64, &length| sum.checked_add(length))?;
    if all > reader.left() as u64 {
        return None;
    }
    let mut rows: Vec<Vec<Option<f64>>> =
        lengths.iter().map(|&length| Vec::with_capacity(length as usize)).collect();
    let mut longer: Vec<usize> = (0..rows.len()).collect();
    for column in 0..lengths.iter().copied().max().unwrap_or(0) {
        let mut floats = Floats { before: 0 };
        longer.retain(|&row| lengths[row] > column);
        for &row in &longer {
            rows[row].push(floats.next(reader)?);
        }
    }
    Some(rows)
}

/// Reads the operations of `count` turns, which are stored turn by turn.
pub fn read_ops(reader: &mut Reader<'_>, count: usize) -> Option<Vec<Option<Vec<f64>>>> {
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
