//! The interface that criterion.rs 0.3 had before groups.

use crate::bencher::Bencher;
use crate::group::BenchmarkId;
use crate::measurement::{Measurement, WallTime};
use crate::settings::{PlotConfiguration, SamplingMode, Throughput};
use crate::suite::{not_obeyed, Criterion};
use std::fmt::Debug;
use std::time::Duration;

type Call<T, M> = Box<dyn FnMut(&mut Bencher<'_, M>, &T)>;

pub trait BenchmarkDefinition<M: Measurement = WallTime>: Sized {
    fn run(self, group_id: &str, c: &mut Criterion<M>);
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

macro_rules! settings {
    () => {
        accepted! {
            sample_size(n: usize),
            warm_up_time(dur: Duration),
            measurement_time(dur: Duration),
            nresamples(n: usize),
            noise_threshold(threshold: f64),
            confidence_level(cl: f64),
            significance_level(sl: f64),
            plot_config(new_config: PlotConfiguration),
            sampling_mode(new_mode: SamplingMode),
        }
    };
}

pub struct Benchmark<M: Measurement = WallTime> {
    functions: Vec<(String, Call<(), M>)>,
    throughput: Option<Throughput>,
}

impl<M: Measurement + 'static> Benchmark<M> {
    settings!();

    pub fn new<S, F>(id: S, f: F) -> Benchmark<M>
    where
        S: Into<String>,
        F: FnMut(&mut Bencher<'_, M>) + 'static,
    {
        Benchmark { functions: Vec::new(), throughput: None }.with_function(id, f)
    }

    pub fn with_function<S, F>(mut self, id: S, mut f: F) -> Benchmark<M>
    where
        S: Into<String>,
        F: FnMut(&mut Bencher<'_, M>) + 'static,
    {
        self.functions.push((id.into(), Box::new(move |bencher, ()| f(bencher))));
        self
    }

    pub fn throughput(mut self, throughput: Throughput) -> Benchmark<M> {
        self.throughput = Some(throughput);
        self
    }
}

impl<M: Measurement + 'static> BenchmarkDefinition<M> for Benchmark<M> {
    fn run(self, group_id: &str, c: &mut Criterion<M>) {
        let is_one = self.functions.len() == 1;
        let mut group = c.benchmark_group(group_id);
        if let Some(throughput) = self.throughput {
            group.throughput(throughput);
        }
        for (name, mut call) in self.functions {
            // If a group has a single function of the same name, that name appears only once.
            let function = (!is_one || group_id != name).then_some(name);
            group.bench_function(BenchmarkId::of(function, None), |bencher| call(bencher, &()));
        }
    }
}

pub struct ParameterizedBenchmark<T: Debug, M: Measurement = WallTime> {
    values: Vec<T>,
    functions: Vec<(String, Call<T, M>)>,
    throughput: Option<Box<dyn Fn(&T) -> Throughput>>,
}

impl<T: Debug + 'static, M: Measurement + 'static> ParameterizedBenchmark<T, M> {
    settings!();

    pub fn new<S, F, I>(id: S, f: F, parameters: I) -> ParameterizedBenchmark<T, M>
    where
        S: Into<String>,
        F: FnMut(&mut Bencher<'_, M>, &T) + 'static,
        I: IntoIterator<Item = T>,
    {
        let values = parameters.into_iter().collect();
        ParameterizedBenchmark { values, functions: Vec::new(), throughput: None }.with_function(id, f)
    }

    pub fn with_function<S, F>(mut self, id: S, f: F) -> ParameterizedBenchmark<T, M>
    where
        S: Into<String>,
        F: FnMut(&mut Bencher<'_, M>, &T) + 'static,
    {
        self.functions.push((id.into(), Box::new(f)));
        self
    }

    pub fn throughput<F>(mut self, throughput: F) -> ParameterizedBenchmark<T, M>
    where
        F: Fn(&T) -> Throughput + 'static,
    {
        self.throughput = Some(Box::new(throughput));
        self
    }
}

impl<T: Debug + 'static, M: Measurement + 'static> BenchmarkDefinition<M> for ParameterizedBenchmark<T, M> {
    fn run(mut self, group_id: &str, c: &mut Criterion<M>) {
        let (several_values, is_one) = (self.values.len() != 1, self.functions.len() == 1);
        let mut group = c.benchmark_group(group_id);
        for value in &self.values {
            if let Some(throughput) = &self.throughput {
                group.throughput(throughput(value));
            }
            for (name, call) in &mut self.functions {
                let function = (!is_one || group_id != name).then(|| name.clone());
                let parameter = several_values.then(|| format!("{value:?}"));
                group.bench_function(BenchmarkId::of(function, parameter), |bencher| call(bencher, value));
            }
        }
    }
}

pub struct Fun<I: Debug, M: Measurement + 'static = WallTime>(String, Call<I, M>);

impl<I: Debug + 'static, M: Measurement> Fun<I, M> {
    pub fn new<F>(name: &str, f: F) -> Fun<I, M>
    where
        F: FnMut(&mut Bencher<'_, M>, &I) + 'static,
    {
        Fun(name.to_owned(), Box::new(f))
    }
}

impl<M: Measurement + 'static> Criterion<M> {
    pub fn bench_function_over_inputs<I, F>(&mut self, id: &str, f: F, inputs: I) -> &mut Criterion<M>
    where
        I: IntoIterator,
        I::Item: Debug + 'static,
        F: FnMut(&mut Bencher<'_, M>, &I::Item) + 'static,
    {
        self.bench(id, ParameterizedBenchmark::new(id, f, inputs))
    }

    pub fn bench_functions<I>(&mut self, id: &str, funs: Vec<Fun<I, M>>, input: I) -> &mut Criterion<M>
    where
        I: Debug + 'static,
    {
        let functions = funs.into_iter().map(|Fun(name, call)| (name, call)).collect();
        self.bench(id, ParameterizedBenchmark { values: vec![input], functions, throughput: None })
    }

    pub fn bench<B: BenchmarkDefinition<M>>(&mut self, group_id: &str, benchmark: B) -> &mut Criterion<M> {
        benchmark.run(group_id, self);
        self
    }
}
