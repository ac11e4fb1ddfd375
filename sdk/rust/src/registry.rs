//! Benchmark definitions and their cases. Independent of the protocol.

use crate::alloc::Counted;
use crate::hash;
use crate::loops::{self, Calls, FreshCalls, Results, Timed, Turn};
use crate::params::{product, Axis, Params};
use crate::turns::Opened;
use std::fmt::Display;
use std::hash::Hash;
use std::panic::Location;

/// The benchmarks of a program. Define them in a function that takes a `Suite`, and pass this function to
/// [`main!`](crate::main).
#[derive(Default)]
pub struct Suite {
    benchmarks: Vec<Box<dyn Benchmark>>,
    groups: Vec<String>,
}

impl Suite {
    /// Defines a benchmark that has only a body. The compiler cannot optimise away the returned value. Pass
    /// constants through [`black_box`](crate::black_box), so that the compiler does not compute results from
    /// them in advance.
    ///
    /// # Panics
    ///
    /// Panics if the name is empty, or if a benchmark with this name exists.
    #[track_caller]
    pub fn bench<R: 'static>(&mut self, name: &str, body: impl FnMut() -> R + 'static) {
        self.define(name).run(body);
    }

    /// Begins the definition of a benchmark with options.
    ///
    /// # Panics
    ///
    /// Panics if the name is empty, or if a benchmark with this name exists.
    #[track_caller]
    pub fn define(&mut self, name: &str) -> Definition<'_> {
        assert!(!name.is_empty(), "a benchmark must have a name");
        let group = (!self.groups.is_empty()).then(|| self.groups.join("/"));
        let name = group.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("/");
        assert!(self.position(&name).is_none(), "the benchmark {name} is defined twice");
        let spec = Spec { name, group, place: Some(Location::caller()), ..Spec::default() };
        Definition { suite: self, spec }
    }

    /// Prefixes the names of the benchmarks that `define` defines with `name/`. Groups can be nested.
    pub fn group(&mut self, name: &str, define: impl FnOnce(&mut Suite)) {
        self.groups.push(name.to_owned());
        define(self);
        self.groups.pop();
    }

    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.benchmarks.iter().position(|benchmark| benchmark.spec().name == name)
    }

    pub(crate) fn benchmark(&mut self, position: usize) -> &mut dyn Benchmark {
        self.benchmarks[position].as_mut()
    }

    pub(crate) fn benchmarks(&self) -> impl Iterator<Item = &dyn Benchmark> {
        self.benchmarks.iter().map(AsRef::as_ref)
    }
}

/// Kind of a metric, which determines how its values are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Total over all operations of a turn, reported per operation.
    Total,
    /// State at the end of a turn, such as a size or a score. Compared without further calculation.
    Level,
    /// Maximum. The value of a process is the largest of its turns.
    Peak,
    /// Quotient. Compared without further calculation.
    Rate,
}

/// Direction in which a metric improves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// Smaller values are better.
    Less,
    /// Larger values are better.
    More,
    /// Neither direction is better: the metric is informative.
    Neither,
}

type OfParams<T> = Box<dyn Fn(&Params) -> T>;

/// Properties of a benchmark that are known without running it.
#[derive(Default)]
pub(crate) struct Spec {
    pub name: String,
    pub group: Option<String>,
    pub place: Option<&'static Location<'static>>,
    pub axes: Vec<Axis>,
    pub filter: Option<OfParams<bool>>,
    pub skip: Option<OfParams<Option<String>>>,
    pub ops: Option<OfParams<u64>>,
    pub bytes: Option<OfParams<u64>>,
    pub items: Option<OfParams<u64>>,
    pub unit: Option<String>,
    pub tags: Vec<String>,
    pub env: Vec<String>,
    pub isolate: bool,
    pub max_iterations: Option<u64>,
    pub drop_outside: bool,
    /// Metrics in the syntax of the `case` line: `name:unit:kind:direction[:exact]`.
    pub metrics: Vec<String>,
}

impl Spec {
    /// Returns the cases. Values in `given` replace those of the benchmark's parameters.
    pub fn cases(&self, given: &[(String, Vec<String>)]) -> Vec<Params> {
        let mut cases = product(&self.axes, given);
        cases.retain(|params| self.filter.as_ref().map_or(true, |filter| filter(params)));
        cases
    }
}

/// A benchmark and its options, before its body is set.
#[must_use = "call `run` to define the benchmark"]
pub struct Definition<'s> {
    suite: &'s mut Suite,
    spec: Spec,
}

impl<'s> Definition<'s> {
    /// Adds a parameter and its values. The cases are all combinations of parameter values. The first
    /// parameter varies slowest.
    ///
    /// # Panics
    ///
    /// Panics if there is no value, or if the parameter exists already.
    #[track_caller]
    pub fn param<T: Display>(mut self, name: &str, values: impl IntoIterator<Item = T>) -> Self {
        let axis = Axis::new(name, values);
        assert!(!axis.values.is_empty(), "the parameter {name} of {} has no values", self.spec.name);
        let is_there = self.spec.axes.iter().any(|other| other.name == name);
        assert!(!is_there, "{} has the parameter {name} twice", self.spec.name);
        self.spec.axes.push(axis);
        self
    }

    /// Sets a filter, which returns true for the combinations of values to keep. It also applies to values
    /// that a user chooses with `-p`.
    pub fn filter(mut self, keep: impl Fn(&Params) -> bool + 'static) -> Self {
        self.spec.filter = Some(Box::new(keep));
        self
    }

    /// Sets a function that returns the reason to skip a case, such as an unsupported system, or `None` to
    /// run it.
    pub fn skip(mut self, reason: impl Fn(&Params) -> Option<String> + 'static) -> Self {
        self.spec.skip = Some(Box::new(reason));
        self
    }

    /// Sets the number of operations in one call of the body. Times are reported per operation.
    pub fn ops(mut self, ops: impl Fn(&Params) -> u64 + 'static) -> Self {
        self.spec.ops = Some(Box::new(ops));
        self
    }

    /// Sets the name of an operation, which reports use as its unit.
    pub fn unit(mut self, unit: &str) -> Self {
        self.spec.unit = Some(unit.to_owned());
        self
    }

    /// Sets the number of bytes that one call processes, from which throughput is computed.
    pub fn bytes(mut self, bytes: impl Fn(&Params) -> u64 + 'static) -> Self {
        self.spec.bytes = Some(Box::new(bytes));
        self
    }

    /// Sets the number of items that one call processes, from which throughput is computed.
    pub fn items(mut self, items: impl Fn(&Params) -> u64 + 'static) -> Self {
        self.spec.items = Some(Box::new(items));
        self
    }

    /// Adds tags, by which a user can select benchmarks.
    pub fn tags(mut self, tags: &[&str]) -> Self {
        self.spec.tags.extend(tags.iter().map(|tag| (*tag).to_owned()));
        self
    }

    /// Adds an environment variable for the processes that measure the benchmark.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.spec.env.push(format!("{name}={value}"));
        self
    }

    /// Runs each case of the benchmark in a separate process.
    pub fn isolate(mut self) -> Self {
        self.spec.isolate = true;
        self
    }

    /// Sets the maximum number of calls in a batch. Use 1 for a body that can be called only once after
    /// [`before_batch`](Prepared::before_batch).
    pub fn max_iterations(mut self, most: u64) -> Self {
        self.spec.max_iterations = Some(most);
        self
    }

    /// Excludes the drop of the returned value from the measured time. By default, the loop drops each result
    /// before the next call, as a typical program does, and the time includes the drop.
    ///
    /// Use this method if the drop takes a large part of the time and is not what you want to measure.
    /// Examples are a tree with many nodes, or a large input that [`fresh`](Prepared::fresh) made and the
    /// body returns.
    ///
    /// The loop then keeps results and drops them while the clock is stopped. It keeps as many as fit into 16
    /// KiB, at least 1 and at most 256, not counting the memory that they own. That memory cannot be reused
    /// while they are kept, so calls allocate memory that is not in the cache. Do not use this method for
    /// large results that are cheap to drop, such as a `Vec` of numbers.
    ///
    /// This method has no effect on results without a destructor.
    ///
    /// ```
    /// # fn benchmarks(suite: &mut derny_bench::Suite) {
    /// use std::collections::BTreeMap;
    ///
    /// suite.define("build a tree").drop_outside().run(|| (0..1000).map(|n| (n, n)).collect::<BTreeMap<_,
    /// _>>());
    /// # }
    /// ```
    pub fn drop_outside(mut self) -> Self {
        self.spec.drop_outside = true;
        self
    }

    /// Sets the set-up, which makes the body's context once per case, untimed. The context is opaque to the
    /// compiler in every call.
    pub fn setup<C: 'static>(self, setup: impl FnMut(&Params) -> C + 'static) -> Prepared<'s, C> {
        Prepared {
            suite: self.suite,
            spec: self.spec,
            setup: Box::new(setup),
            before_batch: None,
            teardown: None,
            metrics: Vec::new(),
        }
    }

    /// Sets the body. The time includes the drop of its result unless
    /// [`drop_outside`](Definition::drop_outside) is set.
    pub fn run<R: 'static>(self, mut body: impl FnMut() -> R + 'static) {
        self.setup(|_| ()).run(move |()| body());
    }

    /// Sets the body and hashes its result, so that Derny can check that all variants return the same.
    pub fn run_hashed<R: Hash + 'static>(self, mut body: impl FnMut() -> R + 'static) {
        self.setup(|_| ()).run_hashed(move |()| body());
    }
}

type Read<C> = Box<dyn FnMut(&mut C) -> f64>;
/// A function that prepares the context before a batch, given the number of calls.
type BeforeBatch<C> = Box<dyn FnMut(&mut C, u64)>;

/// A benchmark whose body takes a context of type `C`.
#[must_use = "call `run` to define the benchmark"]
pub struct Prepared<'s, C> {
    suite: &'s mut Suite,
    spec: Spec,
    setup: Box<dyn FnMut(&Params) -> C>,
    before_batch: Option<BeforeBatch<C>>,
    teardown: Option<Box<dyn FnMut(C)>>,
    metrics: Vec<Read<C>>,
}

impl<'s, C: 'static> Prepared<'s, C> {
    /// Sets a function that prepares the context before each batch, untimed. Its second argument is the
    /// number of calls in the batch.
    pub fn before_batch(mut self, prepare: impl FnMut(&mut C, u64) + 'static) -> Self {
        self.before_batch = Some(Box::new(prepare));
        self
    }

    /// Sets the tear-down, which consumes the context. By default, the context is dropped.
    pub fn teardown(mut self, teardown: impl FnMut(C) + 'static) -> Self {
        self.teardown = Some(Box::new(teardown));
        self
    }

    /// Adds a user-defined metric. `read` is called once after each turn and returns the metric's value.
    ///
    /// # Panics
    ///
    /// Panics if the name or the unit is empty.
    #[track_caller]
    pub fn metric(
        self,
        name: &str,
        unit: &str,
        kind: Kind,
        better: Better,
        read: impl FnMut(&mut C) -> f64 + 'static,
    ) -> Self {
        self.declare([name, unit], kind, better, "", Box::new(read))
    }

    /// Adds a [`metric`](Prepared::metric) whose values depend only on the work done, so that every
    /// difference is real.
    ///
    /// # Panics
    ///
    /// Panics if the name or the unit is empty.
    #[track_caller]
    pub fn exact_metric(
        self,
        name: &str,
        unit: &str,
        kind: Kind,
        better: Better,
        read: impl FnMut(&mut C) -> f64 + 'static,
    ) -> Self {
        self.declare([name, unit], kind, better, ":exact", Box::new(read))
    }

    #[track_caller]
    fn declare(
        mut self,
        [name, unit]: [&str; 2],
        kind: Kind,
        better: Better,
        exact: &str,
        read: Read<C>,
    ) -> Self {
        assert!(
            !name.is_empty() && !unit.is_empty(),
            "a metric of {} has no name or no unit",
            self.spec.name
        );
        let kind = match kind {
            Kind::Level => "level",
            Kind::Total => "total",
            Kind::Peak => "peak",
            Kind::Rate => "rate",
        };
        let direction = match better {
            Better::Less => "less",
            Better::More => "more",
            Better::Neither => "none",
        };
        let part = |text: &str| text.replace('%', "%25").replace(':', "%3A");
        self.spec.metrics.push(format!("{}:{}:{kind}:{direction}{exact}", part(name), part(unit)));
        self.metrics.push(read);
        self
    }

    /// Makes a new input for each call, in advance and untimed. The body consumes it. The time includes the
    /// drop of the input if the body drops it or returns it. To exclude the drop, return the input and set
    /// [`drop_outside`](Definition::drop_outside).
    pub fn fresh<I: 'static>(self, make: impl FnMut(&mut C) -> I + 'static) -> Fresh<'s, C, I> {
        Fresh { prepared: self, make: Box::new(make) }
    }

    /// Sets the body. The time includes the drop of its result unless
    /// [`drop_outside`](Definition::drop_outside) is set.
    pub fn run<R: 'static>(self, body: impl FnMut(&mut C) -> R + 'static) {
        let results = Results::new(None, self.spec.drop_outside);
        self.finish(Calls { body, results });
    }

    /// Sets the body and hashes its result, so that Derny can check that all variants return the same.
    pub fn run_hashed<R: Hash + 'static>(self, body: impl FnMut(&mut C) -> R + 'static) {
        let results = Results::new(Some(hash::of::<R>), self.spec.drop_outside);
        self.finish(Calls { body, results });
    }

    fn finish(self, timed: impl Timed<C> + 'static) {
        let Prepared { suite, spec, setup, before_batch, teardown, metrics } = self;
        let defined = Defined { spec, setup, before_batch, teardown, metrics, timed, context: None };
        suite.benchmarks.push(Box::new(defined));
    }
}

/// A benchmark whose body consumes an input of type `I` in each call.
#[must_use = "call `run` to define the benchmark"]
pub struct Fresh<'s, C, I> {
    prepared: Prepared<'s, C>,
    make: Box<dyn FnMut(&mut C) -> I>,
}

impl<C: 'static, I: 'static> Fresh<'_, C, I> {
    /// Sets the body. The time includes the drop of its result unless
    /// [`drop_outside`](Definition::drop_outside) is set.
    pub fn run<R: 'static>(self, body: impl FnMut(I) -> R + 'static) {
        let Fresh { prepared, make } = self;
        let results = Results::new(None, prepared.spec.drop_outside);
        prepared.finish(FreshCalls::new(make, body, results));
    }

    /// Sets the body and hashes its result, so that Derny can check that all variants return the same.
    pub fn run_hashed<R: Hash + 'static>(self, body: impl FnMut(I) -> R + 'static) {
        let Fresh { prepared, make } = self;
        let results = Results::new(Some(hash::of::<R>), prepared.spec.drop_outside);
        prepared.finish(FreshCalls::new(make, body, results));
    }
}

/// A benchmark of any context and result type. All methods except `spec` and `open` need an open case.
pub(crate) trait Benchmark: Opened {
    fn spec(&self) -> &Spec;
    fn open(&mut self, params: &Params);
    fn close(&mut self);
}

struct Defined<C, T> {
    spec: Spec,
    setup: Box<dyn FnMut(&Params) -> C>,
    before_batch: Option<BeforeBatch<C>>,
    teardown: Option<Box<dyn FnMut(C)>>,
    metrics: Vec<Read<C>>,
    timed: T,
    context: Option<C>,
}

const OPEN: &str = "no case is open: the session must call `open` first";

impl<C, T: Timed<C>> Benchmark for Defined<C, T> {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn open(&mut self, params: &Params) {
        self.timed.reserve();
        self.context = Some((self.setup)(params));
    }

    fn close(&mut self) {
        let context = self.context.take();
        if let (Some(teardown), Some(context)) = (&mut self.teardown, context) {
            teardown(context);
        }
    }
}

impl<C, T: Timed<C>> Opened for Defined<C, T> {
    fn turn(&mut self, turn: Turn, times: &mut Vec<u64>, counted: &mut Counted) -> Option<u64> {
        let Defined { before_batch, timed, context, .. } = self;
        let context = context.as_mut().expect(OPEN);
        let mut last = None;
        loops::take(turn, times, &mut |iterations| {
            if let Some(prepare) = before_batch {
                prepare(context, iterations);
            }
            let (ns, hash) = timed.batch(context, iterations, turn.wants_hash, counted);
            last = hash;
            ns
        });
        last
    }

    fn values(&mut self) -> Vec<f64> {
        let Defined { metrics, context, .. } = self;
        let context = context.as_mut().expect(OPEN);
        metrics.iter_mut().map(|read| read(context)).collect()
    }

    fn overhead(&mut self, turn: Turn, times: &mut Vec<u64>) {
        let Defined { timed, context, .. } = self;
        let context = context.as_mut().expect(OPEN);
        loops::take(turn, times, &mut |iterations| timed.empty(context, iterations));
    }

    fn check(&mut self) -> Option<u64> {
        let Defined { before_batch, timed, context, .. } = self;
        let context = context.as_mut().expect(OPEN);
        if let Some(prepare) = before_batch {
            prepare(context, 1);
        }
        timed.once(context)
    }

    fn metrics(&self) -> usize {
        self.spec.metrics.len()
    }
}
