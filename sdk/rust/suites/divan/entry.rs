//! What the attributes register, and what that comes to: a list of cases.

pub use crate::bencher::Bencher;
use crate::counter::{Amount, IntoCounter};
pub use crate::counter::{BytesCount, ItemsCount};
use std::borrow::Borrow;
use std::fmt::{Debug, Display};
pub use std::hint::black_box;
use std::sync::Mutex;

/// A function or a module with an attribute.
#[derive(Clone)]
pub struct Entry {
    pub raw: &'static str,
    pub name: fn() -> String,
    pub module: &'static str,
    pub file: &'static str,
    pub line: u32,
    pub options: fn() -> Options,
    /// None of a module.
    pub cases: Option<fn() -> Vec<Case>>,
}

static ENTRIES: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

/// Called before `main`.
pub fn push(entry: Entry) {
    if let Ok(mut entries) = ENTRIES.lock() {
        entries.push(entry);
    }
}

/// All that were registered, in the order of their places.
pub fn all() -> Vec<Entry> {
    let mut entries = ENTRIES.lock().map(|entries| entries.clone()).unwrap_or_default();
    entries.sort_by_key(|entry| (entry.file, entry.line));
    entries
}

/// One call of a function: what its name has behind the function's, and the call itself.
pub struct Case {
    pub parts: Vec<String>,
    pub call: Box<dyn Fn(Bencher<'_, '_>)>,
}

impl Case {
    pub fn new(parts: Vec<String>, call: impl Fn(Bencher<'_, '_>) + 'static) -> Case {
        Case { parts, call: Box::new(call) }
    }
}

/// What is said beside the names.
#[derive(Default, Clone)]
pub struct Options {
    pub ignore: bool,
    pub threads: Vec<usize>,
    pub bytes: Option<u64>,
    pub items: Option<u64>,
    /// There was something that Derny decides.
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

    /// These, and those of the group around where nothing is said here.
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
    /// 0 is as many as there are processors.
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

/// The name of an argument: as it is displayed, or else as it is debugged.
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

/// The value of an argument that is not taken by reference.
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

/// A type without the modules that it is in.
pub fn type_part<T: ?Sized>() -> String {
    let mut name = std::any::type_name::<T>();
    while let Some((module, rest)) = name.split_once("::").filter(|(module, _)| !module.contains('<')) {
        let _ = module;
        name = rest;
    }
    name.to_owned()
}
