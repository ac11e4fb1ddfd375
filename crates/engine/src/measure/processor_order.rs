//! The order in which rounds use the processors.

use derny_stats::Rng;

/// Uses processors in random order, each once before any repeats. The next order starts with the last
/// processor of the previous one.
///
/// Moving a thread costs more than any other system call of a round, so this order moves threads as
/// rarely as possible. With two processors the order is A B B A, so a steady drift of the machine's speed
/// favours neither.
#[derive(Debug, Default)]
pub struct ProcessorOrder {
    left: Vec<u32>,
    last: Option<u32>,
}

impl ProcessorOrder {
    /// Returns the next of `processors`, or `None` if the list is empty.
    pub fn draw(&mut self, processors: &[u32], rng: &mut Rng) -> Option<u32> {
        if self.left.is_empty() {
            self.left.extend(processors);
            rng.shuffle(&mut self.left);
            if let Some(place) = self.left.iter().position(|processor| Some(*processor) == self.last) {
                let top = self.left.len() - 1;
                self.left.swap(place, top);
            }
        }
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
            let mut order = ProcessorOrder::default();
            let mut passes: Vec<Vec<u32>> = Vec::new();
            for _ in 0..20 {
                let pass: Vec<u32> =
                    processors.iter().filter_map(|_| order.draw(&processors, &mut rng)).collect();
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
}
