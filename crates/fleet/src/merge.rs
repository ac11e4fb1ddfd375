//! `derny fleet merge`: combines the parts of shards into one run. Parts that are missing, incomplete,
//! duplicate or from another plan are always reported.

use crate::check;
use crate::digest::{Digests, Places};
use derny_analysis::append;
use derny_engine::hash::Fnv;
use derny_engine::observe::machine;
use derny_model::{
    FleetPlan, Look, LookReason, Machine, Part, Parts, Records, RunHeader, RunStatus, StopReason, problem,
};
use derny_store::Store;
use derny_workbench::error::{Error, Result};
use derny_workbench::pipeline::identity;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A problem with the parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// There is no part for a shard.
    Missing {
        /// Number of the shard, from 1.
        shard: u32,
        /// Number of shards.
        of: u32,
        /// Number of the wave, from 1.
        wave: u32,
    },
    /// A file cannot be used: it cannot be read, or it is not a valid part.
    Unusable {
        /// Path of the file.
        file: String,
        /// The reason, on one line.
        why: String,
    },
    /// A file belongs to another plan.
    Foreign {
        /// Path of the file.
        file: String,
        /// The differences, in words.
        differs: String,
    },
    /// A shard was interrupted, or its time ran out before it had measured everything.
    Unfinished {
        /// Path of the file.
        file: String,
        /// The shard, as `4/4`.
        shard: String,
    },
    /// A shard was measured twice. The part in `other` counts.
    Double {
        /// Path of the part that is skipped.
        file: String,
        /// Path of the part that counts.
        other: String,
        /// The shard, as `4/4`.
        shard: String,
    },
    /// A part was given twice. It counts once.
    Again {
        /// Path of the part that is skipped.
        file: String,
        /// Path of the part that counts.
        other: String,
    },
}

impl Fault {
    /// Returns true if a merge with this fault counts as incomplete, so that it passes no gate. Only a part
    /// that was given twice does no harm.
    pub fn counts(&self) -> bool {
        !matches!(self, Fault::Again { .. })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Missing { shard, of, wave: 1 } => {
                write!(f, "missing: {shard}/{of}; `derny fleet shard PLAN {shard}/{of} -o FILE` measures it")
            }
            Fault::Missing { shard, of, wave } => write!(f, "missing: {shard}/{of} of wave {wave}"),
            Fault::Unusable { file, why } => write!(f, "{file} is skipped: {why}"),
            Fault::Foreign { file, differs } => {
                write!(f, "{file} is skipped: it belongs to another plan: {differs}")
            }
            Fault::Unfinished { file, shard } => write!(
                f,
                "{file} is incomplete: shard {shard} was interrupted, or its time ran out; measure it again"
            ),
            Fault::Double { file, other, shard } => write!(
                f,
                "{file} is skipped: shard {shard} was measured twice, and {other} is used; remove one of them"
            ),
            Fault::Again { file, other } => write!(
                f,
                "{file} is the same part as {other}, so it is used \
                once"
            ),
        }
    }
}

/// The result of merging parts.
#[derive(Debug)]
pub struct Merged {
    /// The records of all parts, as one run.
    pub records: Records,
    /// Digests of the cases, from the shards.
    pub digests: Digests,
    /// Plan of the first wave that has a part.
    pub plan: FleetPlan,
    /// Number of waves.
    pub waves: u32,
    /// Planned and actual machine time of the parts in ns, without set-up.
    pub spent_ns: (u64, u64),
    /// The problems with the parts.
    pub faults: Vec<Fault>,
}

struct Candidate {
    file: PathBuf,
    store: Mutex<Store>,
    header: RunHeader,
    part: Part,
}

/// Merges parts, wave by wave. After each wave, adds a look at all cases that the wave measured.
///
/// # Errors
/// Fails if no part can be used. Anything else that is wrong is a [`Fault`].
pub fn merge(files: &[PathBuf]) -> Result<Merged> {
    let mut faults = Vec::new();
    let parts = candidates(files, &mut faults);
    let parts = of_one_plan(parts, &mut faults)?;
    let parts = once(parts, &mut faults);
    let Some(first) = parts.first() else {
        let why: Vec<String> = faults.iter().map(ToString::to_string).collect();
        return Err(problem!("there is no part to merge")
            .why(why.join("\n         "))
            .remedy("`derny fleet shard PLAN I/N -o FILE` writes one")
            .into());
    };
    let plan = plan_of(first)?;
    let machines = machines(&parts);
    let mut joined = Joined::new(&plan, &parts, &machines);
    let waves = parts.last().map_or(1, |last| last.part.wave);
    for wave in 1..=waves {
        let own: Vec<&Candidate> = parts.iter().filter(|one| one.part.wave == wave).collect();
        match own.first() {
            Some(first) if first.part.plan != plan.id => {
                joined.add_wave(wave, &own, &plan_of(first)?, &mut faults);
            }
            Some(_) => joined.add_wave(wave, &own, &plan, &mut faults),
            None => joined.lack(wave, 1..=plan.shards.len() as u32, plan.shards.len() as u32),
        }
    }
    let Joined { records: mut all, places, used, missing, spent_ns, .. } = joined;
    settle(&mut all);
    if !missing.is_empty() {
        all.header.status = RunStatus::Partial;
    }
    all.header.merged = Some(of_parts(&plan, &used));
    faults.extend(missing);
    let used: Vec<PathBuf> = used.into_iter().map(|one| one.file.clone()).collect();
    let mut stores: HashMap<PathBuf, Mutex<Store>> =
        parts.into_iter().map(|part| (part.file, part.store)).collect();
    let stores = used.iter().filter_map(|file| stores.remove(file)).collect();
    let digests = places.digests(stores, &all);
    Ok(Merged { records: all, digests, plan, waves, spent_ns, faults })
}

fn candidates(files: &[PathBuf], faults: &mut Vec<Fault>) -> Vec<Candidate> {
    let mut parts = Vec::new();
    for (file, opened) in
        files.chunks(machine::at_once()).flat_map(|some| at_the_same_time(some, |file| candidate(file)))
    {
        match opened {
            Ok(part) => parts.push(part),
            Err(error) => faults.push(unusable(file, error)),
        }
    }
    parts
}

struct Joined<'a> {
    machines: &'a [Machine],
    records: Records,
    places: Places,
    used: Vec<&'a Candidate>,
    missing: Vec<Fault>,
    spent_ns: (u64, u64),
}

impl<'a> Joined<'a> {
    fn new(plan: &FleetPlan, parts: &[Candidate], machines: &'a [Machine]) -> Joined<'a> {
        Joined {
            machines,
            records: Records::new(header(plan, parts, machines), plan.cases.clone()),
            places: Places::default(),
            used: Vec::new(),
            missing: Vec::new(),
            spent_ns: (0, 0),
        }
    }

    /// Reads the parts of a wave, and adds a look at all cases that it measured.
    fn add_wave(&mut self, wave: u32, own: &[&'a Candidate], planned: &FleetPlan, faults: &mut Vec<Fault>) {
        let mut seen = BTreeSet::new();
        let loaded = own.chunks(machine::at_once()).flat_map(|some| at_the_same_time(some, |one| load(one)));
        for (candidate, loaded) in loaded {
            match loaded {
                Ok(records) => {
                    self.add(candidate, records, planned);
                    seen.insert(candidate.part.shard);
                    faults.extend(unfinished(candidate));
                }
                Err(error) => faults.push(unusable(&candidate.file, error)),
            }
        }
        let wanted = (1..).zip(&planned.shards).filter(|(_, shard)| !shard.blocks.is_empty());
        let lacking = wanted.map(|(shard, _)| shard).filter(|shard| !seen.contains(shard));
        self.lack(wave, lacking, planned.shards.len() as u32);
        look(&mut self.records);
    }

    fn add(&mut self, candidate: &'a Candidate, records: Records, planned: &FleetPlan) {
        self.spent_ns = add(self.spent_ns, spent(planned, candidate));
        let own = &candidate.header.machine;
        let machine = (self.machines.len() > 1).then(|| position(self.machines, own)).flatten();
        let cases = Places::of(&records);
        let first = append(&mut self.records, records, machine);
        self.places.add(self.used.len(), cases, first);
        self.used.push(candidate);
    }

    /// Adds a fault for shards of a wave without a part. `of` is the number of shards in the wave.
    fn lack(&mut self, wave: u32, shards: impl Iterator<Item = u32>, of: u32) {
        self.missing.extend(shards.map(|shard| Fault::Missing { shard, of, wave }));
    }
}

/// Gives a merged run its id in the store. Returns true if it is already stored: the same parts are the same
/// run, however often they are merged.
///
/// # Errors
/// Fails if the store fails.
pub fn name(store: &Store, merged: &mut Merged) -> Result<bool> {
    let header = &mut merged.records.header;
    let hash = header.merged.as_ref().map_or(String::new(), |parts| parts.hash.clone());
    let known = store.made_of(&hash)?;
    let is_known = known.is_some();
    header.id = match known {
        Some(id) => id,
        None => store.new_run_id(u64::from_str_radix(&hash, 16).unwrap_or_default())?,
    };
    Ok(is_known)
}

fn of_parts(plan: &FleetPlan, parts: &[&Candidate]) -> Parts {
    let mut hash = Fnv::new();
    hash.write(plan.measures.as_bytes());
    for Candidate { header, part, .. } in parts {
        let own = (&part.plan, part.wave, part.shard, &header.id, header.started_ms);
        hash.write(format!("{own:?}").as_bytes());
    }
    let waves = parts.iter().map(|one| one.part.wave).max().unwrap_or(1);
    Parts { measures: plan.measures.clone(), waves, count: parts.len() as u32, hash: hash.hex() }
}

fn candidate(file: &Path) -> Result<Candidate> {
    let store = Store::open_part(file)?;
    let header = store.part_header()?;
    let Some((header, part)) = header.and_then(|header| Some((header.clone(), header.part?))) else {
        return Err(problem!("it is not a part: `derny fleet shard` writes parts").into());
    };
    let Part { shard, of, wave, .. } = part;
    if !(1..=of).contains(&shard) || !(1..=MOST_WAVES).contains(&wave) {
        return Err(
            problem!("it is not a part: it claims to be shard {shard} of {of}, of wave {wave}").into()
        );
    }
    Ok(Candidate { file: file.to_owned(), store: Mutex::new(store), header, part })
}

/// Maximum number of waves. Each wave needs a command that a user types, so real measurements have fewer.
const MOST_WAVES: u32 = 10_000;

impl Candidate {
    /// Calls `act` with the part. The checksum is verified once, when the part is opened.
    fn with<T>(&self, act: impl FnOnce(&Store) -> T) -> T {
        act(&self.store.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn at_the_same_time<'a, T: Sync, R: Send>(some: &'a [T], act: impl Fn(&'a T) -> R + Sync) -> Vec<(&'a T, R)> {
    std::thread::scope(|scope| {
        let act = &act;
        let all: Vec<_> = some.iter().map(|one| (one, scope.spawn(move || act(one)))).collect();
        let joined = |thread: std::thread::ScopedJoinHandle<'_, R>| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        all.into_iter().map(|(one, thread)| (one, joined(thread))).collect()
    })
}

fn load(one: &Candidate) -> Result<Records> {
    let records = one.with(|part| part.load(&one.header.id))?;
    records.check().map_err(|why| problem!("its rows are inconsistent: {why}"))?;
    Ok(records)
}

fn plan_of(one: &Candidate) -> Result<FleetPlan> {
    let text = one.with(Store::plan)?.unwrap_or_default();
    check::parse(&text)
        .map_err(|error| error.within(format!("cannot use the plan in {}", one.file.display())))
}

fn unusable(file: &Path, error: Error) -> Fault {
    Fault::Unusable { file: file.display().to_string(), why: error.in_a_line() }
}

fn unfinished(one: &Candidate) -> Option<Fault> {
    let Candidate { file, header, part, .. } = one;
    let is_whole = matches!(header.status, RunStatus::Complete | RunStatus::Failed);
    let (file, shard) = (file.display().to_string(), format!("{}/{}", part.shard, part.of));
    (!is_whole).then_some(Fault::Unfinished { file, shard })
}

/// Returns the parts of the most frequent measurement and, in each of its waves, of the most frequent plan.
/// In a tie, the first one wins. Sorts the parts by wave and shard.
fn of_one_plan(parts: Vec<Candidate>, faults: &mut Vec<Fault>) -> Result<Vec<Candidate>> {
    let most = |names: Vec<&String>| -> Option<String> {
        let count = |name: &String| names.iter().filter(|other| **other == name).count();
        let best = names.iter().map(|name| count(name)).max()?;
        names.iter().find(|name| count(name) == best).map(|name| (*name).clone())
    };
    let Some(measures) = most(parts.iter().map(|one| &one.part.measures).collect()) else { return Ok(parts) };
    let mut of_wave: BTreeMap<u32, String> = BTreeMap::new();
    for wave in parts.iter().map(|one| one.part.wave).collect::<BTreeSet<u32>>() {
        let own = parts.iter().filter(|one| one.part.wave == wave && one.part.measures == measures);
        of_wave.extend(most(own.map(|one| &one.part.plan).collect()).map(|plan| (wave, plan)));
    }
    let counts = |one: &Candidate| {
        one.part.measures == measures
            && of_wave.get(&one.part.wave).is_some_and(|plan| *plan == one.part.plan)
    };
    let (mut own, others): (Vec<Candidate>, Vec<Candidate>) = parts.into_iter().partition(counts);
    for other in others {
        let differs = match own.first().filter(|_| other.part.measures != measures) {
            Some(own) => {
                let (mine, theirs) = (plan_of(own)?, plan_of(&other)?);
                format!("{} differ", identity::differences(&mine.identity, &theirs.identity).join(", "))
            }
            None => format!("another wave {} of the same", other.part.wave),
        };
        faults.push(Fault::Foreign { file: other.file.display().to_string(), differs });
    }
    own.sort_by_key(|one| (one.part.wave, one.part.shard));
    Ok(own)
}

/// Keeps one part of each shard: the first complete one, or else the first.
fn once(parts: Vec<Candidate>, faults: &mut Vec<Fault>) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = Vec::new();
    for part in parts {
        let same = |one: &Candidate| (one.part.wave, one.part.shard) == (part.part.wave, part.part.shard);
        let Some(at) = all.iter().position(same) else {
            all.push(part);
            continue;
        };
        let name = |one: &Candidate| one.file.display().to_string();
        let one = |one: &Candidate| (one.header.id.clone(), one.header.started_ms);
        if one(&all[at]) == one(&part) {
            faults.push(Fault::Again { file: name(&part), other: name(&all[at]) });
            continue;
        }
        let is_whole = |one: &Candidate| one.header.status != RunStatus::Partial;
        let (kept, left) = if is_whole(&part) && !is_whole(&all[at]) {
            (part, all.remove(at))
        } else {
            (all.remove(at), part)
        };
        let shard = format!("{}/{}", left.part.shard, left.part.of);
        faults.push(Fault::Double { file: name(&left), other: name(&kept), shard });
        all.insert(at, kept);
    }
    all
}

fn machines(parts: &[Candidate]) -> Vec<Machine> {
    let mut all: Vec<Machine> = Vec::new();
    for part in parts {
        if position(&all, &part.header.machine).is_none() {
            all.push(part.header.machine.clone());
        }
    }
    all
}

/// Returns the index in `all` of the machine with the same name and processor.
fn position(all: &[Machine], wanted: &Machine) -> Option<u32> {
    let same = |one: &Machine| (&one.host, &one.cpu) == (&wanted.host, &wanted.cpu);
    all.iter().position(same).map(|at| at as u32)
}

fn header(plan: &FleetPlan, parts: &[Candidate], machines: &[Machine]) -> RunHeader {
    let headers = || parts.iter().map(|one| &one.header);
    let first = &parts[0].header;
    let is = |status| headers().any(|header| header.status == status);
    RunHeader {
        started_ms: headers().map(|header| header.started_ms).min().unwrap_or(first.started_ms),
        ended_ms: headers().filter_map(|header| header.ended_ms).max(),
        status: match () {
            () if is(RunStatus::Partial) || is(RunStatus::Running) => RunStatus::Partial,
            () if is(RunStatus::Failed) => RunStatus::Failed,
            () => RunStatus::Complete,
        },
        args: plan.args.clone(),
        seed: plan.identity.seed,
        settings: plan.settings.clone(),
        part: None,
        machines: machines.to_vec(),
        ..first.clone()
    }
}

fn spent(plan: &FleetPlan, one: &Candidate) -> (u64, u64) {
    let planned = plan.shards.get(one.part.shard as usize - 1).map_or(0, |shard| shard.cost_ns);
    let ended_ms = one.header.ended_ms.unwrap_or(one.header.started_ms);
    (
        planned.saturating_sub(plan.setup_ns),
        (ended_ms.saturating_sub(one.header.started_ms).max(0) as u64).saturating_mul(1_000_000),
    )
}

fn add(a: (u64, u64), b: (u64, u64)) -> (u64, u64) {
    (a.0.saturating_add(b.0), a.1.saturating_add(b.1))
}

/// Adds a look at all complete blocks, for each case that has more of them than at its previous look. Looks
/// that single shards took do not count.
fn look(all: &mut Records) {
    let sides = all.header.variants.len();
    if sides < 2 {
        return;
    }
    let starts: HashMap<u32, (u32, u32)> =
        all.processes.iter().map(|start| (start.process, (start.block, start.variant))).collect();
    let mut complete: BTreeMap<(u32, u32), BTreeSet<u32>> = BTreeMap::new();
    for record in all.visits.iter().filter(|record| record.complete && record.visit.mode.is_none()) {
        if let Some((block, variant)) = starts.get(&record.visit.process) {
            complete.entry((record.visit.case, *block)).or_default().insert(*variant);
        }
    }
    let mut blocks: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for ((case, block), _) in complete.into_iter().filter(|(_, own)| own.len() == sides) {
        blocks.entry(case).or_default().push(block);
    }
    let mut before: HashMap<u32, usize> = HashMap::new();
    all.looks.iter().for_each(|look| _ = before.insert(look.case, look.blocks.len()));
    let is_new = |case: u32, blocks: &Vec<u32>| blocks.len() > before.get(&case).copied().unwrap_or(0);
    let new = blocks.into_iter().filter(|(case, blocks)| is_new(*case, blocks));
    all.looks.extend(
        new.map(|(case, blocks)| Look { case, blocks, reason: LookReason::Planned }).collect::<Vec<_>>(),
    );
}

/// Records why each case ended: a failure on any machine, or else the last reason.
fn settle(all: &mut Records) {
    let mut ended: BTreeMap<u32, StopReason> = BTreeMap::new();
    for (case, reason) in std::mem::take(&mut all.ended) {
        let known = ended.entry(case).or_insert(reason);
        if *known != StopReason::Failed {
            *known = reason;
        }
    }
    all.ended = ended.into_iter().collect();
    // Observations of one machine over time do not apply to several machines.
    if all.header.machines.len() > 1 {
        all.observations.clear();
    }
}
