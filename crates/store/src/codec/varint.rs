//! Variable-length integers: LEB128 and zig-zag.

/// Appends `value` in groups of 7 bits, least significant first. Values below 128 take 1 byte. No value takes
/// more than 10.
pub fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Returns the number of bytes that [`put`] takes for `value`.
pub fn width(value: u64) -> usize {
    (64 - (value | 1).leading_zeros() as usize).div_ceil(7)
}

/// Appends the difference between `value` and `before`, modulo 2^64. Small steps in either direction take few
/// bytes.
pub fn put_step(out: &mut Vec<u8>, value: u64, before: u64) {
    let step = value.wrapping_sub(before) as i64;
    put(out, ((step << 1) ^ (step >> 63)) as u64);
}

/// A cursor over stored bytes. Every method returns `None` if the bytes end early or are corrupt.
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { rest: bytes }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn left(&self) -> usize {
        self.rest.len()
    }

    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(head)
    }

    pub fn byte(&mut self) -> Option<u8> {
        self.bytes(1).map(|bytes| bytes[0])
    }

    pub fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// Reads a word that [`put_step`] wrote, given the previous word.
    pub fn step(&mut self, before: u64) -> Option<u64> {
        let coded = self.varint()?;
        let step = (coded >> 1) as i64 ^ -((coded & 1) as i64);
        Some(before.wrapping_add(step as u64))
    }

    /// Reads a count of items that take at least `bytes_each` bytes each. `None` if fewer bytes remain,
    /// because a corrupt count must not reserve memory.
    pub fn count(&mut self, bytes_each: usize) -> Option<usize> {
        let count = usize::try_from(self.varint()?).ok()?;
        (count.checked_mul(bytes_each)? <= self.rest.len()).then_some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_word_comes_back_in_the_width_foretold(value: u64, before: u64) {
            let mut out = Vec::new();
            put(&mut out, value);
            prop_assert_eq!(out.len(), width(value));
            put_step(&mut out, value, before);
            let mut reader = Reader::new(&out);
            prop_assert_eq!(reader.varint(), Some(value));
            prop_assert_eq!(reader.step(before), Some(value));
            prop_assert!(reader.is_empty());
        }
    }

    #[test]
    fn small_steps_take_one_byte_and_cut_bytes_give_none() {
        let mut out = Vec::new();
        put_step(&mut out, 1_000_000, 1_000_050);
        assert_eq!(out.len(), 1);
        assert_eq!(Reader::new(&[0x80]).varint(), None);
        assert_eq!(Reader::new(&[200, 1, 0]).count(1), None);
    }
}
