//! Counters: amounts that one call processes.

use std::mem::{size_of, size_of_val};

pub enum Amount {
    Bytes(u64),
    Items(u64),
    Other,
}

pub trait Counter: Sized {
    #[doc(hidden)]
    fn told(&self) -> Amount;
}

pub trait IntoCounter {
    type Counter: Counter;
    fn into_counter(self) -> Self::Counter;
    #[doc(hidden)]
    fn amount(self) -> Amount
    where
        Self: Sized,
    {
        self.into_counter().told()
    }
}

impl<C: Counter> IntoCounter for C {
    type Counter = C;
    fn into_counter(self) -> C {
        self
    }
}

pub trait CountUInt: Copy {
    #[doc(hidden)]
    fn whole(self) -> u64;
}

macro_rules! whole {
    ($( $type:ty ),+) => {
        $(
            impl CountUInt for $type {
                fn whole(self) -> u64 {
                    self as u64
                }
            }

            impl CountUInt for &$type {
                fn whole(self) -> u64 {
                    *self as u64
                }
            }

            impl IntoCounter for $type {
                type Counter = ItemsCount;
                fn into_counter(self) -> ItemsCount {
                    ItemsCount::new(self)
                }
            }
        )+
    };
}

whole!(u8, u16, u32, u64, usize);

macro_rules! counts {
    ($( $name:ident: $amount:expr ),+ $(,)?) => {
        $(
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
            pub struct $name(u64);

            impl $name {
                pub fn new<N: CountUInt>(count: N) -> Self {
                    $name(count.whole())
                }
            }

            impl<N: CountUInt> From<N> for $name {
                fn from(count: N) -> Self {
                    Self::new(count)
                }
            }

            impl Counter for $name {
                fn told(&self) -> Amount {
                    $amount(self.0)
                }
            }
        )+
    };
}

counts! {
    BytesCount: Amount::Bytes,
    ItemsCount: Amount::Items,
    CharsCount: |_| Amount::Other,
    CyclesCount: |_| Amount::Other,
}

macro_rules! bytes_of {
    ($( $type:ident ),+) => {
        $( pub const fn $type(n: usize) -> Self {
            Self::of_many::<$type>(n)
        } )+
    };
}

impl BytesCount {
    pub const fn of<T>() -> Self {
        BytesCount(size_of::<T>() as u64)
    }

    pub const fn of_many<T>(n: usize) -> Self {
        BytesCount((size_of::<T>() * n) as u64)
    }

    pub fn of_val<T: ?Sized>(val: &T) -> Self {
        BytesCount(size_of_val(val) as u64)
    }

    pub fn of_iter<T, I: IntoIterator<Item = T>>(iter: I) -> Self {
        Self::of_many::<T>(iter.into_iter().count())
    }

    pub fn of_str<S: ?Sized + AsRef<str>>(s: &S) -> Self {
        Self::of_val(s.as_ref())
    }

    pub fn of_slice<T, S: ?Sized + AsRef<[T]>>(s: &S) -> Self {
        Self::of_val(s.as_ref())
    }

    bytes_of!(f32, f64, i8, u8, i16, u16, i32, u32, i64, u64, i128, u128, isize, usize);
}

impl CharsCount {
    pub fn of_str<S: ?Sized + AsRef<str>>(s: &S) -> Self {
        Self::new(s.as_ref().chars().count())
    }
}

impl ItemsCount {
    pub fn of_iter<T, I: IntoIterator<Item = T>>(iter: I) -> Self {
        Self::new(iter.into_iter().count())
    }
}

#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum BytesFormat {
    #[default]
    Decimal,
    Binary,
}
