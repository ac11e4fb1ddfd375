//! Hashes of results. Equal results have equal hashes in every process, which the hasher of `std` does not
//! guarantee.

use std::hash::{Hash, Hasher};

/// 64-bit FNV-1a (Fowler, Noll, Vo 1991).
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

pub fn of<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    #[test]
    fn as_published() {
        // A test vector from the test suite of FNV's authors.
        assert_eq!(super::of(&Raw(b"foobar")), 0x8594_4171_f739_67e8);
        assert_ne!(super::of("abc"), super::of("abd"));
    }

    struct Raw(&'static [u8]);

    impl std::hash::Hash for Raw {
        fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
            state.write(self.0);
        }
    }
}
