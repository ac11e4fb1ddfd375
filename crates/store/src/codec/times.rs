//! Bit packing of the batch times of one turn.
//!
//! The times of a turn are close together, and multiples of a clock step. The minimum is subtracted, and the
//! rest is divided by the greatest common divisor. Every time is then stored with the same number of bits.
//! The few times that do not fit (collections, preemptions) are marked by a word of all ones, and follow as
//! varints. The chosen width minimises the total size. This is patched frame-of-reference coding (Zukowski et
//! al. 2006) with out-of-line exceptions. A turn of 100 times with a spread of 1 % takes about 90 bytes.
//! Storing the differences as varints would take 200.

use crate::codec::varint::{Reader, put, put_step, width};

/// Maximum number of batches in a turn.
const MAX_COUNT: usize = 1 << 26;

/// Number of times that may still be decoded without consuming bytes. Untrusted input could otherwise claim
/// any number of equal times. A visit of several hours stays below the limit.
pub struct Free(usize);

impl Free {
    /// Returns the limit for an input of this many bytes.
    pub fn of(bytes: usize) -> Free {
        Free((1 << 24).min((1 << 16) + bytes.saturating_mul(4096)))
    }

    fn take(&mut self, count: usize) -> Option<()> {
        self.0 = self.0.checked_sub(count)?;
        Some(())
    }
}

/// Appends `times`, in ns. Their number is not stored. `before` is the minimum of the previous turn.
/// Returns the minimum of this one.
pub fn put_times(out: &mut Vec<u8>, times: &[u64], before: u64) -> u64 {
    let Some(&minimum) = times.iter().min() else { return before };
    put_step(out, minimum, before);
    let mut grain = 0;
    for &time in times {
        grain = gcd(grain, time - minimum);
        if grain == 1 {
            break;
        }
    }
    put(out, grain);
    if grain == 0 {
        return minimum; // all times are equal
    }
    let mut values: Vec<u64> = times.iter().map(|&time| time - minimum).collect();
    if grain > 1 {
        values.iter_mut().for_each(|value| *value /= grain);
    }
    let bits = best_width(&values);
    out.push(bits as u8);
    let escape = (1u64 << bits) - 1;
    let (mut word, mut filled) = (0u128, 0);
    for &value in &values {
        word |= u128::from(value.min(escape)) << filled;
        filled += bits;
        while filled >= 8 {
            out.push(word as u8);
            word >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        out.push(word as u8);
    }
    values.iter().filter(|&&value| value >= escape).for_each(|value| put(out, value - escape));
    minimum
}

/// Reads `count` times in ns that [`put_times`] wrote. Also returns their minimum.
pub fn read_times(
    reader: &mut Reader<'_>,
    count: usize,
    before: u64,
    free: &mut Free,
) -> Option<(Vec<u64>, u64)> {
    if count == 0 {
        return Some((Vec::new(), before));
    }
    let minimum = reader.step(before)?;
    let grain = reader.varint()?;
    if count > MAX_COUNT {
        return None;
    }
    if grain == 0 {
        free.take(count)?;
        return Some((vec![minimum; count], minimum));
    }
    let bits = u32::from(reader.byte()?);
    if bits > 63 {
        return None;
    }
    let packed = reader.bytes((count.checked_mul(bits as usize)?).div_ceil(8))?;
    if bits == 0 && reader.left() < count {
        return None; // every time would be escaped, and take at least a byte
    }
    let escape = (1u64 << bits) - 1;
    let (mut word, mut filled, mut next) = (0u128, 0, packed.iter());
    let mut values = Vec::with_capacity(count);
    for _ in 0..count {
        while filled < bits {
            word |= u128::from(*next.next()?) << filled;
            filled += 8;
        }
        values.push(word as u64 & escape);
        word >>= bits;
        filled -= bits;
    }
    for value in &mut values {
        if *value == escape {
            *value = escape.checked_add(reader.varint()?)?;
        }
        *value = value.checked_mul(grain)?.checked_add(minimum)?;
    }
    Some((values, minimum))
}

/// Returns the number of bits (0 to 63) that minimises the total size of packed and escaped values.
fn best_width(values: &[u64]) -> u32 {
    // `by_length[l]` is the number of values v for which v + 1 has l bits. Such a v is below the escape value
    // of every width ≥ l.
    let mut by_length = [0usize; 66];
    for value in values {
        by_length[value.checked_add(1).map_or(65, |next| 64 - next.leading_zeros() as usize)] += 1;
    }
    // Start from the width that fits all values, and decrease it. Each step escapes the values of one more
    // length.
    let longest = by_length.iter().rposition(|&count| count > 0).unwrap_or(0);
    let (mut best, mut least, mut escaped) = (0, usize::MAX, 0);
    for bits in (0..=longest).rev() {
        if bits < 64 {
            let bytes = (values.len() * bits).div_ceil(8) + escaped;
            if bytes <= least {
                (best, least) = (bits, bytes);
            }
        }
        escaped += by_length[bits] * width(1 << bits.saturating_sub(1).min(63));
    }
    best as u32
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while a != 0 {
        (a, b) = (b % a, a);
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn there_and_back(times: &[u64], before: u64) -> usize {
        let mut out = Vec::new();
        let minimum = put_times(&mut out, times, before);
        let mut reader = Reader::new(&out);
        assert_eq!(
            read_times(&mut reader, times.len(), before, &mut Free::of(out.len())),
            Some((times.to_vec(), minimum))
        );
        assert!(reader.is_empty());
        out.len()
    }

    proptest! {
        #[test]
        fn any_times_come_back(times in prop::collection::vec(any::<u64>(), 0..40), before: u64) {
            there_and_back(&times, before);
        }

        #[test]
        fn times_of_every_magnitude_come_back(
            times in prop::collection::vec((any::<u64>(), 0u32..64).prop_map(|(v, s)| v >> s), 0..80), grain in 1u64..1000,
        ) {
            there_and_back(&times, 0);
            let on_grid: Vec<u64> = times.iter().map(|t| (t >> 10) * grain).collect();
            there_and_back(&on_grid, 7);
        }

        #[test]
        fn damaged_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..60), count in 0usize..100) {
            read_times(&mut Reader::new(&bytes), count, 0, &mut Free::of(bytes.len()));
        }
    }

    #[test]
    fn extremes_and_equal_times_come_back() {
        there_and_back(&[0, u64::MAX], 0);
        there_and_back(&[u64::MAX; 3], 0);
        there_and_back(&[0, u64::MAX, u64::MAX - 1, 1], u64::MAX);
        assert!(there_and_back(&[20_000; 100], 20_000) <= 2);
    }

    #[test]
    fn one_spike_does_not_widen_the_others() {
        let mut times: Vec<u64> = (0..100).map(|i| 20_000 + (i * 37 % 64) * 10).collect();
        let without = there_and_back(&times, 0);
        times[50] = 1_020_000;
        assert!(there_and_back(&times, 0) <= without + 4);
    }
}
