//! Writes sites of generated histories, for the browser tests of `web/` and to measure large sites:
//! `history_site FOLDER` writes some small ones, and `history_site FOLDER CASES COMMITS` a large one.

use derny_model::{
    CaseId, ChangeState, Direction, History, HistoryChange, HistoryConditions, HistoryPlace, Interval,
};
use derny_report::site::{About, Commit, Site, Written};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs};

/// 2024-02-01, in milliseconds since the Unix epoch.
const START: i64 = 1_706_745_600_000;
const DAY: i64 = 86_400_000;
/// Without escaping, this name would be markup, end a script, reorder text and break lines.
const HOSTILE: &str = "</script><img src=x onerror=\"window.hit=1\">\u{2028}\u{202e}${a}`\\\"'&<!-- {b}";

/// A generator of pseudo-random numbers (SplitMix64).
struct Random(u64);

impl Random {
    /// Returns a number between 0 and 1.
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number that is roughly normal, with mean 0 and deviation 1.
    fn normal(&mut self) -> f64 {
        (0..4).map(|_| self.share()).sum::<f64>() * 1.732 - 3.464
    }
}

fn main() -> io::Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let number = |at: usize| args.get(at).and_then(|text| text.parse::<usize>().ok());
    let folder = PathBuf::from(args.first().map_or("target/site", String::as_str));
    if let (Some(cases), Some(commits)) = (number(1), number(2)) {
        let start = Instant::now();
        let written = large(&folder, cases, commits)?;
        return writeln!(io::stdout(), "{:.1} s, {written:?}", start.elapsed().as_secs_f64());
    }
    sample(&folder.join("sample"))?;
    hostile(&folder.join("hostile"))?;
    odd(&folder.join("odd"))?;
    large(&folder.join("large"), 10_000, 40)?;
    write(
        &folder.join("empty"),
        About { title: "empty".to_owned(), ..About::default() },
        std::iter::empty(),
    )?;
    Ok(())
}

fn write(folder: &Path, about: About, histories: impl Iterator<Item = History>) -> io::Result<Written> {
    fs::create_dir_all(folder.join("data"))?;
    let mut to = |path: &str, content: &[u8]| fs::write(folder.join(path), content);
    let mut site = Site::new(about, &mut to);
    for history in histories {
        site.add(&history)?;
    }
    site.finish()
}

fn hash(at: usize) -> String {
    let mut random = Random(at as u64);
    (0..5).map(|_| format!("{:08x}", (random.share() * 4_294_967_295.0) as u32)).collect()
}

fn commits(count: usize, gap: i64) -> Vec<Commit> {
    const VERBS: [&str; 6] = ["Speed up", "Simplify", "Fix", "Document", "Test", "Move"];
    const NOUNS: [&str; 7] =
        ["the parser", "hashing", "the arena", "errors of queries", "joins", "the cache", "builds"];
    let commit = |at: usize| Commit {
        hash: hash(at),
        at_ms: START + at as i64 * gap + (at as i64 % 7) * 3_600_000,
        subject: format!("{} {}", VERBS[at * 5 % 6], NOUNS[at * 3 % 7]),
        tags: if at % 50 == 10 { vec![format!("v1.{}.0", at / 50)] } else { Vec::new() },
    };
    (0..count).map(commit).collect()
}

fn case(suite: &str, benchmark: &str, params: &[(&str, &str)]) -> CaseId {
    let params = params.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    CaseId { suite: suite.to_owned(), benchmark: benchmark.to_owned(), params: params.collect() }
}

/// Returns a history without points.
fn empty(case: CaseId, figure: &str, unit: &str, host: &str) -> History {
    let conditions = |runtime: &str| HistoryConditions {
        cpu: "AMD EPYC 7763 64-Core Processor".to_owned(),
        runtime: runtime.to_owned(),
        tool: "derny".to_owned(),
    };
    History {
        case,
        figure: figure.to_owned(),
        unit: unit.to_owned(),
        better: Direction::Less,
        host: host.to_owned(),
        apart: None,
        against: None,
        conditions: vec![conditions("javascript node/20.20.2"), conditions("javascript node/22.12.0")],
        points: Vec::new(),
        changes: Vec::new(),
        remarks: Vec::new(),
    }
}

fn point(commit: &Commit, value: f64, noise: f64, run: &str) -> HistoryPlace {
    HistoryPlace {
        conditions: 0,
        at_ms: commit.at_ms,
        measured_ms: commit.at_ms + 2 * 3_600_000,
        commit: commit.hash.clone(),
        releases: commit.tags.clone(),
        run: Some(run.to_owned()),
        value,
        interval: Some(Interval { lo: value * (1.0 - noise), hi: value * (1.0 + noise) }),
        machine_ns: None,
    }
}

fn change(commits: &[Commit], at: usize, state: ChangeState, size: f64) -> HistoryChange {
    let measured =
        matches!(state, ChangeState::Confirmed | ChangeState::NotConfirmed | ChangeState::Accepted);
    HistoryChange {
        from: commits[at - 1].hash.clone(),
        to: commits[at].hash.clone(),
        at_ms: commits[at].at_ms,
        state,
        change: size,
        interval: measured.then_some(Interval { lo: size - 0.006, hi: size + 0.006 }),
        run: measured.then(|| format!("c{at}")),
        is_machine: false,
        note: matches!(state, ChangeState::Accepted).then(|| "The price of the new checks".to_owned()),
    }
}

/// Writes the site of a project that two machines measure, with changes of all states, a new runtime,
/// releases and several figures.
fn sample(folder: &Path) -> io::Result<()> {
    let commits = commits(360, 2 * DAY + DAY / 2);
    let about = About {
        title: "ledger".to_owned(),
        made_ms: START + 1035 * DAY,
        commits: commits.clone(),
        commit_url: Some("https://example.com/ledger/commit/{commit}".to_owned()),
        run_url: Some("runs/{run}.html".to_owned()),
    };
    let mut all = Vec::new();
    for (index, name) in
        ["parse", "hash", "insert", "lookup", "join", "scan", "sort", "encode"].into_iter().enumerate()
    {
        for n in ["10", "1000", "100000"] {
            for (host, pace) in [("epyc-1", 1.0), ("m2-mini", 0.72)] {
                let id = || case(if index < 4 { "core/table" } else { "query" }, name, &[("n", n)]);
                let level = 42.0 * 3_f64.powi(index as i32) * n.len() as f64 * pace;
                let seed = index as u64 * 100 + n.len() as u64 * 10 + host.len() as u64;
                all.push(timed(id(), host, level, &commits, seed));
                if index % 3 == 0 {
                    all.push(bytes(id(), host, 4096.0 * n.len() as f64, &commits, seed));
                }
            }
        }
    }
    let mut side = empty(case("core/table", "parse", &[("n", "10")]), "time", "ns", "epyc-1");
    side.apart = Some("side simd".to_owned());
    side.points = commits.iter().skip(200).step_by(9).map(|commit| point(commit, 70.0, 0.01, "r9")).collect();
    all.push(side);
    let mut creep = empty(case("core/table", "parse", &[("n", "10")]), "time", "share", "epyc-1");
    creep.against = Some("v1.5.0".to_owned());
    let mut random = Random(4);
    let drift = |at: usize, random: &mut Random| 0.0009 * at as f64 + 0.002 * random.normal();
    creep.points = (0..60).map(|at| point(&commits[262 + at], drift(at, &mut random), 0.2, "r8")).collect();
    all.push(creep);
    write(folder, about, all.into_iter()).map(|_| ())
}

fn timed(id: CaseId, host: &str, level: f64, commits: &[Commit], seed: u64) -> History {
    let mut random = Random(seed);
    let mut history = empty(id, "time", "ns", host);
    let steps: &[(usize, ChangeState, f64)] = match seed % 7 {
        0 => &[(120, ChangeState::Fixed, 0.12), (310, ChangeState::Confirmed, 0.083)],
        1 => &[(240, ChangeState::Confirmed, -0.31)],
        2 => &[(200, ChangeState::NotConfirmed, 0.02), (334, ChangeState::New, 0.047)],
        3 => &[(90, ChangeState::Accepted, 0.15)],
        _ => &[],
    };
    let mut now = level;
    for (at, commit) in commits.iter().enumerate() {
        if let Some((_, state, size)) = steps.iter().find(|(step, ..)| *step == at) {
            now *= if *state == ChangeState::NotConfirmed { 1.0 } else { 1.0 + size };
        }
        if seed.is_multiple_of(7) && at == 150 {
            now = level;
        }
        if at % 3 == 1 && host != "epyc-1" || at < 30 && seed.is_multiple_of(5) {
            continue;
        }
        let value = now * (1.0 + 0.008 * random.normal());
        let mut one = point(commit, value, 0.006 + 0.006 * random.share(), &format!("r{at}"));
        one.conditions = u32::from(at >= 260);
        one.value *= if at >= 260 { 0.94 } else { 1.0 };
        one.interval = one
            .interval
            .map(|own| Interval { lo: own.lo * one.value / value, hi: own.hi * one.value / value });
        history.points.push(one);
    }
    history.changes = steps.iter().map(|(at, state, size)| change(commits, *at, *state, *size)).collect();
    if seed % 7 == 4 {
        history
            .changes
            .push(HistoryChange { is_machine: true, ..change(commits, 280, ChangeState::New, 0.03) });
        history.remarks.push("2 points of rebased commits are left out".to_owned());
    }
    history
}

fn bytes(id: CaseId, host: &str, level: f64, commits: &[Commit], seed: u64) -> History {
    let mut history = empty(id, "alloc", "bytes", host);
    let value = |at: usize| if at > 180 && seed.is_multiple_of(2) { level * 1.25 } else { level };
    let exact = |(at, commit): (usize, &Commit)| HistoryPlace {
        interval: None,
        ..point(commit, value(at), 0.0, &format!("r{at}"))
    };
    history.points = commits.iter().enumerate().step_by(4).map(exact).collect();
    history
}

/// Writes a site in which every name would harm the page if it were not escaped.
fn hostile(folder: &Path) -> io::Result<()> {
    let mut commits = commits(40, DAY);
    for (at, commit) in commits.iter_mut().enumerate() {
        commit.subject = HOSTILE.to_owned();
        commit.tags = if at % 9 == 0 { vec![format!("{HOSTILE}{at}")] } else { Vec::new() };
    }
    let id = |n: &str| case(HOSTILE, HOSTILE, &[(HOSTILE, n)]);
    let history = |host: &str, n: &str| {
        let mut own = empty(id(n), HOSTILE, HOSTILE, host);
        own.conditions[1].runtime = HOSTILE.to_owned();
        own.conditions[1].cpu = HOSTILE.to_owned();
        own.points =
            commits.iter().enumerate().map(|(at, one)| point(one, 10.0 + at as f64, 0.1, HOSTILE)).collect();
        own.points.iter_mut().skip(20).for_each(|one| one.conditions = 1);
        own.changes = vec![HistoryChange {
            note: Some(HOSTILE.to_owned()),
            run: Some(HOSTILE.to_owned()),
            ..change(&commits, 20, ChangeState::Confirmed, 0.5)
        }];
        own.remarks = vec![HOSTILE.to_owned()];
        own
    };
    let long = History {
        case: case("long", &"name/of/three-hundred-letters-".repeat(10), &[]),
        ..history(HOSTILE, "1")
    };
    let all = [history(HOSTILE, HOSTILE), history("other", HOSTILE), history(HOSTILE, "2"), long];
    let about = About {
        title: HOSTILE.to_owned(),
        made_ms: START,
        commits: commits.clone(),
        commit_url: Some("javascript:window.hit=2//".to_owned()),
        run_url: Some("javascript:window.hit=3//{run}".to_owned()),
    };
    write(folder, about, all.into_iter()).map(|_| ())
}

/// Writes a site of histories with few, equal, extreme and missing values.
fn odd(folder: &Path) -> io::Result<()> {
    let commits = commits(12, DAY);
    let of = |name: &str, values: &[f64]| {
        let mut own = empty(case("odd", name, &[]), "time", "ns", "a");
        own.points = values
            .iter()
            .zip(commits.iter().cycle())
            .map(|(value, one)| point(one, *value, 0.1, "r"))
            .collect();
        own
    };
    let mut bare = of("no commits", &[5.0, 6.0, 7.0]);
    for (at, point) in bare.points.iter_mut().enumerate() {
        *point = HistoryPlace {
            commit: String::new(),
            run: None,
            interval: None,
            at_ms: START + at as i64,
            ..point.clone()
        };
    }
    let mut equal = of("equal times", &[5.0, 6.0, 7.0, 5.0]);
    equal.points.iter_mut().for_each(|point| point.at_ms = START);
    let mut dates = of("wild dates", &[1.0, 2.0, 1.5, 1.2]);
    for (point, at) in dates.points.iter_mut().zip([i64::MIN, i64::MAX, 0, START]) {
        (point.at_ms, point.commit) = (at, format!("{at}"));
    }
    let mut twin = of("two machines", &[9.0, 8.0, 9.5]);
    twin.conditions[0].cpu = "Apple M2".to_owned();
    let broken = broken(of("missing conditions", &[1.0, 2.0, 3.0]), &commits);
    let all = [
        of("none", &[]),
        of("one point", &[12.5]),
        bare,
        equal,
        dates,
        of("two machines", &[5.0, 6.0, 5.5]),
        twin,
        broken,
        of("zero", &[0.0, 0.0, 0.0]),
        of("negative", &[-3.0, 0.0, 4.0, -1.0]),
        of("huge and tiny", &[1e-300, 1e300, -1e300, 5.0]),
        of("not finite", &[f64::NAN, f64::INFINITY, 5.0, 6.0]),
        of("outlier", &[5.0, 5.1, 5.0, 900.0, 5.1, 5.0, 5.2, 5.1]),
        of("decades", &[1e3, 2e3, 1e5, 2e5, 3e7, 3e7]),
    ];
    write(
        folder,
        About { title: "odd".to_owned(), made_ms: START, commits: commits.clone(), ..About::default() },
        all.into_iter(),
    )
    .map(|_| ())
}

/// Removes the conditions that a history needs, and adds changes without a size, a commit or a valid date.
fn broken(mut history: History, commits: &[Commit]) -> History {
    history.conditions.clear();
    let nowhere = HistoryChange {
        from: String::new(),
        to: String::new(),
        at_ms: i64::MAX,
        ..change(commits, 2, ChangeState::New, f64::INFINITY)
    };
    history.changes = vec![change(commits, 1, ChangeState::Unknown, f64::NAN), nowhere];
    history
}

/// Writes a site of many cases, each with one point for every commit.
fn large(folder: &Path, cases: usize, count: usize) -> io::Result<Written> {
    let commits = commits(count, DAY / 2);
    let about =
        About { title: "large".to_owned(), made_ms: START, commits: commits.clone(), ..About::default() };
    let mut random = Random(7);
    let template: Vec<HistoryPlace> =
        commits.iter().enumerate().map(|(at, one)| point(one, 1.0, 0.01, &format!("r{at}"))).collect();
    let history = |index: usize| {
        let id = case(
            &format!("module{:02}/group{}", index % 40, index % 7),
            &format!("benchmark_{index}"),
            &[("n", "1000")],
        );
        let mut own = empty(id, "time", "ns", "epyc-1");
        let mut level = 50.0 * (1.0 + index as f64);
        own.points = template.clone();
        for (at, point) in own.points.iter_mut().enumerate() {
            if at > 0 && random.share() < 1.0 / 700.0 {
                let size = 0.05 * random.normal();
                level *= 1.0 + size;
                own.changes.push(change(&commits, at, ChangeState::New, size));
            }
            let noise = 0.008 + 0.008 * random.share();
            point.value = level * (1.0 + 0.01 * random.normal());
            point.interval =
                Some(Interval { lo: point.value * (1.0 - noise), hi: point.value * (1.0 + noise * 1.1) });
        }
        own
    };
    write(folder, about, (0..cases).map(history))
}
