//! `derny fleet worker`: takes the shards of a plan from a store that several machines share. The part of
//! each shard is stored there, and the parts are merged like any others.

use crate::make::named;
use crate::shard::{ShardOptions, shard};
use crate::{Carried, is_of_here};
use derny_engine::measure::now_ms;
use derny_model::{FleetPlan, PlannedShard};
use derny_store::{Queue, Store, Taken};
use derny_workbench::error::Result;
use derny_workbench::pipeline::{RunOptions, Tell};
use derny_workbench::project::session::Bench;
use derny_workbench::results::outcome::Outcome;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The options of a worker.
#[derive(Debug, Clone, Copy)]
pub struct WorkerOptions<'a> {
    /// Name of the machine, if it is not the host name.
    pub machine: Option<&'a str>,
    /// Builds from the plan.
    pub builds: Option<&'a Carried>,
    /// Time in ms after which no further shard is started.
    pub for_ms: Option<i64>,
    /// Time in s after which another worker takes over a shard whose worker no longer reports.
    pub lease_seconds: u32,
}

/// A step in the measurement of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The measurement of a shard begins. Contains the number of the shard and the number of shards.
    Begun(u32, u32),
    /// The shard's results were stored.
    Kept(u32),
    /// Another worker has taken over the shard, and that worker's part counts.
    Lost(u32),
    /// No shard is free, but other workers have leased this many. The worker waits, because one of them may
    /// fail.
    Waiting(u32),
}

/// The result of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Worked {
    /// Outcome of the command.
    pub outcome: Outcome,
    /// Number of shards that the worker measured.
    pub shards: u32,
    /// True if the worker's time was over before everything was measured.
    pub over: bool,
}

/// Returns the plan with the shards that workers take. A plan with a single shard is divided into a shard for
/// each case and machine. Other plans keep their shards.
pub fn pieces(plan: &FleetPlan) -> FleetPlan {
    let [whole] = &plan.shards[..] else { return plan.clone() };
    let shards = whole.blocks.iter().map(|block| PlannedShard {
        blocks: vec![block.clone()],
        cost_ns: block.cost_ns.saturating_add(plan.setup_ns),
    });
    named(FleetPlan { shards: shards.collect(), ..plan.clone() })
}

/// Interval at which an idle worker checks for shards.
const LOOK: Duration = Duration::from_millis(250);

/// Measures shards until none is left.
///
/// # Errors
/// Fails if the plan is for another checkout, architecture or version of Derny, if the store is a folder or
/// cannot be reached, or if measuring fails.
pub fn work(
    bench: Bench<'_>,
    (plan, options): (&FleetPlan, &RunOptions),
    own: &WorkerOptions<'_>,
    tell: &mut Tell<'_>,
    step: &mut dyn FnMut(Step),
) -> Result<Worked> {
    is_of_here(bench.session, plan)?;
    let plan = pieces(plan);
    let begun_ms = now_ms();
    let me = format!("{} {} {begun_ms}", own.machine.unwrap_or("worker"), std::process::id());
    let queue = bench.store.queue(&plan.id, &me)?;
    let of = plan.shards.len() as u32;
    queue.offer(of)?;
    let mut worked = Worked { outcome: Outcome::Done, shards: 0, over: false };
    let mut waits = 0;
    loop {
        if bench.stop.load(Ordering::Relaxed) {
            return Ok(Worked { outcome: Outcome::Interrupted, ..worked });
        }
        if own.for_ms.is_some_and(|most| now_ms() - begun_ms >= most) {
            return Ok(Worked { over: true, ..worked });
        }
        let shard = match queue.take(own.lease_seconds)? {
            Taken::AllDone => return Ok(worked),
            Taken::AllHeld(left) => {
                if waits != left {
                    step(Step::Waiting(left));
                }
                waits = left;
                std::thread::sleep(LOOK);
                continue;
            }
            Taken::Shard(shard) => shard,
        };
        waits = 0;
        step(Step::Begun(shard, of));
        let taking = Taking { bench, queue: &queue, plan: &plan, options, own, shard };
        match taking.measure(&me, tell)? {
            Some(outcome) => {
                worked.shards += 1;
                worked.outcome = worse(worked.outcome, outcome);
                step(Step::Kept(shard));
            }
            None if bench.stop.load(Ordering::Relaxed) => {}
            None => step(Step::Lost(shard)),
        }
    }
}

/// Returns the worse of two outcomes. A failed benchmark does not stop the worker, but determines its
/// outcome.
fn worse(one: Outcome, other: Outcome) -> Outcome {
    if one == Outcome::Failed { one } else { other }
}

struct Taking<'a> {
    bench: Bench<'a>,
    queue: &'a Queue,
    plan: &'a FleetPlan,
    options: &'a RunOptions,
    own: &'a WorkerOptions<'a>,
    shard: u32,
}

impl Taking<'_> {
    /// Measures the shard while the lease is valid. Returns `None` if the lease was lost, or if the shard was
    /// given back because the user stopped the worker.
    fn measure(&self, me: &str, tell: &mut Tell<'_>) -> Result<Option<Outcome>> {
        let folder = self.bench.session.folder_in_store("work")?;
        let part = Part(folder.join(format!("{}-{}.derny", std::process::id(), self.shard)));
        let (halt, is_done) = (AtomicBool::new(false), AtomicBool::new(false));
        let keeper = Keeper {
            queue: self.bench.store.queue(&self.plan.id, me)?,
            shard: self.shard,
            seconds: self.own.lease_seconds,
            stop: self.bench.stop,
            halt: &halt,
            is_done: &is_done,
        };
        let measured = std::thread::scope(|scope| {
            scope.spawn(move || keeper.hold());
            let bench = Bench { stop: &halt, ..self.bench };
            let WorkerOptions { machine, builds, .. } = *self.own;
            let own = ShardOptions { shard: self.shard, machine, builds, output: &part.0 };
            let measured = shard(bench, (self.plan, self.options), own, tell);
            is_done.store(true, Ordering::Relaxed);
            measured
        });
        let measured = match measured {
            Ok(measured) if measured.is_written && measured.outcome != Outcome::Interrupted => measured,
            other => {
                self.queue.give_back(self.shard)?;
                return other.map(|measured| match measured.outcome {
                    Outcome::Interrupted => None,
                    outcome => Some(outcome),
                });
            }
        };
        Ok(self.queue.finish(self.shard, &part.0)?.then_some(measured.outcome))
    }
}

/// Renews the lease of a shard during its measurement, on a separate connection.
struct Keeper<'a> {
    queue: Queue,
    shard: u32,
    seconds: u32,
    /// Set when the user stops the worker.
    stop: &'a AtomicBool,
    halt: &'a AtomicBool,
    is_done: &'a AtomicBool,
}

impl Keeper<'_> {
    /// Renews the lease until the shard is done or lost, or until the user stops the worker.
    fn hold(&self) {
        let often = Duration::from_secs(self.seconds.into()) / 3;
        let mut since = Duration::ZERO;
        while !self.is_done.load(Ordering::Relaxed) {
            std::thread::sleep(HELD);
            since += HELD;
            if self.stop.load(Ordering::Relaxed) {
                self.halt.store(true, Ordering::Relaxed);
            }
            if since >= often {
                since = Duration::ZERO;
                // If the server is unreachable, try again. [`Queue::finish`] later checks the lease.
                if matches!(self.queue.renew(self.shard, self.seconds), Ok(false)) {
                    self.halt.store(true, Ordering::Relaxed);
                }
            }
        }
    }
}

/// Interval at which to check whether the shard is done or the user has stopped the worker.
const HELD: Duration = Duration::from_millis(20);

struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Writes the parts that workers have measured to files in `folder`. Returns the files.
/// [`merge`](crate::merge()) reports missing parts.
///
/// # Errors
/// Fails if the store fails, or if the folder cannot be written.
pub fn parts(store: &Store, plan: &FleetPlan, folder: &Path) -> Result<Vec<PathBuf>> {
    let plan = pieces(plan);
    let queue = store.queue(&plan.id, "merge")?;
    let mut files = Vec::new();
    for shard in 1..=plan.shards.len() as u32 {
        let file = folder.join(format!("{}-{shard}.derny", plan.id));
        if queue.part(shard, &file)? {
            files.push(file);
        }
    }
    Ok(files)
}
