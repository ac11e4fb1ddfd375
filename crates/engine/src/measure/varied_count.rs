//! The number of iterations of a measured turn, which varies with the setting `witness`.

use crate::measure::turn::{MOST_BATCHES, TurnRequest};

/// The iterations of a batch relative to the calibrated number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VariedCount {
    Half,
    Whole,
    Double,
}

impl VariedCount {
    /// Changes the iterations, and the number of batches inversely. Does nothing if the request would then
    /// have no iterations, or more than `most`.
    pub(crate) fn apply(self, request: &mut TurnRequest, most: u64) {
        let (iterations, batches) = (request.iterations, request.batches);
        let (wanted, others) = match self {
            VariedCount::Whole => return,
            VariedCount::Half => (iterations / 2, batches.saturating_mul(2)),
            VariedCount::Double => (iterations.saturating_mul(2), batches.div_ceil(2)),
        };
        if (1..=most).contains(&wanted) {
            (request.iterations, request.batches) = (wanted, others.min(MOST_BATCHES as u32));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_model::Phase;

    #[test]
    fn a_turn_keeps_its_length_and_its_limits() {
        let varied = |count: VariedCount, iterations: u64, batches: u32, most: u64| {
            let mut request = TurnRequest::plain(Phase::Measured, iterations, batches, 1);
            count.apply(&mut request, most);
            (request.iterations, request.batches)
        };
        assert_eq!(varied(VariedCount::Half, 100, 50, u64::MAX), (50, 100));
        assert_eq!(varied(VariedCount::Double, 100, 50, u64::MAX), (200, 25));
        assert_eq!(varied(VariedCount::Whole, 100, 50, u64::MAX), (100, 50));
        assert_eq!(varied(VariedCount::Double, 100, 50, 150), (100, 50), "more than the body allows");
        assert_eq!(varied(VariedCount::Half, 1, 4, u64::MAX), (1, 4), "half a call is none");
        assert_eq!(varied(VariedCount::Half, 4, 4000, u64::MAX), (2, 4096));
    }
}
