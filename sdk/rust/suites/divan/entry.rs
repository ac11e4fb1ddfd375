//! Entries that the attributes register, and their cases.

pub use crate::bencher::Bencher;
use crate::counter::{Amount, IntoCounter};
pub use crate::counter::{BytesCount, ItemsCount};
use std::borrow::Borrow;
use std::fmt::{Debug, Display};
pub use std::hint::black_box;
use std::sync::Mutex;

/// A function or module with an attribute.
#[derive(Clone)]
pub struct Entry {
    pub raw: &'static str,
    pub name: fn() -> String,
    pub module: &'static str,
    pub file: &'static str,
    pub line: u32,
    pub options: fn() -> Options,
    /// Returns the cases of a function; `None` for a module.
    pub cases: Option<fn() -> Vec<Case>>,
}

static ENTRIES: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

/// Registers an entry before `main` runs.
pub fn push(entry: Entry) {
    if let Ok(mut entries) = ENTRIES.lock() {
        entries.push(entry);
    }
}

/// Returns all registered entries, sorted by source location.
pub fn all() -> Vec<Entry> {
    let mut entries = ENTRIES.lock().map(|entries| entries.clone()).unwrap_or_default();
    entries.sort_by_key(|entry| (entry.file, entry.line));
    entries
}

/// One way to call a function: a suffix for its name, and the call itself.
pub struct Case {
    pub parts: Vec<String>,
    pub call: Box<dyn Fn(Bencher<'_, '_>)>,
}

impl Case {
    pub fn new(parts: Vec<String>, call: impl Fn(Bencher<'_, '_>) + 'static) -> Case {
        Case { parts, call: Box::new(call) }
    }
}

/// Options of an attribute, except the name.
#[derive(Default, Clone)]
pub struct Options {
    pub ignore: bool,
    pub threads: Vec<usize>,
    pub bytes: Option<u64>,
    pub items: Option<u64>,
    /// True if an option is set that Derny ignores.
    pub not_obeyed: bool,
}

impl Options {
    pub fn count(&mut self, counter: impl IntoCounter) {
        match counter.amount() {
            Amount::Bytes(count) => self.bytes = Some(count),
            Amount::Items(count) => self.items = Some(count),
            Amount::Other => {}
        }
    }

    /// Returns these options, with those of the enclosing group as defaults.
    pub fn within(mut self, group: &Options) -> Options {
        self.ignore |= group.ignore;
        self.not_obeyed |= group.not_obeyed;
        if self.threads.is_empty() {
            self.threads.clone_from(&group.threads);
        }
        self.bytes = self.bytes.or(group.bytes);
        self.items = self.items.or(group.items);
        self
    }
}

pub trait IntoThreads<const KIND: u32> {
    fn into_threads(self) -> Vec<usize>;
}

impl IntoThreads<0> for usize {
    fn into_threads(self) -> Vec<usize> {
        vec![self]
    }
}

impl IntoThreads<0> for bool {
    /// Returns the numbers of threads; 0 means one per processor.
    fn into_threads(self) -> Vec<usize> {
        vec![if self { 0 } else { 1 }]
    }
}

impl<I> IntoThreads<1> for I
where
    I: IntoIterator,
    I::Item: Borrow<usize>,
{
    fn into_threads(self) -> Vec<usize> {
        self.into_iter().map(|count| *count.borrow()).collect()
    }
}

/// Formats an argument as its name: with `Display` if implemented, or else with `Debug`.
pub struct Name<'a, T>(pub &'a T);

pub trait ViaDisplay {
    fn named(&self) -> String;
}

impl<T: Display> ViaDisplay for Name<'_, T> {
    fn named(&self) -> String {
        self.0.to_string()
    }
}

pub trait ViaDebug {
    fn named(&self) -> String;
}

impl<T: Debug> ViaDebug for &Name<'_, T> {
    fn named(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// Converts an argument for a function that takes it by value.
pub trait Take<T> {
    fn take(self) -> T;
}

impl<T: Copy> Take<T> for &T {
    fn take(self) -> T {
        *self
    }
}

impl<T: Copy> Take<T> for &&T {
    fn take(self) -> T {
        **self
    }
}

impl<T: Copy> Take<T> for &&&T {
    fn take(self) -> T {
        ***self
    }
}

pub fn type_part<T: ?Sized>() -> String {
    let mut name = std::any::type_name::<T>();
    while let Some((module, rest)) = name.split_once("::").filter(|(module, _)| !module.contains('<')) {
        let _ = module;
        name = rest;
    }
    name.to_owned()
}
