//! `derny fleet shard`: measures one shard and writes its part.

use crate::{Carried, digest, is_of_here};
use derny_engine::launch::folder;
use derny_json::ToJson;
use derny_model::{CaseId, Document, Event, FleetPlan, Part, PlannedBlock, RunStatus, problem};
use derny_store::Store;
use derny_workbench::error::{Doing, Result};
use derny_workbench::pipeline::{self, Occasion, PartOf, Ready, RunOptions, Scope, Tell};
use derny_workbench::project::session::Bench;
use derny_workbench::results::outcome::Outcome;
use derny_workbench::variants::build::Prebuilt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The shard to measure, and the place to write its part.
#[derive(Debug, Clone, Copy)]
pub struct ShardOptions<'a> {
    /// Number of the shard, from 1.
    pub shard: u32,
    /// Name of the machine, if it is not the host name.
    pub machine: Option<&'a str>,
    /// Builds from the plan.
    pub builds: Option<&'a Carried>,
    /// Path of the part.
    pub output: &'a Path,
}

/// The result of measuring a shard.
#[derive(Debug)]
pub struct Measured {
    /// Outcome of the command.
    pub outcome: Outcome,
    /// Results of the shard, with only those warnings that concern the machine. `None` if there was nothing
    /// to measure.
    pub document: Option<Document>,
    /// True if the part was written.
    pub is_written: bool,
}

/// Measures a shard and writes its part, which replaces an earlier one. During the measurement, the run is
/// stored in a folder next to the part.
///
/// # Errors
/// Fails if the plan is for another checkout, architecture or version of Derny, if it has no such shard, or
/// if planning or measuring fails.
pub fn shard(
    bench: Bench<'_>,
    (plan, options): (&FleetPlan, &RunOptions),
    own: ShardOptions<'_>,
    tell: &mut Tell<'_>,
) -> Result<Measured> {
    is_of_here(bench.session, plan)?;
    let of = plan.shards.len();
    let Some(shard) = plan.shards.get(own.shard as usize - 1) else {
        return Err(problem!("the plan has no shard {}", own.shard)
            .why(format_args!("it has {of}"))
            .remedy(format_args!("name one of them, such as 1/{of}"))
            .into());
    };
    let scratch = Scratch::new(own.output)?;
    let store = Store::open(&scratch.folder)?;
    store.set_plan(&plan.to_json().unwrap_or_default())?;
    let part = Part {
        plan: plan.id.clone(),
        measures: plan.measures.clone(),
        wave: plan.wave,
        shard: own.shard,
        of: of as u32,
    };
    let part = part_of(plan, &part, own.machine);
    let measured = if shard.blocks.is_empty() {
        nothing(bench, &store, plan, part)?;
        Measured { outcome: Outcome::Done, document: None, is_written: true }
    } else {
        let own_pairs = |block: &PlannedBlock| (plan.cases[block.case as usize].id.clone(), block.pairs);
        let (only, fixed_pairs): (Vec<CaseId>, Vec<u32>) = shard.blocks.iter().map(own_pairs).unzip();
        let builds = own.builds.map(|carried| carried as &dyn Prebuilt);
        let scope =
            Scope { only: &only, fixed_pairs: &fixed_pairs, builds, part: Some(part), identify: false };
        let occasion = Occasion { scope, ..Occasion::default() };
        let planned = match pipeline::plan(bench, options, &occasion, tell)? {
            Ready::Planned(planned) => planned,
            Ready::Early(outcome) => {
                return Ok(Measured { outcome, document: None, is_written: false });
            }
        };
        let measured = pipeline::measure(Bench { store: &store, ..bench }, options, &planned, tell)?;
        let any = measured.records.visits.iter().any(|record| record.complete);
        let mut document = derny_analysis::summarise(&measured.records);
        // The merge judges whether cases are complete, because it has all parts.
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

/// Describes a shard as a part of the plan. Each shard has its own seed.
fn part_of<'a>(plan: &'a FleetPlan, part: &'a Part, machine: Option<&'a str>) -> PartOf<'a> {
    let (wave, shard) = (u64::from(part.wave), u64::from(part.shard));
    let seed = plan.identity.seed.wrapping_add(wave << 32).wrapping_add(shard);
    PartOf { part, seed, machine, variants: &plan.sides, identity: &plan.identity }
}

/// Writes the part of a shard that has no blocks, as can happen in a later wave.
fn nothing(bench: Bench<'_>, store: &Store, plan: &FleetPlan, part: PartOf<'_>) -> Result<()> {
    let header = pipeline::header_of_part(bench, part, plan.settings.clone())?;
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

/// The folder of an unfinished run, next to its part. It is removed on drop.
struct Scratch {
    folder: PathBuf,
    _lock: File,
}

impl Scratch {
    /// Creates and locks the folder. Removes files that a killed engine left in it.
    fn new(output: &Path) -> Result<Scratch> {
        let name = output.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let what = || format!("cannot write next to {}", output.display());
        let folder = output.with_file_name(format!(".{name}.run"));
        // The name is predictable, and other users may be able to write to the parent folder, so accept only
        // a folder of this user.
        folder::own_here(&folder).doing(what)?;
        let lock = File::options().create(true).truncate(false).write(true).open(folder.join("lock"));
        let lock = lock.doing(what)?;
        if lock.try_lock().is_err() {
            return Err(problem!("another Derny process is measuring this part")
                .place(output.display())
                .remedy("wait for it, or choose another name with -o")
                .into());
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
