//! The verdict on a side of a case: from typical and mean time together, else from its metrics.

use derny_model::{Change, ComparedSide, Quantity, Verdict};

/// The verdict on a case from those on typical and on mean time, and whether the two contradict each other.
///
/// Typical time is robust, and so blind to what hits few turns; mean time sees all and is noisier. Where both
/// are definite and differ in more than the margin's fine print, the worse counts. Where mean time is unclear it
/// says nothing against a change of typical time, but a claim of `same` does not stand if a collector may have run
/// (`collected`): twice the garbage must never read as `same`.
pub fn both(typical: Verdict, mean: Option<Verdict>, collected: bool) -> (Verdict, bool) {
    let Some(mean) = mean else { return (typical, false) };
    let kind = |verdict| match verdict {
        Verdict::Better => 0,
        Verdict::Worse => 2,
        Verdict::Unclear => 3,
        Verdict::Same | Verdict::BetterWithinMargin | Verdict::WorseWithinMargin => 1,
    };
    match (kind(typical), kind(mean)) {
        (same, other) if same == other => (typical, false),
        // The same direction, only less of it.
        (0, _) if mean == Verdict::BetterWithinMargin => (typical, false),
        (2, _) if mean == Verdict::WorseWithinMargin => (typical, false),
        (1, 3) if collected => (Verdict::Unclear, true),
        (_, 3) => (typical, false),
        // Unclear, and all that is spent is definitely more.
        (3, 2) => (Verdict::Worse, true),
        (3, _) => (typical, false),
        (before, other) if other > before => (mean, true),
        _ => (typical, true),
    }
}

/// Side `side` with these changes. Its verdict is that on time, else the worst of its metrics.
pub fn side(side: u32, changes: Vec<Change>, collected: bool) -> ComparedSide {
    let of = |quantity: &Quantity| changes.iter().find(|change| change.quantity == *quantity);
    let (verdict, split) = match of(&Quantity::Typical) {
        Some(typical) => both(typical.verdict, of(&Quantity::Mean).map(|c| c.verdict), collected),
        None => (worst(changes.iter().map(|change| change.verdict)), false),
    };
    let mut unclear = changes.iter().filter(|change| change.verdict == Verdict::Unclear);
    let reason = unclear.find_map(|change| change.reason).filter(|_| verdict == Verdict::Unclear);
    ComparedSide { side, verdict, reason, split, changes }
}

/// What a gate would mind most; `Same` where there is nothing.
fn worst(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    let badness = |verdict: &Verdict| match verdict {
        Verdict::Worse => 5,
        Verdict::Unclear => 4,
        Verdict::WorseWithinMargin => 3,
        Verdict::Same => 2,
        Verdict::BetterWithinMargin => 1,
        Verdict::Better => 0,
    };
    verdicts.max_by_key(badness).unwrap_or(Verdict::Same)
}
