//! `Bencher`, which benchmark functions use.

use crate::bodies::{Body, Case, Fresh, Kept, Lent};
use crate::counter::IntoCounter;
use crate::live;
use crate::threads;
use std::cell::RefCell;
use std::marker::PhantomData;

/// How a benchmark is called: the number of threads.
#[derive(Clone, Copy)]
pub struct Context {
    pub threads: usize,
}

pub struct Without;

pub struct BencherConfig<G = Without> {
    make: G,
}

pub struct Bencher<'a, 'b, C = BencherConfig> {
    context: Context,
    config: C,
    borrowed: PhantomData<(&'a (), &'b ())>,
}

impl<'a, 'b> Bencher<'a, 'b> {
    pub(crate) fn new(context: Context) -> Bencher<'a, 'b> {
        Bencher { context, config: BencherConfig { make: Without }, borrowed: PhantomData }
    }

    /// Measures `benched`. Its results are dropped while the clock is stopped.
    pub fn bench<O, B>(self, benched: B)
    where
        B: Fn() -> O + Sync,
    {
        match self.context.threads {
            1 => live::serve(&mut Case(Kept::new(benched))),
            threads => live::serve(&mut Case(threads::Together::new(threads, || Kept::new(&benched)))),
        }
    }

    pub fn bench_local<O, B>(self, benched: B)
    where
        B: FnMut() -> O,
    {
        live::serve(&mut Case(Kept::new(benched)));
    }

    pub fn with_inputs<G>(self, gen_input: G) -> Bencher<'a, 'b, BencherConfig<G>> {
        Bencher { context: self.context, config: BencherConfig { make: gen_input }, borrowed: PhantomData }
    }
}

impl<'a, 'b, G> Bencher<'a, 'b, BencherConfig<G>> {
    /// Has no effect. Cases are listed before they are called, so only counters in the attribute can be used
    /// for throughput.
    pub fn counter<C: IntoCounter>(self, counter: C) -> Self {
        let _ = counter;
        self
    }
}

impl<'a, 'b, I, G> Bencher<'a, 'b, BencherConfig<G>>
where
    G: FnMut() -> I,
{
    pub fn input_counter<C, F>(self, make_counter: F) -> Self
    where
        F: Fn(&I) -> C + Sync + 'static,
        C: IntoCounter,
    {
        let _ = make_counter;
        self
    }

    pub fn count_inputs_as<C>(self) -> Self {
        self
    }

    pub fn bench_values<O, B>(self, benched: B)
    where
        B: Fn(I) -> O + Sync,
        G: Fn() -> I + Sync,
    {
        let make = self.config.make;
        match self.context.threads {
            1 => live::serve(&mut Case(Fresh::new(|_: &mut ()| make(), benched, None))),
            threads => {
                live::serve(&mut Case(threads::Together::new(threads, || {
                    Fresh::new(|_: &mut ()| make(), &benched, None)
                })));
            }
        }
    }

    pub fn bench_local_values<O, B>(self, benched: B)
    where
        B: FnMut(I) -> O,
    {
        let mut make = self.config.make;
        live::serve(&mut Case(Fresh::new(move |_: &mut ()| make(), benched, None)));
    }

    pub fn bench_refs<O, B>(self, benched: B)
    where
        B: Fn(&mut I) -> O + Sync,
        G: Fn() -> I + Sync,
    {
        let make = self.config.make;
        match self.context.threads {
            1 => live::serve(&mut Case(Lent::new(make, benched, None))),
            threads => {
                live::serve(&mut Case(threads::Together::new(threads, || Lent::new(&make, &benched, None))))
            }
        }
    }

    pub fn bench_local_refs<O, B>(self, benched: B)
    where
        B: FnMut(&mut I) -> O,
    {
        live::serve(&mut Case(Lent::new(self.config.make, benched, None)));
    }
}
