//! Handmade comparisons.

use super::{case, estimate, failure, time};
use derny_model::*;

pub fn side(name: &str, run: &str, hash: &str, dirty: bool) -> Side {
    Side {
        name: name.to_owned(),
        run: run.to_owned(),
        variant: "base".to_owned(),
        started_ms: 1_763_000_000_000,
        commit: Some(Commit { hash: hash.to_owned(), branch: None, dirty }),
        runtimes: vec!["javascript node/22.11".to_owned()],
        control: false,
        unnamed_machine: false,
        benchmark: None,
    }
}

pub fn change(base: f64, new: f64, [value, lo, hi]: [f64; 3], margin: f64) -> Change {
    let interval = Interval { lo: lo / 100.0, hi: hi / 100.0 };
    Change {
        quantity: Quantity::Typical,
        unit: "ns".into(),
        per_operation: true,
        direction: Direction::Less,
        base,
        new,
        new_alone: None,
        change: Some(Estimate { value: value / 100.0, interval: Some(interval) }),
        difference: None,
        exact: false,
        replicates: 10,
        level: 0.95,
        p: Some(0.002),
        q: Some(0.004),
        holm: Some(0.008),
        verdict: Verdict::of(interval, margin),
        reason: (Verdict::of(interval, margin) == Verdict::Unclear).then_some(Reason::Noise),
        because: String::new(),
        needed: None,
        machine: None,
        machines: 0,
        unjudged: false,
        only_shown: false,
        pairs: vec![value / 100.0; 10].into(),
    }
}

pub fn exact(name: &str, base: f64, new: f64) -> Change {
    Change {
        quantity: Quantity::Metric(name.into()),
        unit: "bytes".into(),
        change: (base != 0.0).then(|| Estimate { value: new / base - 1.0, interval: None }),
        difference: (base == 0.0).then_some(Estimate { value: new, interval: None }),
        exact: true,
        p: None,
        q: None,
        holm: None,
        verdict: match new.total_cmp(&base) {
            std::cmp::Ordering::Less => Verdict::Better,
            std::cmp::Ordering::Equal => Verdict::Same,
            std::cmp::Ordering::Greater => Verdict::Worse,
        },
        pairs: Vec::new().into(),
        ..change(base, new, [0.0; 3], 0.01)
    }
}

pub fn compared(declared: Case, sides: Vec<(u32, Vec<Change>)>) -> ComparedCase {
    let around = |value: f64| time(estimate(value, value * 0.995, value * 1.007));
    let typical = |changes: &[Change], of: fn(&Change) -> f64| {
        changes.iter().find(|change| change.quantity == Quantity::Typical).map(|change| around(of(change)))
    };
    let mut times = vec![sides.first().and_then(|(_, changes)| typical(changes, |change| change.base))];
    times.extend(sides.iter().map(|(_, changes)| typical(changes, |change| change.new)));
    let sides = sides.into_iter().map(|(side, changes)| {
        let typical = changes.first().map_or(Verdict::Unclear, |change| change.verdict);
        let mean = changes.iter().find(|change| change.quantity == Quantity::Mean);
        let split = mean.is_some_and(|other| other.verdict != typical);
        let verdict = mean.filter(|_| split).map_or(typical, |change| change.verdict);
        let reason = (verdict == Verdict::Unclear).then_some(Reason::Noise);
        let is_time = |change: &Change| !matches!(change.quantity, Quantity::Metric(_));
        let first = |verdict| changes.iter().position(|change| is_time(change) && change.verdict == verdict);
        let (outcome, decisive) = match (first(Verdict::Worse), first(Verdict::Unclear)) {
            (Some(which), _) => (CaseOutcome::Worse, Some(which)),
            (None, Some(which)) => (CaseOutcome::Undecided, Some(which)),
            (None, None) => (CaseOutcome::Passed, None),
        };
        ComparedSide {
            side,
            verdict,
            reason,
            split,
            changes,
            observed: None,
            at_floor: [false; 2],
            lacks: Vec::new(),
            outcome,
            decided_by: decisive.map(|which| which as u32),
        }
    });
    ComparedCase { case: declared, times, sides: sides.collect() }
}

fn against(base: &Side) -> Option<Against> {
    Some(Against {
        run: base.run.clone(),
        started_ms: base.started_ms,
        commit: base.commit.clone(),
        again: None,
        why_stored: None,
    })
}

pub fn comparison(sides: Vec<Side>, cases: Vec<ComparedCase>) -> Comparison {
    let family = cases.iter().map(|case| case.sides.len() as u32).sum();
    Comparison {
        format: Comparison::FORMAT,
        against: against(&sides[0]),
        sides,
        pairing: Pairing::Unpaired,
        margin: 0.01,
        mean_margin: 0.02,
        confidence: 0.95,
        metrics: Vec::new(),
        apart_ms: 3 * 86_400_000,
        same: Vec::new(),
        context: Vec::new(),
        machine: Vec::new(),
        cases,
        unmeasured: Vec::new(),
        alone: Vec::new(),
        geometric_means: Vec::new(),
        family,
        control: None,
        failures: Vec::new(),
        warnings: Vec::new(),
        unknown: Vec::new(),
        machines: Vec::new(),
        settle: None,
    }
}

/// Returns the comparison of the design document.
pub fn designed() -> Comparison {
    let rows = [
        ("ascii 32", 41.3, 35.0, [-15.3, -16.0, -14.5]),
        ("utf8 32", 58.9, 58.7, [-0.3, -0.9, 0.4]),
        ("utf8 4096", 3212.0, 3369.0, [4.9, 4.1, 5.6]),
        ("base64 128", 204.2, 207.4, [1.6, -2.7, 6.2]),
    ];
    let cases = rows.map(|(name, base, new, figures)| {
        compared(case("string_decoder", name, &[]), vec![(1, vec![change(base, new, figures, 0.01)])])
    });
    let sides =
        vec![side("main", "h81q", "41bc9f2aaaa", false), side("HEAD", "k3fz", "9d31e0a5c0ffee", true)];
    let mut comparison = comparison(sides, cases.to_vec());
    comparison.cases[3].sides[0].changes[0].needed = Some(70);
    let mean = estimate(-0.026, -0.037, -0.014);
    comparison.geometric_means.push(GeometricMean { side: 1, cases: 4, change: mean });
    comparison
}

fn mean(base: f64, new: f64, figures: [f64; 3]) -> Change {
    Change { quantity: Quantity::Mean, ..change(base, new, figures, 0.01) }
}

fn rate(base: f64, new: f64, figures: [f64; 3]) -> Change {
    let change = change(base, new, figures, 0.01);
    Change {
        quantity: Quantity::Metric("rate".into()),
        unit: "requests/s".into(),
        per_operation: false,
        direction: Direction::More,
        verdict: change.verdict.turned(),
        ..change
    }
}

/// Returns two cases with the same name. The smaller has a split verdict and several sides, and the larger is
/// undecided.
fn radix() -> [ComparedCase; 2] {
    let radix = |n: &str, sides| compared(case("sort", "radix", &[("n", n), ("kind", "random")]), sides);
    let both = vec![
        change(12_100.0, 12_090.0, [-0.1, -0.6, 0.4], 0.01),
        mean(12_300.0, 13_900.0, [13.0, 11.2, 15.1]),
    ];
    let allocating =
        vec![change(12_100.0, 11_700.0, [-3.3, -3.9, -2.6], 0.01), exact("allocated", 48.0, 96.0)];
    let control = vec![change(12_100.0, 12_110.0, [0.1, -0.5, 0.6], 0.01)];
    let small = radix("1000", vec![(1, both), (2, allocating), (3, control)]);
    let mut undecided = change(812_000.0, 818_000.0, [0.8, -1.4, 3.3], 0.01);
    undecided.because = "half of the blocks were disturbed".to_owned();
    undecided.needed = Some(1240);
    let allocating =
        vec![change(812_000.0, 814_900.0, [0.36, 0.31, 0.41], 0.01), exact("allocated", 0.0, 32.0)];
    [small, radix("64000", vec![(1, vec![undecided]), (2, allocating)])]
}

/// Returns a case whose names contain markup and control characters.
fn hostile() -> ComparedCase {
    let mut hostile = case("a<b>&\"c\"", "|x| `y` ::error::z\x1b[31m\n,%", &[("k", "]]>")]);
    hostile.group = Some("<script>".to_owned());
    compared(hostile, vec![(1, vec![change(3e9, 3.6e9, [20.0, 14.0, 26.0], 0.01)])])
}

/// Returns a case with a rate, which the last side lacks.
fn http() -> ComparedCase {
    let mut http = case("http", "simple", &[]);
    http.unit = Some("request".to_owned());
    compared(http, vec![(1, vec![rate(12_345.0, 14_010.0, [13.5, 12.0, 15.1])]), (2, Vec::new())])
}

/// Returns a comparison of several sides in one run, with a split verdict, metrics, a control, warnings,
/// failures and hostile names.
pub fn mixed() -> Comparison {
    let mut sides: Vec<Side> = ["old", "new", "newer@<b>", "old (control)"]
        .iter()
        .map(|name| side(name, "k3fz", "9d31e0a5c", false))
        .collect();
    sides[3].control = true;
    let mut all = comparison(sides, radix().into_iter().chain([hostile(), http()]).collect());
    (all.pairing, all.against) = (Pairing::Paired, None);
    all.apart_ms = 0;
    all.control = Some(Control { comparisons: 4, alarms: 1, material: 0, floor: 0.0031, half_width: 0.0084 });
    all.failures.push(failure());
    all.geometric_means =
        [1, 2].map(|side| GeometricMean { side, cases: 2, change: estimate(0.004, -0.01, 0.018) }).to_vec();
    let differs = |side, what: &str, base: &str, new: &str| ContextDifference {
        side,
        what: what.to_owned(),
        base: base.to_owned(),
        new: new.to_owned(),
    };
    all.context = vec![
        differs(1, "runtime", "node 20.20.2", "node 22.11"),
        differs(2, "environment NODE_OPTIONS", "", "--no-opt |\n"),
    ];
    all.alone =
        (0..8).map(|i| (0, format!("sort/quick n={i}"))).chain([(2, "sort/<i>".to_owned())]).collect();
    all.unknown = vec!["how far two runs on different days lie apart on this machine".to_owned()];
    all.warnings.push(Warning {
        code: "DY204".to_owned(),
        case: Some(1),
        message: "radix rises 6 % from first to last batch".to_owned(),
        remedy: "try --set processes=30".to_owned(),
        class: WarningClass::Design,
        effect: String::new(),
        decides: true,
        marks: true,
        severity: 0.06,
    });
    all
}
