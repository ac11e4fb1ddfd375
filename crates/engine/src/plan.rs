//! Plan: which processes are launched, in which order, at what expected cost. Pure: the same cases, settings and seed
//! give the same plan, and `derny list --plan` prints it.

use crate::catalogue::Catalogue;
use derny_model::{Case, Isolation, Plan, PlannedLaunch, Settings, Timing, Trait};
use derny_stats::{Looks, Rng};

/// Expected cost of starting a process, where nothing is known yet.
pub const LAUNCH_NS: u64 = 80_000_000;
/// Turns of the shortest warm-up.
const WARM_TURNS: u64 = 20;
const QUICK_WARM_TURNS: u64 = 10;
/// Measured rounds per process when nothing else is said.
const ROUNDS: u32 = 12;
const QUICK_ROUNDS: u32 = 8;
/// Key of the trait that says that a body runs once per process.
pub const ONCE_PER_PROCESS: &str = "once-per-process";

/// Turns before the first look at steadiness.
pub fn first_checkpoint(settings: &Settings) -> usize {
    (if settings.quick { QUICK_WARM_TURNS } else { WARM_TURNS }) as usize
}

/// Numbers of processes (blocks) at which a case may stop.
pub fn looks(settings: &Settings) -> Vec<u32> {
    if settings.processes < 6 {
        return vec![settings.processes.max(1)];
    }
    Looks::plan(settings.processes as usize, settings.confidence).counts.iter().map(|&n| n as u32).collect()
}

/// Decides.
pub fn plan(catalogue: &Catalogue, variants: u32, settings: &Settings, traits: &[Trait], seed: u64) -> Plan {
    let cases = catalogue.cases.len() as u64;
    let looks = looks(settings);
    let bound_ns = settings.total_ns.unwrap_or(u64::MAX).min(cases.saturating_mul(settings.budget_ns));
    let rounds = rounds(settings, variants);
    let visit_ns = visit_ns(settings, rounds, variants);
    let mut processes = if settings.once { 1 } else { looks[0] };
    let cost = |isolation, processes: u32| {
        let launches =
            u64::from(processes) * u64::from(variants) * groups(catalogue, isolation, traits).len() as u64;
        (launches * LAUNCH_NS, launches * LAUNCH_NS + u64::from(processes) * cases * visit_ns)
    };
    let (isolation, reason) = match settings.isolation {
        Some(isolation) => (isolation, "asked for".to_string()),
        None if !settings.once && cost(Isolation::Case, processes).0 > bound_ns / 2 => {
            let starts = cost(Isolation::Case, processes).0 as f64 / 1e9;
            let why = format!(
                "a process per case would spend about {starts:.0} s of at most {:.0} s on starts",
                bound_ns as f64 / 1e9
            );
            (Isolation::Suite, why)
        }
        None => (Isolation::Case, "a process measures one case".to_string()),
    };
    while !settings.once && processes > 2 && cost(isolation, processes).1 > bound_ns {
        processes -= 1;
    }
    let expected_ns = cost(isolation, processes).1.min(bound_ns);
    let launches = launches(catalogue, isolation, processes, variants, traits, seed);
    Plan { isolation, reason, launches, processes, rounds, expected_ns, bound_ns, looks }
}

fn rounds(settings: &Settings, variants: u32) -> u32 {
    let standard = if settings.quick { QUICK_ROUNDS } else { ROUNDS };
    let by_duration =
        settings.duration_ns.map(|ns| (ns / settings.turn_ns / u64::from(variants)).max(1) as u32);
    settings.rounds.or(by_duration).unwrap_or(standard)
}

fn visit_ns(settings: &Settings, rounds: u32, variants: u32) -> u64 {
    let warm = settings.warmup_ns.unwrap_or(settings.turn_ns * first_checkpoint(settings) as u64);
    (warm + settings.turn_ns * (u64::from(rounds) + 4)) * u64::from(variants)
}

/// Whether a body may run only once in a process.
pub fn runs_once(case: &Case, file_hash: &str, traits: &[Trait]) -> bool {
    let name = case.id.name();
    let learnt = |t: &Trait| t.key == ONCE_PER_PROCESS && t.file_hash == file_hash && t.case == name;
    case.timing == Timing::SelfTimed && (!case.again || traits.iter().any(learnt))
}

/// Cases that may share a process, as indices.
pub fn groups(catalogue: &Catalogue, isolation: Isolation, traits: &[Trait]) -> Vec<Vec<u32>> {
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut shared: std::collections::HashMap<(usize, &[String], &[(String, String)]), usize> =
        Default::default();
    for (i, case) in catalogue.cases.iter().enumerate() {
        let source = catalogue.source_of[i];
        let alone = isolation == Isolation::Case
            || case.isolate
            || runs_once(case, &catalogue.sources[source].hash, traits);
        let at = if alone { None } else { shared.get(&(source, &case.args[..], &case.env[..])).copied() };
        match at {
            Some(at) => groups[at].push(i as u32),
            None => {
                if !alone {
                    shared.insert((source, &case.args, &case.env), groups.len());
                }
                groups.push(vec![i as u32]);
            }
        }
    }
    groups
}

/// Blocks in random order: each group `processes` times, its cases in a fresh order every time.
fn launches(
    catalogue: &Catalogue,
    isolation: Isolation,
    processes: u32,
    variants: u32,
    traits: &[Trait],
    seed: u64,
) -> Vec<PlannedLaunch> {
    let mut rng = Rng::new(seed);
    let mut blocks: Vec<Vec<u32>> = Vec::new();
    for group in groups(catalogue, isolation, traits) {
        for _ in 0..processes {
            let mut cases = group.clone();
            rng.shuffle(&mut cases);
            blocks.push(cases);
        }
    }
    rng.shuffle(&mut blocks);
    let of_block = |(block, cases): (usize, Vec<u32>)| {
        (0..variants).map(move |variant| PlannedLaunch { block: block as u32, variant, cases: cases.clone() })
    };
    blocks.into_iter().enumerate().flat_map(of_block).collect()
}
