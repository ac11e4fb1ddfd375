//! `derny shard`: the run of one shard, and the part that is made of it.

use super::{Carried, Own, Task, digest, is_of_here};
use crate::error::{Doing, Result, refuse};
use crate::pipeline::{self, Occasion, Ready, RunOptions, Tell};
use crate::project::session::Bench;
use crate::results::outcome::Outcome;
use derny_engine::launch::folder;
use derny_json::ToJson;
use derny_model::{Document, Event, FleetPlan, RunStatus};
use derny_store::Store;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Which shard is measured, by whom, and where its part is written.
#[derive(Debug, Clone, Copy)]
pub struct ShardOptions<'a> {
    /// Which, from 1.
    pub shard: u32,
    /// What the machine is called, in place of its host's name.
    pub machine: Option<&'a str>,
    /// Builds that came with the plan.
    pub builds: Option<&'a Carried>,
    /// The file of the part.
    pub output: &'a Path,
}

/// What a shard came to.
#[derive(Debug)]
pub struct Measured {
    /// How it ended.
    pub outcome: Outcome,
    /// What it shows by itself, with the warnings about this machine alone; none where there was nothing to measure.
    pub document: Option<Document>,
    /// Its part was written.
    pub is_written: bool,
}

/// Measures a shard and writes its part, in place of the one that was there. The run is kept in a folder beside it meanwhile.
///
/// # Errors
/// A plan that is not of here, a shard that it has not, and those of planning and measuring.
pub fn shard(
    bench: Bench<'_>,
    (plan, options): (&FleetPlan, &RunOptions),
    own: ShardOptions<'_>,
    tell: &mut Tell<'_>,
) -> Result<Measured> {
    is_of_here(bench.session, plan)?;
    let of = plan.shards.len();
    let Some(shard) = plan.shards.get(own.shard as usize - 1) else {
        refuse!("the plan has no shard {}\n  why    it has {of}\n  try    1/{of}", own.shard);
    };
    let scratch = Scratch::new(own.output)?;
    let store = Store::open(&scratch.folder)?;
    store.set_plan(&plan.to_json().unwrap_or_default())?;
    let task = Task::Measure(plan, Own { shard: own.shard, machine: own.machine, builds: own.builds });
    let measured = if shard.blocks.is_empty() {
        nothing(bench, &store, task)?;
        Measured { outcome: Outcome::Done, document: None, is_written: true }
    } else {
        let occasion = Occasion { fleet: Some(task), ..Occasion::default() };
        let planned = match pipeline::plan(bench, options, &occasion, tell)? {
            Ready::Planned(planned) => planned,
            Ready::Early(outcome) => {
                return Ok(Measured { outcome, document: None, is_written: false });
            }
        };
        let measured = pipeline::measure(Bench { store: &store, ..bench }, options, &planned, tell)?;
        let any = measured.records.visits.iter().any(|record| record.complete);
        let mut document = derny_analysis::summarise(&measured.records);
        // What cases lack is asked of all parts together.
        document.warnings.retain(|warning| warning.case.is_none());
        let outcome = match (measured.interrupted, measured.failed, any) {
            (true, ..) => Outcome::Interrupted,
            (_, true, _) => Outcome::Failed,
            (.., false) => Outcome::Undecided,
            (.., true) => Outcome::Done,
        };
        Measured { outcome, document: Some(document), is_written: true }
    };
    digest(&store, plan)?;
    store.into_part(own.output)?;
    Ok(measured)
}

/// The part of a shard without blocks, as a later wave may have.
fn nothing(bench: Bench<'_>, store: &Store, task: Task<'_>) -> Result<()> {
    let header = pipeline::header_of_part(bench, task)?;
    let mut recorder = store.recorder()?;
    let ended_ms = header.started_ms;
    let plan = derny_model::Plan::of_nothing();
    recorder.on_event(&Event::RunStarted {
        format: derny_engine::measure::EVENT_FORMAT,
        run: Box::new(header),
        cases: Vec::new(),
        plan: Box::new(plan),
    })?;
    recorder.on_event(&Event::RunEnded { ended_ms, status: RunStatus::Complete })?;
    Ok(())
}

/// The folder of a run under way, beside its part. It goes with this.
struct Scratch {
    folder: PathBuf,
    _lock: File,
}

impl Scratch {
    /// A fresh one; what a killed engine left there is taken away.
    fn new(output: &Path) -> Result<Scratch> {
        let name = output.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let what = || format!("cannot write beside {}", output.display());
        let folder = output.with_file_name(format!(".{name}.run"));
        // Its name can be foreseen, and the part may lie where others write.
        folder::own_here(&folder).doing(what)?;
        let lock = File::options().create(true).truncate(false).write(true).open(folder.join("lock"));
        let lock = lock.doing(what)?;
        if lock.try_lock().is_err() {
            refuse!(
                "another derny is measuring this part\n  where  {}\n  try    wait for it, or another name with -o",
                output.display()
            );
        }
        for entry in fs::read_dir(&folder).doing(what)?.flatten().filter(|entry| entry.file_name() != "lock")
        {
            let path = entry.path();
            let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.doing(what)?;
        }
        Ok(Scratch { folder, _lock: lock })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
