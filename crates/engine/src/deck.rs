//! On which processor each round is measured.

use derny_stats::Rng;

/// Rounds on one processor in a row, where each gets at least twice as many of the rounds to come.
const IN_A_ROW: u32 = 2;

/// Processors in random order: every one once before any comes again, and after all have come the last of them first; each for
/// two rounds in a row where there are enough.
///
/// Moving threads costs more than all else that a round asks of the system, and is thereby done as seldom as may be. With two
/// processors the order is A A B B B B A A: a machine that becomes slower or faster evenly favours neither.
#[derive(Debug, Default)]
pub struct Deck {
    left: Vec<u32>,
    last: Option<u32>,
    /// Rounds that the last one is still drawn for.
    more: u32,
}

impl Deck {
    /// The next one of `processors`, of which `rounds` are to be drawn at a stretch; none where there are none.
    pub fn draw(&mut self, processors: &[u32], rounds: u32, rng: &mut Rng) -> Option<u32> {
        if self.more > 0 {
            self.more -= 1;
            return self.last;
        }
        if self.left.is_empty() {
            self.left.extend(processors);
            rng.shuffle(&mut self.left);
            if let Some(place) = self.left.iter().position(|processor| Some(*processor) == self.last) {
                let top = self.left.len() - 1;
                self.left.swap(place, top);
            }
        }
        self.more = if rounds >= 2 * IN_A_ROW * processors.len() as u32 { IN_A_ROW - 1 } else { 0 };
        self.last = self.left.pop();
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_comes_once_and_the_last_comes_again() {
        let mut rng = Rng::new(1);
        for processors in [vec![], vec![3], vec![0, 1], vec![0, 2, 5, 7]] {
            let mut deck = Deck::default();
            let mut passes: Vec<Vec<u32>> = Vec::new();
            for _ in 0..20 {
                let pass: Vec<u32> =
                    processors.iter().filter_map(|_| deck.draw(&processors, 1, &mut rng)).collect();
                let mut sorted = pass.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, processors);
                passes.push(pass);
            }
            assert!(passes.windows(2).all(|pair| pair[0].last() == pair[1].first()));
            let firsts = |at: usize| passes.iter().any(|pass| pass.first() == processors.get(at));
            assert!((0..processors.len()).all(firsts), "any may be the first");
        }
    }

    #[test]
    fn twelve_rounds_on_two_processors_are_six_on_each_with_three_moves() {
        let (mut deck, mut rng) = (Deck::default(), Rng::new(1));
        for _ in 0..10 {
            let drawn: Vec<Option<u32>> = (0..12).map(|_| deck.draw(&[0, 1], 12, &mut rng)).collect();
            assert_eq!(drawn.iter().filter(|processor| **processor == Some(0)).count(), 6);
            assert_eq!(drawn.windows(2).filter(|pair| pair[0] != pair[1]).count(), 3);
        }
        let few: Vec<Option<u32>> = (0..6).map(|_| deck.draw(&[0, 1], 6, &mut rng)).collect();
        assert_eq!(few.iter().filter(|processor| **processor == Some(0)).count(), 3);
    }
}
