//! `derny fleet plan`: decides what to measure, on how many machines, and at what cost.

use crate::costs::{self, Knowledge};
use crate::{ToCarry, balance};
use derny_engine::hash::Fnv;
use derny_engine::measure::now_ms;
use derny_engine::plan::{comparisons, looks};
use derny_estimate::level::Levels;
use derny_json::ToJson;
use derny_model::{CaseId, FleetPlan, Identity, PlannedBlock, PlannedShard, RunId, Variant, problem};
use derny_workbench::config::units;
use derny_workbench::error::Result;
use derny_workbench::pipeline::{self, Occasion, Planned, Ready, RunOptions, Scope, Tell};
use derny_workbench::project::session::Bench;
use derny_workbench::results::outcome::Outcome;

/// Minimum number of pairs per machine if several machines measure a case. Both launch orders then occur
/// twice.
const LEAST_EACH: u32 = 4;

/// Options for dividing the measurement.
#[derive(Debug, Clone)]
pub struct FleetOptions {
    /// Number of shards.
    pub shards: u32,
    /// Number of machines that measure each case.
    pub machines_per_case: u32,
    /// Maximum time of all machines together, as typed.
    pub machine_time: Option<String>,
    /// Words of the command line. Shards use them to select the same cases.
    pub words: Vec<String>,
    /// True to include the builds in the plan.
    pub carry: bool,
}

/// The result of planning.
#[derive(Debug)]
pub enum Made {
    /// A plan was made.
    Plan {
        /// The plan.
        plan: Box<FleetPlan>,
        /// Number of cases whose cost is known from the store.
        known: usize,
        /// Ids of the runs that the costs come from.
        runs: Vec<RunId>,
        /// Builds to put into the plan, if requested.
        builds: Option<ToCarry>,
    },
    /// There is no plan: there is nothing to measure, or the user stopped. The reason was already reported.
    Early(Outcome),
}

/// Makes a plan. Builds are made here too, because a failure to build must show before machines are used.
///
/// # Errors
/// Fails if a run cannot be planned, or if the options cannot be met.
pub fn make(
    bench: Bench<'_>,
    options: &RunOptions,
    fleet: &FleetOptions,
    tell: &mut Tell<'_>,
) -> Result<Made> {
    let FleetOptions { shards, machines_per_case: copies, .. } = *fleet;
    if copies > shards {
        return Err(problem!(
            "--machines-per-case {copies} needs at least {copies} shards, but there are \
            {shards}"
        )
        .remedy(format_args!("use --shards {copies}"))
        .into());
    }
    let most_ns = fleet.machine_time.as_deref().map(units::duration_ns).transpose();
    let most_ns = most_ns.map_err(|why| problem!("--machine-time: {why}"))?;
    let begun_ms = now_ms();
    let scope = Scope { identify: true, ..Scope::default() };
    let occasion = Occasion { scope, ..Occasion::default() };
    let mut planned = match pipeline::plan(bench, options, &occasion, tell)? {
        Ready::Planned(planned) => planned,
        Ready::Early(outcome) => return Ok(Made::Early(outcome)),
    };
    if let Some(failure) = planned.failures.first() {
        return Err(problem!("not every case could be listed")
            .place(failure.place.join(" · "))
            .why(format_args!("{}: {}", failure.what, failure.why))
            .remedy("fix the file, or exclude it")
            .into());
    }
    let setup_ns = now_ms().saturating_sub(begun_ms).max(0) as u64 * 1_000_000;
    let Some(identity) = planned.identity.take() else { unreachable!("it was planned to be divided") };
    let known = known(bench, &planned)?;
    let carried = fleet.carry.then(|| ToCarry::of(bench.session, &planned.prepared.built)).transpose()?;
    // Builds that the plan contains are made only once, so their time does not count for each shard.
    let build_ns = if fleet.carry { planned.prepared.took.carried_ns } else { 0 };
    let setup_ns = setup_ns.saturating_sub(build_ns);
    let dividing = Dividing { planned: &planned, known: &known, copies, setup_ns, shards };
    let shards = dividing.within(most_ns.map(|most| most.saturating_sub(build_ns)))?;
    let identity = Identity { seed: planned.header.seed, ..identity };
    let plan = FleetPlan {
        format: FleetPlan::FORMAT,
        id: String::new(),
        measures: measures(&identity),
        identity,
        wave: 1,
        args: fleet.words.clone(),
        sides: planned.header.variants.iter().map(plain).collect(),
        settings: planned.header.settings.clone(),
        machines_per_case: copies,
        setup_ns,
        build_ns,
        cases: planned.catalogue.cases.clone(),
        shards,
    };
    let Knowledge { cases, runs } = known;
    Ok(Made::Plan { plan: Box::new(named(plan)), known: cases.len(), runs, builds: carried })
}

fn plain(side: &Variant) -> Variant {
    Variant { directory: None, builds: Vec::new(), packages: Vec::new(), ..side.clone() }
}

fn measures(identity: &Identity) -> String {
    let mut hash = Fnv::new();
    hash.write(identity.to_json().unwrap_or_default().as_bytes());
    hash.hex()
}

/// Returns the plan with its id, which is a hash of its content.
pub(crate) fn named(plan: FleetPlan) -> FleetPlan {
    let mut hash = Fnv::new();
    hash.write(plan.measures.as_bytes()).write(&plan.wave.to_le_bytes());
    hash.write(plan.shards.to_json().unwrap_or_default().as_bytes());
    FleetPlan { id: hash.hex(), ..plan }
}

fn known(bench: Bench<'_>, planned: &Planned<'_>) -> Result<Knowledge> {
    let ids: Vec<CaseId> = planned.catalogue.cases.iter().map(|case| case.id.clone()).collect();
    let settings = &planned.header.settings;
    costs::of(bench.store, &ids, settings, &looks(settings, planned.header.variants.len() as u32))
}

/// Returns the number of pairs for each machine. Together, the machines measure at least `pairs`. With
/// several machines, the number is even, so that each side is launched first equally often.
pub(crate) fn each(pairs: u32, machines: u32) -> u32 {
    match machines {
        0 | 1 => pairs,
        several => pairs.div_ceil(several).next_multiple_of(2).max(LEAST_EACH),
    }
}

struct Dividing<'a> {
    planned: &'a Planned<'a>,
    known: &'a Knowledge,
    copies: u32,
    setup_ns: u64,
    shards: u32,
}

impl Dividing<'_> {
    /// Returns the shards, with as many pairs as fit into the time `most_ns`. These may be fewer than would
    /// be decisive. Fails if even the smallest number of pairs does not fit.
    fn within(&self, most_ns: Option<u64>) -> Result<Vec<PlannedShard>> {
        let most_ns = most_ns.unwrap_or(u64::MAX);
        let cost_ns = |shards: &[PlannedShard]| shards.iter().map(|shard| shard.cost_ns).sum::<u64>();
        let looks = looks(&self.planned.header.settings, self.planned.header.variants.len() as u32);
        let mut shards = Vec::new();
        for most in looks.iter().rev() {
            shards = balance::balance(self.blocks(*most), self.copies, self.shards, self.setup_ns);
            if cost_ns(&shards) <= most_ns {
                return Ok(shards);
            }
        }
        let seconds = |ns: u64| format!("{:.0} s", ns as f64 / 1e9);
        Err(problem!("the cases need more machine time than allowed")
            .why(format_args!(
                "{} at least, and --machine-time is {}",
                seconds(cost_ns(&shards)),
                seconds(most_ns)
            ))
            .remedy("select fewer cases, use fewer --machines-per-case, or allow more --machine-time")
            .into())
    }

    /// Returns the minimum number of pairs that can show a change of one case among `cases` cases. With
    /// fewer, no change is significant, however large it is. The first wave counts as one look. If several
    /// machines measure a case, returns the number of the first look, because machines and not pairs are then
    /// the replicates.
    fn telling(&self, cases: usize) -> u32 {
        let Planned { header, plan, .. } = self.planned;
        if self.copies > 1 {
            return plan.looks.first().copied().unwrap_or(1);
        }
        let levels = Levels::new(&header.settings);
        let comparisons = comparisons(cases, &header.variants);
        levels.telling_look(&plan.looks, comparisons, header.settings.mean, |pairs| {
            levels.sequence(&[pairs], false)
        })
    }

    /// Returns a block for each case, with at most `most` pairs. If the cost of a case is unknown, uses the
    /// mean of the known costs, or else the engine's forecast.
    fn blocks(&self, most: u32) -> Vec<PlannedBlock> {
        let Planned { header, plan, catalogue, .. } = self.planned;
        let sides = header.variants.len() as u64;
        let cases = catalogue.cases.len().max(1) as u64;
        let known_ns: Vec<u64> = self.known.cases.values().map(|known| known.process_ns).collect();
        let expected_ns = plan.expected_ns / cases / u64::from(plan.processes.max(1)) / sides;
        let other_ns = match known_ns.len() as u64 {
            0 => expected_ns,
            count => known_ns.iter().sum::<u64>() / count,
        };
        let least = self.telling(cases as usize).min(most);
        let of = |(number, case): (u32, &derny_model::Case)| {
            let known = self.known.cases.get(&case.id);
            let wanted = known.and_then(|known| known.pairs).unwrap_or(least).min(most).max(least);
            let pairs = if sides < 2 { 0 } else { each(wanted, self.copies) };
            let each_ns = known.map_or(other_ns, |known| known.process_ns) * sides;
            let cost_ns = each_ns * u64::from(if pairs == 0 { plan.processes } else { pairs });
            PlannedBlock { case: number, pairs, cost_ns }
        };
        let cases = (0..).zip(&catalogue.cases).filter(|(_, case)| case.skip.is_none());
        cases.map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_machine_has_as_many_pairs_of_either_order() {
        assert_eq!((each(8, 1), each(11, 1)), (8, 11));
        assert_eq!((each(8, 2), each(8, 3), each(15, 2), each(40, 3)), (4, 4, 8, 14));
    }
}
