//! The decision: the result if the run ended now, and the comparisons that more pairs could still change. The
//! engine stops by this decision, and reports show it.

use crate::change::{Single, Subject, Terms};
use crate::family::{self, Adjusted, Member};
use crate::gate::{self, Decision, Limits};
use crate::verdict;
use derny_model::{ComparedSide, Quantity, Reason, StopReason, Verdict};

/// One variant of a case.
#[derive(Debug, Clone)]
pub struct Side {
    /// Index of the side in the comparison. Never 0, which is the base.
    pub side: u32,
    /// True for a control, which is the base measured against itself.
    pub control: bool,
    /// Results for typical time, mean time and metrics, in this order.
    pub singles: Vec<Single>,
    /// Reason why the measurement of the case ended. `None` while it continues.
    pub ended: Option<StopReason>,
}

/// A variant of a case, judged together with all other comparisons.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The result to report.
    pub side: ComparedSide,
    /// True if more pairs may decide a comparison that is still undecided.
    pub is_open: bool,
}

impl Side {
    /// Returns the side's comparisons as members of their families, in the order of `singles`.
    pub fn members(&self) -> impl Iterator<Item = Member> {
        self.singles.iter().map(|single| Member::of(single, self.control))
    }
}

/// All comparisons with their adjusted values.
pub struct Families {
    adjusted: Vec<Option<Adjusted>>,
    /// Size of the family of time, or of the largest family if there is none.
    pub size: u32,
}

impl Families {
    /// Creates the families from the members of all variants of all cases, in order.
    pub fn of(members: &[Member], terms: &Terms) -> Families {
        // With few pairs, a single comparison may have a verdict only on typical time.
        let few = terms.comparisons == 1 && members.iter().any(Member::speaks_alone);
        let times = if few { 1 } else { family::times(terms.comparisons, terms.mean) };
        let (adjusted, size) = family::families(members, times, terms.mean);
        Families { adjusted, size }
    }

    /// Returns the result of a variant whose members start at index `from`.
    pub fn judged(&self, from: usize, mut side: Side, terms: &Terms) -> Judged {
        let alpha = terms.levels.error();
        let one = |(single, found): (&mut Single, &Option<Adjusted>)| {
            let nothing = Subject::unknown(single.change.quantity).change();
            let own = std::mem::replace(&mut single.change, nothing);
            family::among(own, (single.p_at_margin.is_some(), single.least_p), *found, alpha, terms.quick)
        };
        let changes = side.singles.iter_mut().zip(&self.adjusted[from..]).map(one).collect();
        let compared = verdict::side(side.side, changes, &side.singles, terms.mean_margin);
        of_side(compared, &side, terms, alpha)
    }
}

/// Judges the variants of every case. Also returns the size of the family of time, or of the largest family
/// if there is none.
pub fn judge(cases: &[Vec<Side>], terms: &Terms) -> (Vec<Vec<Judged>>, u32) {
    let members: Vec<Member> = cases.iter().flatten().flat_map(Side::members).collect();
    let families = Families::of(&members, terms);
    let mut from = 0;
    let mut one = |side: &Side| {
        let judged = families.judged(from, side.clone(), terms);
        from += side.singles.len();
        judged
    };
    let judged = cases.iter().map(|sides| sides.iter().map(&mut one).collect()).collect();
    (judged, families.size)
}

fn of_side(compared: ComparedSide, side: &Side, terms: &Terms, alpha: f64) -> Judged {
    let final_of = |quantity: &Quantity| {
        side.singles.iter().any(|single| single.change.quantity == *quantity && single.is_final)
    };
    let waits =
        |change: &derny_model::Change| change.verdict == Verdict::Unclear && !final_of(&change.quantity);
    let is_time = |quantity: &Quantity| matches!(quantity, Quantity::Typical | Quantity::Mean);
    let timed = compared.changes.iter().any(|change| is_time(&change.quantity));
    let has_found = |change: &derny_model::Change| {
        change.quantity == Quantity::Typical && matches!(change.verdict, Verdict::Better | Verdict::Worse)
    };
    let is_found = !terms.mean && compared.changes.iter().any(has_found);
    let mut asked = compared.changes.iter().enumerate().filter(|(at, change)| match timed {
        true => {
            is_time(&change.quantity)
                && !change.only_shown
                && !(is_found && change.quantity == Quantity::Mean)
        }
        // A case without times is judged by its first metric.
        false => *at == 0,
    });
    let is_listed = !asked.any(|(_, change)| waits(change)) && !compared.changes.is_empty();
    if !terms.gate {
        return Judged { side: cut_short(compared, side, false), is_open: !is_listed };
    }
    let limits = Limits { margin: terms.margin, mean_margin: terms.mean_margin, alpha, metrics: &[] };
    let is_decided = match gate::decide(&compared, &limits, final_of) {
        Decision::Undecided(which) | Decision::Unjudged(which) => final_of(&compared.changes[which].quantity),
        Decision::Worse(_) => true,
        Decision::Passes => timed,
    };
    let by_gate = is_decided && side.ended == Some(StopReason::Verdict);
    Judged { side: cut_short(compared, side, by_gate), is_open: !(is_decided || (!timed && is_listed)) }
}

fn cut_short(mut compared: ComparedSide, side: &Side, by_gate: bool) -> ComparedSide {
    let final_of = |quantity: &Quantity| {
        side.singles.iter().any(|single| single.change.quantity == *quantity && single.is_final)
    };
    let reason_of = |quantity: &Quantity, reason: Option<Reason>| match (reason, side.ended) {
        (Some(Reason::Noise), _) if final_of(quantity) => reason,
        (Some(Reason::Noise | Reason::MultipleComparisons), _) if by_gate => Some(Reason::GateDecided),
        (Some(Reason::Noise), Some(StopReason::Budget)) => Some(Reason::Budget),
        (Some(Reason::Noise), Some(StopReason::Interrupted)) => Some(Reason::Interrupted),
        _ => reason,
    };
    let before = compared.reason;
    for change in &mut compared.changes {
        let reason = reason_of(&change.quantity, change.reason);
        if compared.verdict == Verdict::Unclear && change.reason == before && reason != before {
            compared.reason = reason;
        }
        change.reason = reason;
    }
    compared
}

#[cfg(test)]
mod typical;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::{self, Subject};
    use crate::look::Taken;
    use crate::pair::Pair;
    use derny_model::{Look, LookReason, Settings};

    fn side(pairs: u32, change: f64, spread: f64, terms: &Terms) -> Vec<Side> {
        let pair = |block: u32| Pair {
            block,
            units: (0, 0),
            base_first: block.is_multiple_of(2),
            log: change + spread * (f64::from(block * 7 % 11) - 5.0) / 5.0,
            resolution: 0.0,
            in_wave: None,
        };
        let pairs: Vec<Pair> = (0..pairs).map(pair).collect();
        let counts = [8, 11, 15, 21, 29, 40].into_iter().filter(|count| *count <= pairs.len());
        let look =
            |count: usize| Look { case: 0, blocks: (0..count as u32).collect(), reason: LookReason::Planned };
        let looks: Vec<Look> = counts.map(look).collect();
        let blocks: Vec<u32> = (0..pairs.len() as u32).collect();
        let taken = Taken::new(&terms.levels, &looks, &blocks, None);
        let single = change::paired(Subject::unknown(Quantity::Typical), &pairs, &taken, terms);
        vec![Side { side: 1, control: false, singles: vec![single], ended: None }]
    }

    fn terms(comparisons: usize, gate: bool) -> Terms {
        let settings = Settings { mean: true, waves: false, ..Settings::default() };
        Terms { gate, ..Terms::new(&settings, comparisons) }
    }

    fn of(cases: &[Vec<Side>], terms: &Terms) -> Vec<(Verdict, Option<Reason>, bool)> {
        let (judged, _) = judge(cases, terms);
        judged.iter().map(|sides| (sides[0].side.verdict, sides[0].side.reason, sides[0].is_open)).collect()
    }

    #[test]
    fn a_case_stops_by_what_is_reported_of_it_among_all() {
        let terms = terms(20, false);
        let others = || (0..19).map(|_| side(8, 0.0, 0.05, &terms));
        let with = |pairs: u32| -> Vec<Vec<Side>> {
            std::iter::once(side(pairs, 0.05, 0.001, &terms)).chain(others()).collect()
        };
        let early = of(&with(8), &terms);
        assert_eq!(early[0], (Verdict::Unclear, Some(Reason::MultipleComparisons), true));
        let (judged, family) = judge(&with(8), &terms);
        assert_eq!(family, 40, "typical and mean of all cases, whether measured or not");
        assert!(judged[0][0].side.changes[0].needed.is_some_and(|pairs| (9..=20).contains(&pairs)));
        assert_eq!(of(&with(15), &terms)[0], (Verdict::Worse, None, false));
    }

    /// Each number of pairs is tried as a case with one look, after its last pair.
    #[test]
    fn the_pairs_that_are_planned_to_tell_a_change_do_and_fewer_do_not() {
        let looks = [8_u32, 11, 15, 21];
        for comparisons in [1, 2, 5, 40, 200, 2000] {
            let terms = terms(comparisons, false);
            let verdict = |pairs: u32| {
                let blocks: Vec<u32> = (0..pairs).collect();
                let look = Look { case: 0, blocks: blocks.clone(), reason: LookReason::Planned };
                let taken = Taken::new(&terms.levels, &[look], &blocks, None);
                let pair = |block: u32| {
                    let (log, base_first) = (0.5 + f64::from(block) / 1e6, block.is_multiple_of(2));
                    Pair { block, units: (0, 0), base_first, log, resolution: 0.0, in_wave: None }
                };
                let pairs: Vec<Pair> = (0..pairs).map(pair).collect();
                let single = change::paired(Subject::unknown(Quantity::Typical), &pairs, &taken, &terms);
                of(&[vec![Side { side: 1, control: false, singles: vec![single], ended: None }]], &terms)[0].0
            };
            let alone = |n: usize| terms.levels.sequence(&[n], false);
            let planned = terms.levels.telling_look(&looks, comparisons, terms.mean, alone);
            let told = looks.into_iter().find(|pairs| verdict(*pairs) == Verdict::Worse);
            assert_eq!(told, Some(planned), "of {comparisons}");
        }
    }

    #[test]
    fn a_gate_stops_by_its_own_decision() {
        let (open, terms) = (terms(1, false), terms(1, true));
        // Certainly an improvement, but perhaps within the margin. A listing continues, and the gate passes.
        let harmless = side(8, -0.02, 0.03, &terms);
        assert!(of(&[harmless], &open)[0].2);
        let harmless = side(11, -0.03, 0.04, &terms);
        assert!(!of(&[harmless], &terms)[0].2);
        // Certainly a regression, but perhaps within the margin.
        let near = side(8, 0.011, 0.003, &terms);
        assert_eq!(of(std::slice::from_ref(&near), &open)[0].0, Verdict::Worse);
        assert!(of(&[near], &terms)[0].2, "the gate waits on");
        let mut decided = side(11, -0.03, 0.04, &terms);
        decided[0].ended = Some(StopReason::Verdict);
        assert_eq!(of(&[decided], &terms)[0].1, Some(Reason::GateDecided));
    }

    #[test]
    fn few_pairs_speak_of_one_comparison_only() {
        let (one, two) = (terms(1, false), terms(2, false));
        assert_eq!(of(&[side(4, 0.05, 0.001, &one)], &one)[0].0, Verdict::Worse);
        assert_eq!(of(&[side(4, 0.0, 0.001, &one)], &one)[0].1, Some(Reason::TooFewPairs), "never the same");
        assert_eq!(of(&[side(3, 0.05, 0.001, &one)], &one)[0].1, Some(Reason::TooFewPairs));
        assert_eq!(of(&[side(4, 0.05, 0.001, &two)], &two)[0].1, Some(Reason::TooFewPairs));
        // A gate does not fail on a change without a verdict.
        let alpha = two.levels.error();
        let limits = Limits { margin: 0.01, mean_margin: 0.02, alpha, metrics: &[] };
        for pairs in [3, 4] {
            let few = [side(pairs, 0.05, 1e-6, &two)];
            let judged = &judge(&few, &two).0[0][0].side;
            assert!(judged.changes[0].holm.is_some_and(|holm| holm < 0.05), "{:?}", judged.changes[0]);
            assert_eq!(gate::decide(judged, &limits, |_| true), Decision::Unjudged(0));
        }
        let quick = Terms { quick: true, ..terms(1, false) };
        assert_eq!(of(&[side(8, 0.0, 0.001, &quick)], &quick)[0].1, Some(Reason::TooFewPairs));
        assert_eq!(of(&[side(8, 0.0, 0.001, &one)], &one)[0].0, Verdict::Same);
    }

    #[test]
    fn a_quick_run_is_not_told_to_measure_what_it_does_not_plan() {
        let quick = |cases| Terms { quick: true, ..terms(cases, false) };
        for (pairs, change, spread, cases) in
            [(4, 0.05, 0.02, 2), (8, 0.01, 0.1, 1), (8, 0.05, 0.001, 20), (2, 0.05, 0.01, 1)]
        {
            let terms = quick(cases);
            let judged = &judge(&[side(pairs, change, spread, &terms)], &terms).0[0][0].side.changes[0];
            assert_eq!((judged.verdict, judged.needed), (Verdict::Unclear, None), "{judged:?}");
            assert!(!judged.because.contains("pairs would decide") || judged.because.contains("--quick"));
            assert!(!judged.because.contains("needs 8"), "{}", judged.because);
        }
    }

    #[test]
    fn where_the_order_of_launches_matters_mirrored_pairs_are_compared() {
        let terms = terms(1, false);
        let pair = |block: u32| Pair {
            block,
            units: (0, 0),
            base_first: block.is_multiple_of(2),
            log: 0.02
                + if block.is_multiple_of(2) { 0.05 } else { -0.05 }
                + 0.0005 * f64::from(block * 7 % 11),
            resolution: 0.0,
            in_wave: None,
        };
        let pairs: Vec<Pair> = (0..15).map(pair).collect();
        let blocks: Vec<u32> = (0..15).collect();
        let taken = Taken::new(&terms.levels, &[], &blocks, None);
        let found = change::paired(Subject::unknown(Quantity::Typical), &pairs, &taken, &terms).change;
        let estimate = found.change.unwrap();
        assert!((estimate.value - 0.0225).abs() < 0.002, "{estimate:?}");
        assert!(found.verdict == Verdict::Worse && estimate.interval.unwrap().hi < 0.03);
    }
}
