//! The plan: the processes to launch, their order and their expected cost. The same cases, settings and
//! seed always give the same plan. `derny run --dry-run` prints it.

pub mod builds;
pub mod launch_order;

use crate::discover::catalogue::Catalogue;
use derny_model::{
    Case, Isolation, LEAST_REPLICATES, LEAST_ROUNDS, LearnedFact, Plan, PlannedLaunch, Settings, Timing,
    Variant, words,
};
use derny_stats::{Looks, Rng};

/// Expected time to start a process in ns, if nothing else is known.
pub const LAUNCH_NS: u64 = 80_000_000;
/// Number of turns in the shortest warm-up.
const WARM_TURNS: u64 = 20;
/// Number of turns in the shortest warm-up of a quick run.
const QUICK_WARM_TURNS: u64 = 10;
/// Default number of measured rounds per process. Noisy processes have more.
const ROUNDS: u32 = 6;
/// The quick plan's two possible numbers of processes (blocks), each with its number of measured
/// rounds.
const QUICK_ROUNDS: [(u32, u32); 2] = [(8, 6), (4, 8)];
/// Key of the learned fact that a body can be called only once in a process.
pub const ONCE_PER_PROCESS: &str = "once-per-process";
/// Key of the learned fact that contains the time from starting a program to its first opened case, in ns.
pub const START_NS: &str = "start-ns";

/// Returns the number of turns after which steadiness is first checked.
pub fn first_checkpoint(settings: &Settings) -> usize {
    (if settings.quick { QUICK_WARM_TURNS } else { WARM_TURNS }) as usize
}

/// Returns the number of processes (blocks) of the quick plan: eight if launching eight takes at most a
/// quarter of a case's budget, and otherwise four.
pub fn quick_processes(budget_ns: u64, variants: u32) -> u32 {
    let fits = |blocks: u32| LAUNCH_NS * u64::from(blocks) * u64::from(variants) <= budget_ns / 4;
    let [(many, _), (few, _)] = QUICK_ROUNDS;
    if fits(many) { many } else { few }
}

/// Returns the numbers of processes (blocks) after which a case in a run of this many variants may
/// stop. The quick plan and plans with few processes have only one number.
pub fn looks(settings: &Settings, variants: u32) -> Vec<u32> {
    let (most, confidence) = (settings.processes as usize, settings.confidence);
    let in_waves = settings.waves && variants > 1;
    if settings.quick || most < if in_waves { 5 } else { 6 } {
        return vec![settings.processes.max(1)];
    }
    let looks = if in_waves { Looks::of_waves(most, confidence) } else { Looks::plan(most, confidence) };
    looks.counts.iter().map(|&n| n as u32).collect()
}

/// Returns true if the processes of each case are measured as one wave. This needs several variants, and
/// does not apply to `--once`. The following use pairs instead:
/// - whole commands and bodies that can be called only once, because the two processes of a pair are
///   closest in time;
/// - sampled builds, which are the unit of replication;
/// - an attached session, which is the only process.
pub fn has_waves(catalogue: &Catalogue, variants: u32, settings: &Settings, learned: &[LearnedFact]) -> bool {
    let is_lasting = |(at, case): (usize, &Case)| {
        let hash = &catalogue.source(at as u32).hash;
        !case.fresh && !runs_once(case, hash, learned)
    };
    variants > 1
        && settings.builds < 2
        && !settings.attached
        && !settings.once
        && catalogue.cases.iter().enumerate().all(is_lasting)
}

/// Returns the number of comparisons in a run: one for each case in each variant after the base,
/// without controls.
pub fn comparisons(cases: usize, variants: &[Variant]) -> usize {
    cases * variants.iter().skip(1).filter(|variant| !variant.control).count()
}

/// Plans a run: chooses the isolation and the number of processes, orders the launches, and estimates the
/// time.
pub fn plan(
    catalogue: &Catalogue,
    variants: u32,
    settings: &Settings,
    learned: &[LearnedFact],
    seed: u64,
) -> Plan {
    let measured = || catalogue.cases.iter().filter(|case| case.skip.is_none());
    let cases = measured().count() as u64;
    let looks = looks(settings, variants);
    let total_ns = settings.total_ns.unwrap_or(u64::MAX);
    let budgets_ns = total_ns.min(cases.saturating_mul(settings.budget_ns));
    let bound_ns = if settings.is_unbounded(variants as usize) { total_ns } else { budgets_ns };
    let rounds = rounds(settings, variants);
    let visit_ns = visit_ns(settings, rounds, variants);
    let visits_ns = measured().map(|case| of_calls(case, visit_ns, variants)).fold(0, u64::saturating_add);
    let mut processes = if settings.once { 1 } else { looks[0] };
    let cost = |isolation, processes: u32| {
        let groups = groups(catalogue, isolation, learned);
        let of_group = |group: &Vec<u32>| {
            let launches = u64::from(processes.max(firsts(isolation, group)));
            launches * launch_ns(catalogue, group[0], learned)
        };
        let launches_ns = u64::from(variants) * groups.iter().map(of_group).sum::<u64>();
        (launches_ns, launches_ns.saturating_add(visits_ns.saturating_mul(processes.into())))
    };
    let (isolation, reason) = match settings.isolation {
        Some(isolation) => (isolation, "asked for".to_string()),
        None if settings.once => (Isolation::Suite, "a process checks the cases of a file".to_string()),
        None if is_slow_to_start(catalogue) => {
            (Isolation::Suite, "processes start slowly, so cases share them".to_string())
        }
        None if variants == 1
            && groups(catalogue, Isolation::Shared, learned).iter().any(|group| group.len() > 1)
            && cost(Isolation::Shared, processes).0 <= budgets_ns / 2 =>
        {
            let why = "processes measure many cases, and each case is first in one of them";
            (Isolation::Shared, why.to_string())
        }
        None if cost(Isolation::Case, processes).0 > budgets_ns / 2 => {
            let [starts, most] = [cost(Isolation::Case, processes).0, budgets_ns].map(words::wall);
            let why = format!("a process per case would spend about {starts} of at most {most} on launches");
            (Isolation::Suite, why)
        }
        None => (Isolation::Case, "a process measures one case".to_string()),
    };
    // If time is short, keep as many pairs as the first look needs, because fewer could decide no case.
    let is_short = settings.total_ns.is_some() && budgets_ns == total_ns && cases > 1;
    let needs_look = is_short && settings.waves && variants > 1 && !settings.quick;
    let least = if needs_look { processes } else { LEAST_REPLICATES };
    while !settings.once && processes > least && cost(isolation, processes).1 > budgets_ns {
        processes -= 1;
    }
    // The minimum number of processes is measured even if that exceeds the budgets, because fewer would give
    // no result. The budgets therefore do not limit its expected time.
    let whole_ns = cost(isolation, processes).1;
    let is_least = settings.once || processes <= least;
    let expected_ns = if is_least { whole_ns.min(total_ns) } else { whole_ns.min(budgets_ns) };
    let order = Order { wave: settings.wave, seed };
    let launches = launches(catalogue, isolation, processes, variants, learned, order);
    Plan { isolation, reason, launches, processes, rounds, expected_ns, bound_ns, looks }
}

/// Returns the time in ns to start the program of a case. If the convention declares a time, it is the time
/// measured in an earlier run, or else the declared time. For all other programs, it is [`LAUNCH_NS`].
fn launch_ns(catalogue: &Catalogue, case: u32, learned: &[LearnedFact]) -> u64 {
    let source = catalogue.source(case);
    let Some(told_ns) = source.launch_ns else { return LAUNCH_NS };
    let seen = learned.iter().find(|fact| fact.key == START_NS && fact.file_hash == source.hash);
    seen.and_then(|fact| fact.value.parse().ok()).unwrap_or(told_ns)
}

/// Returns true if every case belongs to a program whose convention declares a slow start.
fn is_slow_to_start(catalogue: &Catalogue) -> bool {
    let sources = || catalogue.source_of.iter().map(|&source| &catalogue.sources[source]);
    sources().next().is_some() && sources().all(|source| source.launch_ns.is_some_and(|ns| ns > LAUNCH_NS))
}

fn rounds(settings: &Settings, variants: u32) -> u32 {
    let [(many, fewer_rounds), (_, more_rounds)] = QUICK_ROUNDS;
    let quick = if settings.processes < many { more_rounds } else { fewer_rounds };
    let standard = if settings.quick { quick } else { ROUNDS };
    let by_duration =
        settings.duration_ns.map(|ns| (ns / settings.turn_ns / u64::from(variants)).max(1) as u32);
    settings.rounds.or(by_duration).unwrap_or(standard)
}

/// Returns the minimum time in ns of a complete visit in a block, for a case without measurements. It covers
/// a short warm-up and few rounds.
pub fn least_visit_ns(case: &Case, settings: &Settings, rounds: u32, variants: u32) -> u64 {
    let warm = settings.turn_ns * first_checkpoint(settings) as u64;
    let settings =
        Settings { warmup_ns: Some(settings.warmup_ns.unwrap_or(warm).min(warm)), ..settings.clone() };
    of_calls(case, visit_ns(&settings, rounds.min(LEAST_ROUNDS), variants), variants)
}

/// Returns `visit_ns` or, if that is more, the estimated time of two calls of each variant. For a fresh
/// case, returns the estimated time of one call of each variant.
fn of_calls(case: &Case, visit_ns: u64, variants: u32) -> u64 {
    let calls_ns = case.about_ns.unwrap_or(0).saturating_mul(u64::from(variants));
    if case.fresh { calls_ns } else { visit_ns.max(calls_ns.saturating_mul(2)) }
}

fn visit_ns(settings: &Settings, rounds: u32, variants: u32) -> u64 {
    let warm = settings.warmup_ns.unwrap_or(settings.turn_ns * first_checkpoint(settings) as u64);
    (warm + settings.turn_ns * (u64::from(rounds) + 4)) * u64::from(variants)
}

/// Returns true if a body can be called only once in a process.
pub fn runs_once(case: &Case, file_hash: &str, learned: &[LearnedFact]) -> bool {
    let name = case.id.name();
    let learnt = |t: &LearnedFact| t.key == ONCE_PER_PROCESS && t.file_hash == file_hash && t.case == name;
    case.timing == Timing::SelfTimed && (!case.again || learned.iter().any(learnt))
}

/// Returns groups of cases (as indices) that may share a process.
pub fn groups(catalogue: &Catalogue, isolation: Isolation, learned: &[LearnedFact]) -> Vec<Vec<u32>> {
    let mut groups: Vec<Vec<u32>> = Vec::new();
    type Launched<'a> = (usize, &'a [String], &'a [(String, String)], Option<&'a str>);
    let mut shared: std::collections::HashMap<Launched<'_>, usize> = Default::default();
    for (i, case) in catalogue.cases.iter().enumerate().filter(|(_, case)| case.skip.is_none()) {
        let source = catalogue.source_of[i];
        let alone = isolation == Isolation::Case
            || case.isolate
            || runs_once(case, &catalogue.sources[source].hash, learned);
        let launched = (source, &case.args[..], &case.env[..], case.global_setup.as_deref());
        let at = if alone { None } else { shared.get(&launched).copied() };
        match at {
            Some(at) => groups[at].push(i as u32),
            None => {
                if !alone {
                    shared.insert(launched, groups.len());
                }
                groups.push(vec![i as u32]);
            }
        }
    }
    groups
}

/// The inputs of the launch order: the number of blocks alive together, and the seed.
struct Order {
    wave: u32,
    seed: u64,
}

/// Returns the number of cases of a group that must come first in a process.
fn firsts(isolation: Isolation, group: &[u32]) -> u32 {
    if isolation == Isolation::Shared { group.len() as u32 } else { 1 }
}

/// Returns the processes that a group shares, with the order of cases in each. Every case is in
/// `processes` of them, and comes first in at least one. A case that would come first in none is
/// removed from one shared process, and gets a separate process instead.
fn shared(group: &[u32], processes: u32, rng: &mut Rng) -> Vec<(u32, Vec<u32>)> {
    let mut order = group.to_vec();
    rng.shuffle(&mut order);
    let mut blocks: Vec<(u32, Vec<u32>)> = Vec::new();
    for (turn, &first) in (0..processes).zip(order.iter().cycle()) {
        let mut others: Vec<u32> = group.iter().copied().filter(|&case| case != first).collect();
        rng.shuffle(&mut others);
        blocks.push((turn, std::iter::once(first).chain(others).collect()));
    }
    for &case in order.iter().skip(processes as usize) {
        let turn = rng.below(u64::from(processes)) as u32;
        blocks[turn as usize].1.retain(|&other| other != case);
        blocks.push((turn, vec![case]));
    }
    blocks
}

/// Returns the blocks in the order of their waves. Half of each wave consists of shared processes, while
/// there are any. The other half consists of processes of one case. The rounds of a shared process are
/// then always interleaved with those of others, so a slow moment of the machine affects more than one
/// visit. If more processes of one case remain, they form waves of their own in between.
fn in_waves(blocks: Vec<Vec<u32>>, wave: u32) -> Vec<Vec<u32>> {
    let wave = wave.max(2) as usize;
    let (shared, single): (Vec<Vec<u32>>, Vec<Vec<u32>>) =
        blocks.into_iter().partition(|cases| cases.len() > 1);
    let half = wave / 2;
    let waves = shared.len().div_ceil(half).max(1);
    let between = single.len().saturating_sub(waves * (wave - half)).div_ceil(wave).div_ceil(waves) * wave;
    let (mut shared, mut single) = (shared.into_iter(), single.into_iter());
    let mut all = Vec::new();
    while shared.len() + single.len() > 0 {
        all.extend(shared.by_ref().take(half));
        all.extend(single.by_ref().take(wave - half + between));
    }
    all
}

/// Returns the launches of all blocks, with the blocks in random order. Each group occurs `processes`
/// times, each time with its cases in a new random order. All groups get a process before any gets its
/// second, so an interrupted run has about the same number of processes for each group. With shared
/// isolation, [`shared`] and [`in_waves`] choose the blocks instead.
fn launches(
    catalogue: &Catalogue,
    isolation: Isolation,
    processes: u32,
    variants: u32,
    learned: &[LearnedFact],
    Order { wave, seed }: Order,
) -> Vec<PlannedLaunch> {
    let mut rng = Rng::new(seed);
    let mut blocks: Vec<Vec<u32>> = Vec::new();
    let mut groups = groups(catalogue, isolation, learned);
    if isolation == Isolation::Shared {
        let mut turns: Vec<(u32, Vec<u32>)> =
            groups.iter().flat_map(|group| shared(group, processes, &mut rng)).collect();
        rng.shuffle(&mut turns);
        turns.sort_by_key(|(turn, _)| *turn);
        blocks = in_waves(turns.into_iter().map(|(_, cases)| cases).collect(), wave);
        groups.clear();
    }
    for _ in 0..processes {
        rng.shuffle(&mut groups);
        for group in &mut groups {
            rng.shuffle(group);
            blocks.push(group.clone());
        }
    }
    let of_block = |(block, cases): (usize, Vec<u32>)| {
        (0..variants).map(move |variant| PlannedLaunch { block: block as u32, variant, cases: cases.clone() })
    };
    blocks.into_iter().enumerate().flat_map(of_block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover;
    use derny_model::CaseId;

    fn case(name: &str, timing: Timing, again: bool) -> Case {
        Case {
            harness: "command".into(),
            timing,
            again,
            ..Case::new(CaseId { suite: "s".into(), benchmark: name.into(), params: Vec::new() })
        }
    }

    fn catalogue(cases: Vec<Case>) -> Catalogue {
        let source = discover::command(std::path::Path::new("."), &["x".to_string()]);
        Catalogue { sources: vec![source], source_of: vec![0; cases.len()], cases, ..Catalogue::default() }
    }

    fn settings() -> Settings {
        Settings { pin: vec![0, 1], ..Settings::default() }
    }

    fn loops(n: usize) -> Catalogue {
        catalogue((0..n).map(|i| case(&format!("c{i}"), Timing::Loop, false)).collect())
    }

    #[test]
    fn every_case_has_every_process_of_every_variant_once() {
        let (catalogue, settings) = (loops(5), settings());
        let plan = plan(&catalogue, 2, &settings, &[], 7);
        assert_eq!((plan.isolation, plan.processes, plan.rounds), (Isolation::Case, 5, 6));
        assert_eq!(plan.looks, [5, 8, 11, 15, 21, 29, 40]);
        for case in 0..5 {
            for variant in 0..2 {
                let hits = plan.launches.iter().filter(|l| l.variant == variant && l.cases == [case]).count();
                assert_eq!(hits, 5);
            }
        }
        // The variants of a block are adjacent and contain the same cases.
        assert!(
            plan.launches
                .chunks(2)
                .all(|pair| pair[0].block == pair[1].block && pair[0].cases == pair[1].cases)
        );
    }

    #[test]
    fn without_variants_every_case_shares_processes_and_comes_first_in_one() {
        for (cases, processes) in [(2, 8), (8, 8), (30, 30)] {
            let mut catalogue = loops(cases);
            catalogue.cases.push(Case { isolate: true, ..case("alone", Timing::Loop, false) });
            catalogue.source_of.push(0);
            let plan = plan(&catalogue, 1, &settings(), &[], 5);
            assert_eq!((plan.isolation, plan.processes), (Isolation::Shared, 8));
            assert_eq!(plan.launches.len(), processes + 8);
            // At most half of a wave are shared processes.
            let shared = |l: &PlannedLaunch| usize::from(l.cases.len() > 1);
            let waves: Vec<usize> =
                plan.launches.chunks(8).map(|wave| wave.iter().map(shared).sum()).collect();
            assert_eq!(waves.iter().sum::<usize>(), 8);
            assert!(waves.iter().all(|count| [0, 4, 8].contains(count)), "{waves:?}");
            for case in 0..=cases as u32 {
                let of: Vec<usize> =
                    plan.launches.iter().filter_map(|l| l.cases.iter().position(|&c| c == case)).collect();
                assert_eq!(of.len(), 8, "{case}");
                assert!(of.contains(&0), "{case}");
            }
        }
        assert_eq!(plan(&loops(1), 1, &settings(), &[], 5).isolation, Isolation::Case);
        assert_eq!(plan(&loops(8), 2, &settings(), &[], 5).isolation, Isolation::Case);
    }

    #[test]
    fn all_cases_have_a_process_before_one_has_its_second() {
        let (catalogue, settings) = (loops(7), settings());
        let settings = Settings { isolation: Some(Isolation::Case), ..settings };
        let launches = plan(&catalogue, 1, &settings, &[], 3).launches;
        for turn in launches.chunks(7) {
            let mut cases: Vec<u32> = turn.iter().flat_map(|launch| launch.cases.clone()).collect();
            cases.sort_unstable();
            assert_eq!(cases, (0..7).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn the_order_follows_the_seed_and_nothing_else() {
        let (catalogue, settings) = (loops(20), settings());
        let order = |seed| plan(&catalogue, 1, &settings, &[], seed).launches;
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let sorted = order(1).windows(2).all(|pair| pair[0].cases <= pair[1].cases);
        assert!(!sorted, "the catalogue's order must not be the run's");
    }

    #[test]
    fn cases_share_processes_that_are_slow_to_start_unless_asked_otherwise() {
        let mut catalogue = catalogue(vec![case("a", Timing::Loop, false), case("b", Timing::Loop, false)]);
        let isolation =
            |catalogue: &Catalogue, settings: &Settings| plan(catalogue, 2, settings, &[], 1).isolation;
        assert_eq!(isolation(&catalogue, &settings()), Isolation::Case);
        catalogue.sources[0].launch_ns = Some(500_000_000);
        assert_eq!(isolation(&catalogue, &settings()), Isolation::Suite);
        let asked = Settings { isolation: Some(Isolation::Case), ..settings() };
        assert_eq!(isolation(&catalogue, &asked), Isolation::Case);
    }

    #[test]
    fn the_forecast_counts_starts_as_they_were_seen_beyond_the_budgets_too() {
        let mut catalogue = catalogue(vec![case("a", Timing::Loop, false)]);
        catalogue.sources[0].launch_ns = Some(500_000_000);
        let seen = |value: &str| LearnedFact {
            file_hash: catalogue.sources[0].hash.clone(),
            case: String::new(),
            key: START_NS.into(),
            value: value.into(),
        };
        let forecast = |learned: &[LearnedFact]| plan(&catalogue, 2, &settings(), learned, 1);
        let (told, slow) = (forecast(&[]), forecast(&[seen("9000000000")]));
        let more = 2 * u64::from(slow.processes) * 9_000_000_000;
        assert!(slow.expected_ns >= more && slow.expected_ns > told.expected_ns, "{}", slow.expected_ns);
        assert_eq!(slow.isolation, told.isolation);
        let total = Settings { total_ns: Some(1_000_000_000), ..settings() };
        assert!(plan(&catalogue, 2, &total, &[seen("9000000000")], 1).expected_ns <= 1_000_000_000);
    }

    #[test]
    fn where_each_call_begins_anew_one_is_a_visit() {
        let usual = Case { about_ns: Some(1_000), ..case("a", Timing::Loop, false) };
        let fresh = Case { fresh: true, ..usual.clone() };
        assert_eq!((of_calls(&usual, 50, 2), of_calls(&fresh, 50, 2)), (4_000, 2_000));
        assert_eq!((of_calls(&usual, 9_000, 2), of_calls(&fresh, 9_000, 2)), (9_000, 2_000));
    }

    #[test]
    fn suite_isolation_is_chosen_where_starts_would_eat_the_time() {
        let (catalogue, mut settings) = (loops(100), settings());
        settings.total_ns = Some(12_000_000_000);
        let plan = plan(&catalogue, 1, &settings, &[], 1);
        assert_eq!(plan.isolation, Isolation::Suite);
        assert!(plan.reason.contains("launches"), "{}", plan.reason);
        assert!(plan.launches.iter().all(|launch| launch.cases.len() == 100));
        assert_ne!(plan.launches[0].cases, plan.launches[1].cases, "a fresh order in every process");
        assert!(plan.expected_ns <= plan.bound_ns);
    }

    #[test]
    fn what_cannot_share_a_process_does_not() {
        let mut cases = vec![
            case("free", Timing::Loop, false),
            case("alone", Timing::Loop, false),
            case("flags", Timing::Loop, false),
            case("other", Timing::Loop, false),
            case("once", Timing::SelfTimed, false),
            case("learnt", Timing::SelfTimed, true),
        ];
        cases[1].isolate = true;
        cases[2].args = vec!["--expose-gc".into()];
        let catalogue = catalogue(cases);
        let learnt = LearnedFact {
            file_hash: catalogue.sources[0].hash.clone(),
            case: "learnt".into(),
            key: ONCE_PER_PROCESS.into(),
            value: String::new(),
        };
        let groups = groups(&catalogue, Isolation::Suite, &[learnt]);
        assert_eq!(groups, [vec![0, 3], vec![1], vec![2], vec![4], vec![5]]);
    }

    #[test]
    fn few_processes_have_one_look() {
        let mut settings = settings();
        settings.processes = 4;
        assert_eq!(looks(&settings, 2), [4]);
        settings.processes = 8;
        assert_eq!((looks(&settings, 1), looks(&settings, 2)), (vec![6, 8], vec![5, 6, 8]));
        settings.waves = false;
        assert_eq!(looks(&settings, 2), [6, 8]);
        settings.processes = 40;
        assert_eq!(looks(&settings, 2), looks(&settings, 1));
    }

    #[test]
    fn the_quick_plan_has_one_look_at_eight_pairs_or_at_four() {
        let of = |budget_ns, variants| {
            let processes = quick_processes(budget_ns, variants);
            let settings = Settings { quick: true, budget_ns, processes, ..settings() };
            let plan = plan(&loops(1), variants, &settings, &[], 1);
            (plan.looks, plan.processes, plan.rounds)
        };
        const S: u64 = 1_000_000_000;
        // Eight launches of 80 ms are a quarter of 2.56 s.
        assert_eq!(of(2 * S, 1), (vec![4], 4, 8));
        assert_eq!(of(3 * S, 1), (vec![8], 8, 6));
        assert_eq!(of(3 * S, 2), (vec![4], 4, 8));
        assert_eq!(of(6 * S, 2), (vec![8], 8, 6));
        let asked = Settings { quick: true, processes: 20, ..settings() };
        assert_eq!(looks(&asked, 1), [20]);
    }
}
