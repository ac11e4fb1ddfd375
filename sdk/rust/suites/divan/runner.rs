//! `Divan`: converts registered entries to named cases.

use crate::bencher::{Bencher, Context};
use crate::counter::{BytesCount, BytesFormat, CharsCount, CyclesCount, IntoCounter, ItemsCount};
use crate::entry::{all, Entry, Options};
use crate::live::{self, Found};
use std::time::Duration;

#[derive(Default)]
pub struct Divan {
    exact: Vec<String>,
    ignored: Ignored,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum Ignored {
    #[default]
    No,
    Too,
    Only,
}

macro_rules! accepted {
    ($( $name:ident($argument:ident: $type:ty) ),+ $(,)?) => {
        $( pub fn $name(self, $argument: $type) -> Self {
            let _ = $argument;
            not_obeyed();
            self
        } )+
    };
}

/// Reports once that settings of divan are ignored.
fn not_obeyed() {
    live::remark(
        "settings of divan for samples and times have no effect: Derny chooses the number and duration of \
            measurements; use --budget and --set precision=SHARE",
    );
}

impl Divan {
    pub fn from_args() -> Self {
        Divan::default()
    }

    pub fn config_with_args(self) -> Self {
        self
    }

    pub fn color(self, yes: impl Into<Option<bool>>) -> Self {
        let _ = yes.into();
        self
    }

    pub fn run_ignored(mut self) -> Self {
        self.ignored = Ignored::Too;
        self
    }

    pub fn run_only_ignored(mut self) -> Self {
        self.ignored = Ignored::Only;
        self
    }

    pub fn skip_exact(mut self, filter: impl Into<String>) -> Self {
        self.exact.push(filter.into());
        self
    }

    accepted! {
        sample_count(count: u32),
        sample_size(count: u32),
        min_time(time: Duration),
        max_time(time: Duration),
        skip_ext_time(skip: bool),
    }

    pub fn threads<T: IntoIterator<Item = usize>>(self, threads: T) -> Self {
        let _ = threads.into_iter().count();
        not_obeyed();
        self
    }

    pub fn counter<C: IntoCounter>(self, counter: C) -> Self {
        let _ = counter;
        self
    }

    pub fn items_count<C: Into<ItemsCount>>(self, count: C) -> Self {
        let _ = count.into();
        self
    }

    pub fn bytes_count<C: Into<BytesCount>>(self, count: C) -> Self {
        let _ = count.into();
        self
    }

    pub fn chars_count<C: Into<CharsCount>>(self, count: C) -> Self {
        let _ = count.into();
        self
    }

    pub fn cycles_count<C: Into<CyclesCount>>(self, count: C) -> Self {
        let _ = count.into();
        self
    }

    pub fn bytes_format(self, format: BytesFormat) -> Self {
        let _ = format;
        self
    }

    pub fn main(&self) {
        live::main(&[("benches", &|| self.walk())]);
    }

    pub fn run_benches(&self) {
        self.main();
    }

    pub fn test_benches(&self) {
        self.main();
    }

    pub fn list_benches(&self) {
        self.main();
    }

    fn walk(&self) {
        let entries = all();
        let groups: Vec<&Entry> = entries.iter().filter(|entry| entry.cases.is_none()).collect();
        for entry in &entries {
            let Some(cases) = entry.cases else { continue };
            let (mut path, options) = around(entry, &groups);
            path.push((entry.name)());
            let runs = match self.ignored {
                Ignored::No => !options.ignore,
                Ignored::Too => true,
                Ignored::Only => options.ignore,
            };
            if !runs {
                continue;
            }
            if options.not_obeyed {
                not_obeyed();
            }
            for case in cases() {
                let name: Vec<&str> = path.iter().chain(&case.parts).map(String::as_str).collect();
                self.reached(&name.join("::"), entry, &options, &*case.call);
            }
        }
    }

    /// Visits a case once for each number of threads.
    fn reached(&self, name: &str, entry: &Entry, options: &Options, call: &dyn Fn(Bencher<'_, '_>)) {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let mut counts: Vec<usize> =
            options.threads.iter().map(|count| if *count == 0 { processors } else { *count }).collect();
        counts.sort_unstable();
        counts.dedup();
        if counts.is_empty() {
            counts.push(1);
        }
        for count in &counts {
            let name = if counts.len() > 1 { format!("{name}::t={count}") } else { name.to_owned() };
            if self.exact.contains(&name) {
                continue;
            }
            let found = Found {
                group: name.rsplit_once("::").map(|(group, _)| group.to_owned()),
                name,
                bytes: options.bytes,
                items: options.items,
                threads: (*count > 1).then_some(*count),
                at: Some((entry.file, entry.line)),
                ..Found::default()
            };
            live::reached(&found, &mut || call(Bencher::new(Context { threads: *count })));
        }
    }
}

/// Returns the names of the modules that contain a function, and the options of their groups.
fn around(entry: &Entry, groups: &[&Entry]) -> (Vec<String>, Options) {
    let mut path = Vec::new();
    let mut options = (entry.options)();
    let parts: Vec<&str> = entry.module.split("::").collect();
    let mut outer: Vec<Options> = Vec::new();
    for end in 1..parts.len() {
        let above = parts[..end].join("::");
        let group = groups
            .iter()
            .find(|group| group.module == above && group.raw == parts[end].trim_start_matches("r#"));
        path.push(
            group.map_or_else(|| parts[end].trim_start_matches("r#").to_owned(), |group| (group.name)()),
        );
        outer.extend(group.map(|group| (group.options)()));
    }
    // Options of inner groups take precedence over those of outer ones.
    for group in outer.iter().rev() {
        options = options.within(group);
    }
    (path, options)
}
