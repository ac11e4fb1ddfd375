//! `Criterion`: the entry point for defining benchmarks.

use crate::bencher::Bencher;
use crate::group::{BenchmarkGroup, BenchmarkId};
use crate::live;
use crate::measurement::{other_than_time, Measurement, WallTime};
use crate::profiler::Profiler;
use crate::settings::{BenchmarkFilter, PlottingBackend};
use std::path::Path;
use std::time::Duration;

pub struct Criterion<M: Measurement = WallTime> {
    pub(crate) measurement: M,
    pub(crate) filter: BenchmarkFilter,
    /// Text that the names of selected benchmarks contain.
    pub(crate) part: Option<String>,
}

impl Default for Criterion {
    fn default() -> Criterion {
        live::begin_within();
        Criterion { measurement: WallTime, filter: BenchmarkFilter::AcceptAll, part: None }
    }
}

/// Reports once that settings of criterion.rs are ignored.
pub(crate) fn not_obeyed() {
    live::remark(
        "settings of criterion.rs for samples, times and statistics have no effect: Derny chooses the \
            number and duration of measurements; use --budget, --set precision=SHARE and --margin",
    );
}

macro_rules! accepted {
    ($( $name:ident($( $argument:ident: $type:ty ),*) ),+ $(,)?) => {
        $( pub fn $name(self $(, $argument: $type)*) -> Criterion<M> {
            $( let _ = $argument; )*
            not_obeyed();
            self
        } )+
    };
}

macro_rules! ignored {
    ($( $name:ident($( $argument:ident: $type:ty ),*) ),+ $(,)?) => {
        $( pub fn $name(self $(, $argument: $type)*) -> Criterion<M> {
            $( let _ = $argument; )*
            self
        } )+
    };
}

impl<M: Measurement> Criterion<M> {
    pub fn with_measurement<M2: Measurement>(self, m: M2) -> Criterion<M2> {
        if let Some(name) = other_than_time::<M2>() {
            live::remark(&format!(
                "the measurement {name} is not supported: wall time is measured instead"
            ));
        }
        Criterion { measurement: m, filter: self.filter, part: self.part }
    }

    pub fn with_profiler<P: Profiler + 'static>(self, p: P) -> Criterion<M> {
        let _ = p;
        self
    }

    accepted! {
        sample_size(n: usize),
        warm_up_time(dur: Duration),
        measurement_time(dur: Duration),
        nresamples(n: usize),
        noise_threshold(threshold: f64),
        confidence_level(cl: f64),
        significance_level(sl: f64),
    }

    ignored! {
        plotting_backend(backend: PlottingBackend),
        with_plots(),
        without_plots(),
        save_baseline(baseline: String),
        with_output_color(enabled: bool),
        output_directory(path: &Path),
        profile_time(profile_time: Option<Duration>),
        configure_from_args(),
    }

    #[cfg(derny_criterion = "0.3")]
    pub fn retain_baseline(self, _baseline: String) -> Criterion<M> {
        self
    }

    #[cfg(not(derny_criterion = "0.3"))]
    pub fn retain_baseline(self, _baseline: String, _strict: bool) -> Criterion<M> {
        self
    }

    pub fn can_plot(&self) -> bool {
        false
    }

    pub fn with_filter<S: Into<String>>(mut self, filter: S) -> Criterion<M> {
        let text: String = filter.into();
        #[cfg(derny_regex)]
        if let Ok(regex) = regex::Regex::new(&text) {
            self.filter = BenchmarkFilter::Regex(regex);
            return self;
        }
        self.part = Some(text);
        self
    }

    pub fn with_benchmark_filter(mut self, filter: BenchmarkFilter) -> Criterion<M> {
        self.filter = filter;
        self
    }

    pub(crate) fn admits(&self, name: &str) -> bool {
        let part = self.part.as_ref().map_or(true, |part| name.contains(part.as_str()));
        part && match &self.filter {
            BenchmarkFilter::AcceptAll => true,
            #[cfg(derny_regex)]
            BenchmarkFilter::Regex(regex) => regex.is_match(name),
            BenchmarkFilter::Exact(exact) => name == exact,
            BenchmarkFilter::RejectAll => false,
        }
    }

    pub fn final_summary(&self) {
        live::end_within();
    }

    pub fn benchmark_group<S: Into<String>>(&mut self, group_name: S) -> BenchmarkGroup<'_, M> {
        let name = group_name.into();
        assert!(!name.is_empty(), "Group name must not be empty.");
        BenchmarkGroup::new(self, name)
    }
}

impl<M: Measurement + 'static> Criterion<M> {
    #[track_caller]
    pub fn bench_function<F>(&mut self, id: &str, f: F) -> &mut Criterion<M>
    where
        F: FnMut(&mut Bencher<'_, M>),
    {
        self.benchmark_group(id).bench_function(BenchmarkId::of(None, None), f);
        self
    }

    #[track_caller]
    pub fn bench_with_input<F, I>(&mut self, id: BenchmarkId, input: &I, f: F) -> &mut Criterion<M>
    where
        I: ?Sized,
        F: FnMut(&mut Bencher<'_, M>, &I),
    {
        // An id without a function name is valid only within a group.
        let group = id.function_name.expect("a benchmark outside of a group needs a function name");
        self.benchmark_group(group).bench_with_input(BenchmarkId::of(None, id.parameter), input, f);
        self
    }
}
