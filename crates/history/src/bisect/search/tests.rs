//! Simulates whole searches with a known truth.

use super::*;

/// A generator of random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
}

/// Quantile of the normal distribution for the confidence of a search over about 64 commits.
const Z: f64 = 2.6;
const MARGIN: f64 = 0.01;

/// A range of commits with known levels. The good end has level 1.
struct Truth {
    levels: Vec<f64>,
    broken: Vec<usize>,
    /// Smallest half-width of an interval at the first attempt.
    noise: f64,
}

impl Truth {
    /// Returns a range of commits. Each item of `changes` is a commit, and the share by which it changes the
    /// level.
    fn of(commits: usize, changes: &[(usize, f64)]) -> Truth {
        let level =
            |at: usize| changes.iter().filter(|(change, _)| *change <= at).map(|(_, by)| 1.0 + by).product();
        Truth { levels: (0..=commits).map(level).collect(), broken: Vec::new(), noise: 0.0 }
    }

    fn commits(&self) -> usize {
        self.levels.len() - 1
    }

    fn change(&self, from: usize, to: usize) -> f64 {
        self.levels[to] / self.levels[from] - 1.0
    }

    /// Measures a pair until its interval excludes the threshold, or shows a change.
    fn measure(&self, pair: &Pair, random: &mut Random) -> Fact {
        let Pair { from, to, confirms, attempt, threshold } = *pair;
        if self.broken.contains(&to) {
            return Fact::Skipped { at: to, why: String::new() };
        }
        let truth = self.change(from, to);
        let normal = random.normal();
        let mut enough = (truth.abs() / 2.0).max(MARGIN / 2.0);
        if let Some(threshold) = threshold {
            let excludes = |half: &f64| (truth + half / Z * normal - threshold).abs() > *half;
            let least = 0.002 / f64::from(attempt + 1);
            let looks = (0..).map(|look| 0.1 * 0.7_f64.powi(look)).take_while(|half| *half > least);
            enough = looks.into_iter().find(excludes).unwrap_or(least);
        }
        // Vary the half-widths of equally precise intervals by 5 % in both directions.
        let half = enough.max(self.noise / f64::from(attempt + 1)) * (1.0 + 0.1 * (random.unit() - 0.5));
        let value = truth + half / Z * normal;
        let interval = Some(Interval { lo: value - half, hi: value + half });
        Fact::Measured { from, to, confirms, change: Estimate { value, interval }, run: String::new() }
    }

    /// Returns the end of a search, and the number of measurements.
    fn search(&self, seed: u64) -> (Finding, usize) {
        let (mut random, mut facts) = (Random(seed), Vec::new());
        loop {
            match next(&facts, self.commits(), MARGIN) {
                Step::Done(finding) => return (finding, facts.len()),
                Step::Measure(pair) => facts.push(self.measure(&pair, &mut random)),
            }
            assert!(facts.len() < 200, "the search does not end: {facts:?}");
        }
    }
}

fn halvings(commits: usize) -> usize {
    (usize::BITS - (commits - 1).leading_zeros()) as usize
}

const SEEDS: u64 = 2000;

#[test]
fn one_change_is_found() {
    let (mut wrong, mut more) = (0, 0);
    for seed in 0..SEEDS {
        let random = &mut Random(seed);
        let commits = 2 + random.below(300);
        let at = 1 + random.below(commits);
        let size = 0.02 + 0.3 * random.unit();
        let truth = Truth::of(commits, &[(at, if random.unit() < 0.5 { size } else { -size })]);
        let (finding, probes) = truth.search(seed + SEEDS);
        wrong += u64::from(finding != Finding::Found { from: at - 1, to: at });
        // Allow for both ends, the confirmation, and repeated measurements in addition to the halvings.
        more += u64::from(probes > halvings(commits) + 7);
    }
    assert!(wrong <= SEEDS / 100, "{wrong} of {SEEDS} wrong");
    assert!(more <= SEEDS / 20, "{more} of {SEEDS} took more measurements");
}

/// With 10 % of noise, probes of a change of 15 to 30 % are often unclear at first.
#[test]
fn noise_costs_measurements_but_no_errors() {
    let (mut wrong, mut found, mut all) = (0, 0, 0);
    for seed in 0..SEEDS {
        let random = &mut Random(seed);
        let commits = 2 + random.below(100);
        let at = 1 + random.below(commits);
        let truth = Truth { noise: 0.1, ..Truth::of(commits, &[(at, 0.15 + 0.15 * random.unit())]) };
        let (finding, probes) = truth.search(seed + SEEDS);
        match finding {
            Finding::Found { from, to } => {
                found += 1;
                wrong += u64::from(!(from < at && at <= to));
            }
            Finding::NotConfirmed { .. } | Finding::Unclear => {}
            Finding::NoChange => wrong += 1,
        }
        all += probes;
    }
    assert!(wrong <= SEEDS / 20, "{wrong} of {SEEDS} wrong");
    assert!(found >= SEEDS * 9 / 10, "{found} of {SEEDS} found");
    assert!(all as u64 <= SEEDS * 16, "{all} measurements");
}

#[test]
fn of_several_changes_a_large_one_is_found() {
    let (mut largest, mut real) = (0, 0);
    for seed in 0..SEEDS {
        let random = &mut Random(seed);
        let commits = 60;
        let mut places = [1 + random.below(60), 1 + random.below(60), 1 + random.below(60)];
        places.sort_unstable();
        if places[0] == places[1] || places[1] == places[2] {
            (largest, real) = (largest + 1, real + 1);
            continue;
        }
        let mut sizes = [0.02, 0.05, 0.1];
        sizes.rotate_left(random.below(3));
        let truth = Truth::of(commits, &[0, 1, 2].map(|at| (places[at], sizes[at])));
        if let (Finding::Found { from, to }, _) = truth.search(seed + SEEDS) {
            assert_eq!(to - from, 1);
            real += u64::from(places.contains(&to));
            largest += u64::from(truth.change(from, to) > 0.09);
        }
    }
    assert!(real >= SEEDS * 99 / 100, "{real} of {SEEDS} are one of the changes");
    assert!(largest >= SEEDS * 95 / 100, "{largest} of {SEEDS} are the largest one");
}

#[test]
fn a_change_that_is_partly_reverted_is_found() {
    let mut found = [0, 0];
    for seed in 0..SEEDS {
        let random = &mut Random(seed);
        let at = 1 + random.below(20);
        let back = at + 1 + random.below(30);
        let truth = Truth::of(60, &[(at, 0.2), (back, -0.12)]);
        found[0] += u64::from(truth.search(seed + SEEDS).0 == Finding::Found { from: at - 1, to: at });
        // A change that is reverted completely makes no difference between the ends.
        let truth = Truth::of(60, &[(at, 0.2), (back, 1.0 / 1.2 - 1.0)]);
        found[1] += u64::from(truth.search(seed).0 == Finding::NoChange);
    }
    assert!(found[0] >= SEEDS * 99 / 100 && found[1] >= SEEDS * 95 / 100, "{found:?}");
}

#[test]
fn commits_that_do_not_build_are_skipped_and_may_leave_a_range() {
    let (mut wrong, mut ranges, mut all) = (0, 0, 0);
    for seed in 0..SEEDS {
        let random = &mut Random(seed);
        let at = 1 + random.below(64);
        let first = 1 + random.below(50);
        let broken: Vec<usize> = (first..first + 1 + random.below(12)).filter(|one| *one < 64).collect();
        let truth = Truth { broken: broken.clone(), ..Truth::of(64, &[(at, 0.1)]) };
        let (finding, probes) = truth.search(seed + SEEDS);
        all += probes;
        let Finding::Found { from, to } = finding else {
            wrong += 1;
            continue;
        };
        let is_hidden = broken.contains(&at) || broken.contains(&(at - 1));
        wrong += u64::from(!(from < at && at <= to));
        ranges += u64::from(to - from > 1);
        assert!(is_hidden || to - from == 1 || !(from < at && at <= to), "{from}..{to}, {at}, {broken:?}");
        assert!((from + 1..to).all(|one| broken.contains(&one)), "{from}..{to} {broken:?}");
    }
    assert!(wrong <= SEEDS / 100, "{wrong} wrong");
    assert!(ranges > 0 && ranges < SEEDS / 3, "{ranges} ranges");
    assert!(all as u64 <= SEEDS * 14, "{all} measurements");
}

#[test]
fn if_nothing_between_the_ends_builds_all_of_it_is_the_range() {
    let truth = Truth { broken: (1..9).collect(), ..Truth::of(9, &[(4, 0.1)]) };
    let (finding, probes) = truth.search(1);
    assert_eq!(finding, Finding::Found { from: 0, to: 9 });
    assert!((9..=11).contains(&probes), "{probes}");
    let next_to_each_other = Truth::of(1, &[(1, 0.1)]);
    assert_eq!(next_to_each_other.search(1), (Finding::Found { from: 0, to: 1 }, 1));
}

#[test]
fn ends_that_do_not_differ_end_the_search() {
    let mut other = 0;
    for seed in 0..SEEDS {
        other += u64::from(Truth::of(60, &[]).search(seed).0 != Finding::NoChange);
    }
    assert!(other <= SEEDS / 50, "{other} of {SEEDS}");
    let noisy = Truth { noise: 0.5, ..Truth::of(60, &[(30, 0.01)]) };
    assert!(matches!(noisy.search(1), (Finding::Unclear, 3)), "{:?}", noisy.search(1));
}

#[test]
fn exact_values_take_one_probe_per_halving() {
    let exact = |from, to, confirms, value: f64| {
        let change = Estimate { value, interval: Some(Interval { lo: value, hi: value }) };
        Fact::Measured { from, to, confirms, change, run: String::new() }
    };
    for at in 1..=64 {
        let truth = Truth::of(64, &[(at, 0.001)]);
        let mut facts = Vec::new();
        while let Step::Measure(Pair { from, to, confirms, .. }) = next(&facts, 64, 0.0001) {
            facts.push(exact(from, to, confirms, truth.change(from, to)));
        }
        assert_eq!(next(&facts, 64, 0.0001), Step::Done(Finding::Found { from: at - 1, to: at }));
        assert_eq!(facts.len(), 8, "both ends, six halvings and the confirmation");
    }
}

/// A confirmation that shows nothing removes the probes that led to it, and the search goes on.
#[test]
fn a_wrong_turn_is_taken_back() {
    let truth = Truth::of(8, &[(7, 0.1)]);
    let mut random = Random(3);
    let near = |to, value: f64| {
        let change = Estimate { value, interval: Some(Interval { lo: value - 0.01, hi: value + 0.01 }) };
        Fact::Measured { from: 0, to, confirms: false, change, run: String::new() }
    };
    // The second probe is wrong: nothing has changed at commit 4.
    let mut facts = vec![near(8, 0.1), near(4, 0.1)];
    let mut confirmations = 0;
    let finding = loop {
        match next(&facts, 8, MARGIN) {
            Step::Done(finding) => break finding,
            Step::Measure(pair) => {
                confirmations += u32::from(pair.confirms);
                facts.push(truth.measure(&pair, &mut random));
            }
        }
    };
    assert_eq!((finding, confirmations), (Finding::Found { from: 6, to: 7 }, 2));
}

#[test]
fn the_errors_of_all_measurements_together_are_five_percent() {
    for (commits, measurements) in [(1, 5), (2, 6), (60, 11), (64, 11), (65, 12), (1000, 15)] {
        let error = (1.0 - confidence(commits)) / 2.0;
        assert!((error * f64::from(measurements) - 0.05).abs() < 1e-12, "{commits}");
    }
}
