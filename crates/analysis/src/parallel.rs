//! Processes many cases in parallel, with one thread per processor. Results are in the order of the cases,
//! and do not depend on how the work was distributed.

use std::thread;

const LEAST: usize = 16;

pub(crate) fn map<T: Send>(count: usize, of: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(count / LEAST).max(1);
    if threads == 1 {
        return (0..count).map(of).collect();
    }
    let next = std::sync::atomic::AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let start = next.fetch_add(LEAST, std::sync::atomic::Ordering::Relaxed);
            if start >= count {
                return done;
            }
            done.extend((start..(start + LEAST).min(count)).map(|index| (index, of(index))));
        }
    };
    let mut all: Vec<(usize, T)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let done = workers.into_iter().map(|worker| worker.join());
        done.flat_map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    all.sort_unstable_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, value)| value).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_stand_in_order() {
        for count in [0, 1, 31, 1000] {
            assert_eq!(super::map(count, |i| i * i), (0..count).map(|i| i * i).collect::<Vec<_>>());
        }
    }
}
