//! 64-bit FNV-1a, for short, stable names of cached items. Not safe against adversarial input.

/// A running hash.
#[derive(Debug, Clone)]
pub struct Fnv(u64);

impl Fnv {
    /// Returns the empty hash.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes and their length, so that `ab`,`c` differs from `a`,`bc`.
    pub fn write(&mut self, bytes: &[u8]) -> &mut Fnv {
        // Nested loops, because a chain of iterators takes many times as long without optimisation.
        for part in [bytes, &(bytes.len() as u64).to_le_bytes()] {
            for &byte in part {
                self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        self
    }

    /// Returns the hash so far.
    pub fn finish(&self) -> u64 {
        self.0
    }

    /// Returns the hash so far as 16 hexadecimal digits.
    pub fn hex(&self) -> String {
        format!("{:016x}", self.0)
    }
}
