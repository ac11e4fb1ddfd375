//! Groups of benchmarks, and the names of their benchmarks.

use crate::bencher::Bencher;
use crate::live::{self, Found};
use crate::measurement::Measurement;
use crate::settings::{PlotConfiguration, SamplingMode, Throughput};
use crate::suite::{not_obeyed, Criterion};
use std::fmt::Display;
use std::panic::Location;
use std::time::Duration;

/// Maximum length of a name in bytes. Longer ones are truncated.
const TITLE: usize = 100;

pub struct BenchmarkGroup<'a, M: Measurement> {
    criterion: &'a mut Criterion<M>,
    name: String,
    throughput: Option<Throughput>,
}

macro_rules! accepted {
    ($( $name:ident($argument:ident: $type:ty) ),+ $(,)?) => {
        $( pub fn $name(&mut self, $argument: $type) -> &mut Self {
            let _ = $argument;
            not_obeyed();
            self
        } )+
    };
}

impl<'a, M: Measurement> BenchmarkGroup<'a, M> {
    pub(crate) fn new(criterion: &'a mut Criterion<M>, name: String) -> BenchmarkGroup<'a, M> {
        BenchmarkGroup { criterion, name, throughput: None }
    }

    accepted! {
        sample_size(n: usize),
        warm_up_time(dur: Duration),
        measurement_time(dur: Duration),
        nresamples(n: usize),
        noise_threshold(threshold: f64),
        confidence_level(cl: f64),
        significance_level(sl: f64),
        sampling_mode(new_mode: SamplingMode),
    }

    pub fn plot_config(&mut self, new_config: PlotConfiguration) -> &mut Self {
        let _ = new_config;
        self
    }

    pub fn throughput(&mut self, throughput: Throughput) -> &mut Self {
        self.throughput = Some(throughput);
        self
    }

    #[track_caller]
    pub fn bench_function<ID: IntoBenchmarkId, F>(&mut self, id: ID, mut f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>),
    {
        self.reached(id.into_benchmark_id(), Location::caller(), &mut |bencher| f(bencher))
    }

    #[track_caller]
    pub fn bench_with_input<ID: IntoBenchmarkId, F, I>(&mut self, id: ID, input: &I, mut f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>, &I),
        I: ?Sized,
    {
        self.reached(id.into_benchmark_id(), Location::caller(), &mut |bencher| f(bencher, input))
    }

    fn reached(
        &mut self,
        id: BenchmarkId,
        place: &'static Location<'static>,
        call: &mut dyn FnMut(&mut Bencher<'_, M>),
    ) -> &mut Self {
        let name = id.title(&self.name);
        if !self.criterion.admits(&name) {
            return self;
        }
        let (bytes, items) = self.throughput.as_ref().map_or((None, None), Throughput::amounts);
        let is_grouped = id.function_name.is_some() || id.parameter.is_some();
        let group = is_grouped.then(|| self.name.clone());
        let found =
            Found { name, group, bytes, items, at: Some((place.file(), place.line())), ..Found::default() };
        let measurement = &self.criterion.measurement;
        live::reached(&found, &mut || call(&mut Bencher::new(measurement)));
        self
    }

    pub fn finish(self) {}
}

#[derive(Clone, Eq, PartialEq, Hash)]
pub struct BenchmarkId {
    pub(crate) function_name: Option<String>,
    pub(crate) parameter: Option<String>,
}

impl BenchmarkId {
    pub fn new<S: Into<String>, P: Display>(function_name: S, parameter: P) -> BenchmarkId {
        BenchmarkId::of(Some(function_name.into()), Some(parameter.to_string()))
    }

    pub fn from_parameter<P: Display>(parameter: P) -> BenchmarkId {
        BenchmarkId::of(None, Some(parameter.to_string()))
    }

    pub(crate) fn of(function_name: Option<String>, parameter: Option<String>) -> BenchmarkId {
        BenchmarkId { function_name, parameter }
    }

    /// Returns the name that `cargo bench -- --list` prints.
    fn title(&self, group: &str) -> String {
        let parts = [Some(group), self.function_name.as_deref(), self.parameter.as_deref()];
        let whole = parts.into_iter().flatten().collect::<Vec<_>>().join("/");
        if whole.len() <= TITLE {
            return whole;
        }
        let end = (0..=TITLE).rev().find(|end| whole.is_char_boundary(*end)).unwrap_or(0);
        format!("{}...", &whole[..end])
    }
}

mod private {
    pub trait Sealed {}
    impl Sealed for super::BenchmarkId {}
    impl<S: Into<String>> Sealed for S {}
}

pub trait IntoBenchmarkId: private::Sealed {
    fn into_benchmark_id(self) -> BenchmarkId;
}

impl IntoBenchmarkId for BenchmarkId {
    fn into_benchmark_id(self) -> BenchmarkId {
        self
    }
}

impl<S: Into<String>> IntoBenchmarkId for S {
    fn into_benchmark_id(self) -> BenchmarkId {
        let name = self.into();
        assert!(!name.is_empty(), "Function name must not be empty.");
        BenchmarkId::of(Some(name), None)
    }
}
