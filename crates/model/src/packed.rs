//! A compact in-memory form of values. It saves memory for the data of a case that only a report needs, until
//! the case is displayed.
//!
//! This is not a file format. The number of a [`Word`] is valid only in this process, so bytes that
//! contain a word are never written. Every value is restored bit for bit. Most numbers are integers
//! (times in ns, counts) and are packed as integers.

use crate::{
    Direction, Estimate, Figure, FirstCall, Interval, Kind, Metric, MetricSummary, ProcessValue, Word,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// A type that can be packed.
pub trait Pack: Sized {
    /// Appends the packed value.
    fn pack(&self, to: &mut Vec<u8>);

    /// Returns the value at the start of `from` and advances `from` past it. Returns `None` if the
    /// bytes are invalid.
    fn unpack(from: &mut &[u8]) -> Option<Self>;
}

/// A packed list. Clones share the data.
pub struct Packed<T> {
    bytes: Arc<[u8]>,
    count: u32,
    of: PhantomData<fn() -> T>,
}

impl<T: Pack> Packed<T> {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Returns true if there are no values.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Iterates over the values, unpacking one after another.
    pub fn iter(&self) -> Unpacking<'_, T> {
        Unpacking { bytes: &self.bytes, left: self.count, of: PhantomData }
    }

    /// Returns all values.
    pub fn to_vec(&self) -> Vec<T> {
        self.iter().collect()
    }

    /// Unpacks the list, applies `change` to it, and packs the result.
    pub fn edit(&mut self, change: impl FnOnce(&mut Vec<T>)) {
        let mut all = self.to_vec();
        change(&mut all);
        *self = all.into();
    }
}

/// Iterator over the values of a [`Packed`].
pub struct Unpacking<'a, T> {
    bytes: &'a [u8],
    left: u32,
    of: PhantomData<fn() -> T>,
}

impl<T: Pack> Iterator for Unpacking<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.left = self.left.checked_sub(1)?;
        T::unpack(&mut self.bytes)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl<T: Pack> ExactSizeIterator for Unpacking<'_, T> {}

impl<'a, T: Pack> IntoIterator for &'a Packed<T> {
    type Item = T;
    type IntoIter = Unpacking<'a, T>;

    fn into_iter(self) -> Unpacking<'a, T> {
        self.iter()
    }
}

impl<T: Pack> FromIterator<T> for Packed<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Packed<T> {
        let (mut bytes, mut count) = (Vec::new(), 0);
        for value in values {
            value.pack(&mut bytes);
            count += 1;
        }
        Packed { bytes: bytes.into(), count, of: PhantomData }
    }
}

impl<T: Pack> From<Vec<T>> for Packed<T> {
    fn from(values: Vec<T>) -> Packed<T> {
        values.into_iter().collect()
    }
}

impl<T: Pack> Default for Packed<T> {
    fn default() -> Packed<T> {
        Vec::new().into()
    }
}

impl<T> Clone for Packed<T> {
    fn clone(&self) -> Packed<T> {
        Packed { bytes: Arc::clone(&self.bytes), count: self.count, of: PhantomData }
    }
}

impl<T: Pack + PartialEq> PartialEq for Packed<T> {
    fn eq(&self, other: &Packed<T>) -> bool {
        Arc::ptr_eq(&self.bytes, &other.bytes) || self.iter().eq(other.iter())
    }
}

impl<T: Pack + fmt::Debug> fmt::Debug for Packed<T> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Pack + Serialize> Serialize for Packed<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl<'de, T: Pack + Deserialize<'de>> Deserialize<'de> for Packed<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Packed<T>, D::Error> {
        Vec::deserialize(from).map(Packed::from)
    }
}

impl Pack for u8 {
    fn pack(&self, to: &mut Vec<u8>) {
        to.push(*self);
    }

    fn unpack(from: &mut &[u8]) -> Option<u8> {
        let (first, rest) = from.split_first()?;
        *from = rest;
        Some(*first)
    }
}

impl Pack for bool {
    fn pack(&self, to: &mut Vec<u8>) {
        to.push(u8::from(*self));
    }

    fn unpack(from: &mut &[u8]) -> Option<bool> {
        u8::unpack(from).map(|byte| byte != 0)
    }
}

/// Packed with seven bits per byte, lowest first.
impl Pack for u64 {
    fn pack(&self, to: &mut Vec<u8>) {
        let mut value = *self;
        while value >= 0x80 {
            to.push(value as u8 | 0x80);
            value >>= 7;
        }
        to.push(value as u8);
    }

    fn unpack(from: &mut &[u8]) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = u8::unpack(from)?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

impl Pack for u32 {
    fn pack(&self, to: &mut Vec<u8>) {
        u64::from(*self).pack(to);
    }

    fn unpack(from: &mut &[u8]) -> Option<u32> {
        u32::try_from(u64::unpack(from)?).ok()
    }
}

/// Integers below this number are exact as `f64`.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// Packed as twice its value if it is a non-negative integer below [`WHOLE`], or else as 1 followed by all
/// bits.
impl Pack for f64 {
    fn pack(&self, to: &mut Vec<u8>) {
        if (0.0..WHOLE).contains(self) && self.fract() == 0.0 && self.is_sign_positive() {
            ((*self as u64) << 1).pack(to);
        } else {
            to.push(1);
            to.extend_from_slice(&self.to_bits().to_le_bytes());
        }
    }

    fn unpack(from: &mut &[u8]) -> Option<f64> {
        let first = u64::unpack(from)?;
        if first != 1 {
            return Some((first >> 1) as f64);
        }
        let (own, rest) = from.split_first_chunk::<8>()?;
        *from = rest;
        Some(f64::from_bits(u64::from_le_bytes(*own)))
    }
}

impl Pack for String {
    fn pack(&self, to: &mut Vec<u8>) {
        (self.len() as u64).pack(to);
        to.extend_from_slice(self.as_bytes());
    }

    fn unpack(from: &mut &[u8]) -> Option<String> {
        let length = u64::unpack(from)? as usize;
        let (own, rest) = from.split_at_checked(length)?;
        *from = rest;
        String::from_utf8(own.to_vec()).ok()
    }
}

impl Pack for Word {
    fn pack(&self, to: &mut Vec<u8>) {
        self.number().pack(to);
    }

    fn unpack(from: &mut &[u8]) -> Option<Word> {
        Word::numbered(u32::unpack(from)?)
    }
}

impl<T: Pack> Pack for Option<T> {
    fn pack(&self, to: &mut Vec<u8>) {
        self.is_some().pack(to);
        self.iter().for_each(|value| value.pack(to));
    }

    fn unpack(from: &mut &[u8]) -> Option<Option<T>> {
        if bool::unpack(from)? { Some(Some(T::unpack(from)?)) } else { Some(None) }
    }
}

impl<T: Pack> Pack for Vec<T> {
    fn pack(&self, to: &mut Vec<u8>) {
        (self.len() as u64).pack(to);
        self.iter().for_each(|value| value.pack(to));
    }

    fn unpack(from: &mut &[u8]) -> Option<Vec<T>> {
        let count = u64::unpack(from)? as usize;
        // A value takes at least one byte, so limit the memory that a corrupt count can reserve.
        let mut all = Vec::with_capacity(count.min(from.len()));
        for _ in 0..count {
            all.push(T::unpack(from)?);
        }
        Some(all)
    }
}

impl<T: Pack, U: Pack> Pack for (T, U) {
    fn pack(&self, to: &mut Vec<u8>) {
        self.0.pack(to);
        self.1.pack(to);
    }

    fn unpack(from: &mut &[u8]) -> Option<(T, U)> {
        Some((T::unpack(from)?, U::unpack(from)?))
    }
}

/// Implements [`Pack`] for a structure field by field, or for an enumeration by the positions of its
/// variants.
macro_rules! packed {
    ($($type:ident { $($field:ident),* $(,)? })*) => {$(
        impl Pack for $type {
            fn pack(&self, to: &mut Vec<u8>) {
                $(self.$field.pack(to);)*
            }

            fn unpack(from: &mut &[u8]) -> Option<$type> {
                Some($type { $($field: Pack::unpack(from)?),* })
            }
        }
    )*};
    ($($type:ident [ $($word:ident)* ])*) => {$(
        impl Pack for $type {
            fn pack(&self, to: &mut Vec<u8>) {
                to.push(*self as u8);
            }

            fn unpack(from: &mut &[u8]) -> Option<$type> {
                let place = u8::unpack(from)?;
                [$($type::$word),*].into_iter().find(|word| *word as u8 == place)
            }
        }
    )*};
}

packed! {
    Kind [Total Level Peak Rate Reported]
    Direction [Less More None]
}

packed! {
    Interval { lo, hi }
    Estimate { value, interval }
    Metric { name, unit, kind, direction, exact }
    MetricSummary { metric, estimate, range, deviation, constant, per_operation, ladder }
    Figure { name, label, metric, unit, kind, per_operation, better, value, interval, range }
    FirstCall { time_ns, call_ns }
    ProcessValue { process, time_ns, turns, within, class, measured_ns, first }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_with_the_same_bits() {
        let all = [0.0, -0.0, 1.0, 0.1, -1.0, WHOLE, WHOLE - 1.0, f64::MAX, f64::NAN, f64::NEG_INFINITY];
        let packed: Packed<f64> = all.into_iter().collect();
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&packed.to_vec()), bits(&all));
        let whole = [0, 1, 127, 128, u64::MAX];
        assert_eq!(Packed::from(whole.to_vec()).to_vec(), whole);
    }

    #[test]
    fn a_list_is_what_was_put_in() {
        let figure = |name: &str, value: f64| Figure {
            name: name.into(),
            label: "a label".into(),
            metric: false,
            unit: "ns".into(),
            kind: Kind::Rate,
            per_operation: true,
            better: Direction::None,
            value,
            interval: Some(Interval { lo: 1.5, hi: 2.5 }),
            range: None,
        };
        let all = vec![figure("time", 2.0), figure("mean", 0.1)];
        let mut packed = Packed::from(all.clone());
        assert_eq!((packed.to_vec(), packed.len()), (all.clone(), 2));
        let text = serde_json::to_string(&packed).unwrap();
        assert_eq!(text, serde_json::to_string(&all).unwrap());
        assert_eq!(serde_json::from_str::<Packed<Figure>>(&text).unwrap(), packed);
        packed.edit(|figures| figures.retain(|figure| figure.name == "mean"));
        assert_eq!(packed.to_vec(), all[1..]);
        assert!(Packed::<Figure>::default().is_empty());
    }

    #[test]
    fn bytes_that_end_early_are_no_value() {
        let mut bytes = Vec::new();
        ("text".to_owned(), Some((0.1, 7_u32))).pack(&mut bytes);
        for end in 0..bytes.len() {
            assert_eq!(<(String, Option<(f64, u32)>)>::unpack(&mut &bytes[..end]), None);
        }
    }
}
