//! Benchmarks as they are defined, and the cases that follow from their parameters. Knows nothing of lines.

use crate::alloc::Counted;
use crate::hash;
use crate::loops::{self, Calls, FreshCalls, Results, Timed, Turn};
use crate::params::{product, Axis, Params};
use crate::turns::Opened;
use std::fmt::Display;
use std::hash::Hash;
use std::panic::Location;

/// The benchmarks of a program. A function that takes one defines them; [`main!`](crate::main) names it.
#[derive(Default)]
pub struct Suite {
    benchmarks: Vec<Box<dyn Benchmark>>,
    groups: Vec<String>,
}

impl Suite {
    /// Defines a benchmark that is nothing but a body. What the body returns cannot be optimised away; constants that the
    /// compiler must not compute with belong into [`black_box`](crate::black_box).
    ///
    /// # Panics
    /// If there is a benchmark of this name, or the name is empty.
    #[track_caller]
    pub fn bench<R: 'static>(&mut self, name: &str, body: impl FnMut() -> R + 'static) {
        self.define(name).run(body);
    }

    /// Begins a benchmark with options.
    ///
    /// # Panics
    /// As [`bench`](Suite::bench).
    #[track_caller]
    pub fn define(&mut self, name: &str) -> Definition<'_> {
        assert!(!name.is_empty(), "a benchmark must have a name");
        let group = (!self.groups.is_empty()).then(|| self.groups.join("/"));
        let name = group.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("/");
        assert!(self.position(&name).is_none(), "the benchmark {name} is defined twice");
        let spec = Spec { name, group, place: Some(Location::caller()), ..Spec::default() };
        Definition { suite: self, spec }
    }

    /// Defines benchmarks whose names begin with `name/`. Groups nest.
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

/// What the values of a metric are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What all operations of a turn came to: it is divided by them.
    Total,
    /// What there was at a turn's end, such as a size or a score: it is compared as it is.
    Level,
    /// The most that there was: that of a process is its largest turn.
    Peak,
    /// A quotient already.
    Rate,
}

/// Whether less or more of a metric is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// Less.
    Less,
    /// More.
    More,
    /// It tells something, but nothing good or bad.
    Neither,
}

/// A function of a case's parameters.
type OfParams<T> = Box<dyn Fn(&Params) -> T>;

/// What is known of a benchmark without running anything of it.
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
    /// As in the first line: `name:unit:direction[:exact]`.
    pub metrics: Vec<String>,
}

impl Spec {
    /// The cases, with the values of `given` in place of the benchmark's own.
    pub fn cases(&self, given: &[(String, Vec<String>)]) -> Vec<Params> {
        let mut cases = product(&self.axes, given);
        cases.retain(|params| self.filter.as_ref().map_or(true, |filter| filter(params)));
        cases
    }
}

/// A benchmark with its options, before its body is known.
#[must_use = "a benchmark is defined by `run`"]
pub struct Definition<'s> {
    suite: &'s mut Suite,
    spec: Spec,
}

impl<'s> Definition<'s> {
    /// A parameter and its own values. The cases are the product of all parameters, the first one outermost.
    ///
    /// # Panics
    /// If there is no value, or the parameter is there already.
    #[track_caller]
    pub fn param<T: Display>(mut self, name: &str, values: impl IntoIterator<Item = T>) -> Self {
        let axis = Axis::new(name, values);
        assert!(!axis.values.is_empty(), "the parameter {name} of {} has no value", self.spec.name);
        let is_there = self.spec.axes.iter().any(|other| other.name == name);
        assert!(!is_there, "{} has the parameter {name} twice", self.spec.name);
        self.spec.axes.push(axis);
        self
    }

    /// Which combinations of values to keep. It also judges values that a user gives with `-p`.
    pub fn filter(mut self, keep: impl Fn(&Params) -> bool + 'static) -> Self {
        self.spec.filter = Some(Box::new(keep));
        self
    }

    /// Why a case does not apply here, if it does not: another system, a missing feature.
    pub fn skip(mut self, reason: impl Fn(&Params) -> Option<String> + 'static) -> Self {
        self.spec.skip = Some(Box::new(reason));
        self
    }

    /// Operations in one call of the body: times are told per operation.
    pub fn ops(mut self, ops: impl Fn(&Params) -> u64 + 'static) -> Self {
        self.spec.ops = Some(Box::new(ops));
        self
    }

    /// What one operation is called.
    pub fn unit(mut self, unit: &str) -> Self {
        self.spec.unit = Some(unit.to_owned());
        self
    }

    /// Bytes that one call handles, for the throughput.
    pub fn bytes(mut self, bytes: impl Fn(&Params) -> u64 + 'static) -> Self {
        self.spec.bytes = Some(Box::new(bytes));
        self
    }

    /// Items that one call handles, for the throughput.
    pub fn items(mut self, items: impl Fn(&Params) -> u64 + 'static) -> Self {
        self.spec.items = Some(Box::new(items));
        self
    }

    /// Words to select it by.
    pub fn tags(mut self, tags: &[&str]) -> Self {
        self.spec.tags.extend(tags.iter().map(|tag| (*tag).to_owned()));
        self
    }

    /// An environment variable of the processes that measure it.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.spec.env.push(format!("{name}={value}"));
        self
    }

    /// Its process measures nothing else.
    pub fn isolate(mut self) -> Self {
        self.spec.isolate = true;
        self
    }

    /// The most calls in one batch: 1 for a body that cannot be repeated without the work of
    /// [`before_batch`](Prepared::before_batch).
    pub fn max_iterations(mut self, most: u64) -> Self {
        self.spec.max_iterations = Some(most);
        self
    }

    /// Drops what the body returns outside of the time. Without it the loop drops each result before the next call, as a
    /// program does, and the time contains the drop.
    ///
    /// Use it if the drop takes a good part of the time and is not what you want to measure. Examples are a tree with many
    /// nodes, or a large input that [`fresh`](Prepared::fresh) made and the body returns.
    ///
    /// The loop then keeps results and drops them with the clock stopped. It keeps as many as fit into 16 KiB, at least 1 and
    /// at most 256, not counting the memory they own. That memory cannot be reused while they are kept, so calls get memory
    /// that is not in the cache. Do not use it for large results whose drop is cheap, such as a `Vec` of numbers.
    ///
    /// It changes nothing for results that have no destructor.
    ///
    /// ```
    /// # fn benchmarks(suite: &mut derny_bench::Suite) {
    /// use std::collections::BTreeMap;
    ///
    /// suite.define("build a tree").drop_outside().run(|| (0..1000).map(|n| (n, n)).collect::<BTreeMap<_, _>>());
    /// # }
    /// ```
    pub fn drop_outside(mut self) -> Self {
        self.spec.drop_outside = true;
        self
    }

    /// What the body works on, made once for each case and not timed. It is opaque to the compiler in every call.
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

    /// The body. The time contains the drop of what it returns, unless [`drop_outside`](Definition::drop_outside) is set.
    pub fn run<R: 'static>(self, mut body: impl FnMut() -> R + 'static) {
        self.setup(|_| ()).run(move |()| body());
    }

    /// The body, and a hash of its result by which answers are compared between variants.
    pub fn run_hashed<R: Hash + 'static>(self, mut body: impl FnMut() -> R + 'static) {
        self.setup(|_| ()).run_hashed(move |()| body());
    }
}

/// A metric's value, read after a turn.
type Read<C> = Box<dyn FnMut(&mut C) -> f64>;
/// What is done to the context before a batch of so many calls.
type BeforeBatch<C> = Box<dyn FnMut(&mut C, u64)>;

/// A benchmark whose body works on a context of type `C`.
#[must_use = "a benchmark is defined by `run`"]
pub struct Prepared<'s, C> {
    suite: &'s mut Suite,
    spec: Spec,
    setup: Box<dyn FnMut(&Params) -> C>,
    before_batch: Option<BeforeBatch<C>>,
    teardown: Option<Box<dyn FnMut(C)>>,
    metrics: Vec<Read<C>>,
}

impl<'s, C: 'static> Prepared<'s, C> {
    /// What is done before each batch of so many calls, not timed.
    pub fn before_batch(mut self, prepare: impl FnMut(&mut C, u64) + 'static) -> Self {
        self.before_batch = Some(Box::new(prepare));
        self
    }

    /// What is done with the context at last; without it the context is dropped.
    pub fn teardown(mut self, teardown: impl FnMut(C) + 'static) -> Self {
        self.teardown = Some(Box::new(teardown));
        self
    }

    /// A quantity of its own, read once after every turn.
    ///
    /// # Panics
    /// If the name or the unit is empty.
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

    /// A [`metric`](Prepared::metric) of which equal work gives equal values, so that any difference is real.
    ///
    /// # Panics
    /// As `metric`.
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

    /// An input for each call, made before the calls and not timed. The body consumes it. The time contains the drop of the
    /// input, in the body or of what it returns. To keep it out of the time, return the input and set
    /// [`drop_outside`](Definition::drop_outside).
    pub fn fresh<I: 'static>(self, make: impl FnMut(&mut C) -> I + 'static) -> Fresh<'s, C, I> {
        Fresh { prepared: self, make: Box::new(make) }
    }

    /// The body. The time contains the drop of what it returns, unless [`drop_outside`](Definition::drop_outside) is set.
    pub fn run<R: 'static>(self, body: impl FnMut(&mut C) -> R + 'static) {
        let results = Results::new(None, self.spec.drop_outside);
        self.finish(Calls { body, results });
    }

    /// The body, and a hash of its result by which answers are compared between variants.
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
#[must_use = "a benchmark is defined by `run`"]
pub struct Fresh<'s, C, I> {
    prepared: Prepared<'s, C>,
    make: Box<dyn FnMut(&mut C) -> I>,
}

impl<C: 'static, I: 'static> Fresh<'_, C, I> {
    /// The body. The time contains the drop of what it returns, unless [`drop_outside`](Definition::drop_outside) is set.
    pub fn run<R: 'static>(self, body: impl FnMut(I) -> R + 'static) {
        let Fresh { prepared, make } = self;
        let results = Results::new(None, prepared.spec.drop_outside);
        prepared.finish(FreshCalls::new(make, body, results));
    }

    /// The body, and a hash of its result by which answers are compared between variants.
    pub fn run_hashed<R: Hash + 'static>(self, body: impl FnMut(I) -> R + 'static) {
        let Fresh { prepared, make } = self;
        let results = Results::new(Some(hash::of::<R>), prepared.spec.drop_outside);
        prepared.finish(FreshCalls::new(make, body, results));
    }
}

/// A benchmark of any types. All but `spec` and `open` need an open case.
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

const OPEN: &str = "the session opens a case before it uses it";

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
