use divan::counter::{BytesCount, ItemsCount};
use divan::{AllocProfiler, Bencher, black_box};
use std::collections::{BTreeSet, HashSet};

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

#[divan::bench]
fn plain() -> u64 {
    project::sum(black_box(10))
}

#[divan::bench(name = "renamed", sample_count = 10, max_time = 1)]
fn other() {}

#[divan::bench(args = [1, 5, 10])]
fn args(n: u64) -> u64 {
    project::sum(n)
}

const LENS: &[usize] = &[1, 100];
#[divan::bench(args = LENS, counter = BytesCount::new(7usize))]
fn slices(bencher: Bencher, len: usize) {
    bencher.with_inputs(|| vec![3u8; len]).bench_refs(|v| v.sort());
}

#[divan::bench(args = ["a", "bb"])]
fn strs(s: &str) -> usize {
    s.len()
}

#[divan::bench(args = [String::from("x"), String::from("y")], items_count = 5u32)]
fn strings(bencher: Bencher<'_, '_>, s: &str) {
    bencher.counter(ItemsCount::new(1usize)).bench_local(|| s.to_uppercase());
}

#[derive(Debug, Clone, Copy)]
enum Kind { Small, Large }
#[divan::bench(args = [Kind::Small, Kind::Large])]
fn kinds(k: Kind) -> bool {
    matches!(k, Kind::Small)
}

#[divan::bench(types = [BTreeSet<i32>, HashSet<i32>, Vec<i32>])]
fn types<T: FromIterator<i32>>(bencher: Bencher) {
    bencher.bench(|| (0..10).collect::<T>());
}

#[divan::bench(consts = [1, 2 + 3])]
fn consts<const N: usize>() -> [u8; N] {
    [0; N]
}

const SIZES: [usize; 2] = [4, 8];
#[divan::bench(consts = SIZES, types = [u8, u16])]
fn both<T: Default + Copy, const N: usize>() -> [T; N] {
    [T::default(); N]
}

const SLICE: &[usize] = &[3, 5];
#[divan::bench(consts = SLICE)]
fn slice<const N: usize>() -> [u8; N] {
    [0; N]
}

#[divan::bench(ignore)]
fn ignored() {}

#[divan::bench(threads = [1, 2])]
fn threaded() -> u64 {
    project::sum(12)
}

#[divan::bench_group(name = "math", sample_size = 3)]
mod arithmetic {
    #[divan::bench]
    fn add() -> i32 {
        divan::black_box(2) + divan::black_box(1)
    }
    mod deep {
        use divan::Bencher;
        #[divan::bench(args = [2, 3])]
        fn values(bencher: Bencher, n: usize) {
            bencher.with_inputs(|| vec![1u8; n]).bench_values(|v| v.len());
        }
    }
}

#[divan::bench]
#[ignore = "it is not to be run"]
fn ignored_as_tests_are() {
    panic!("it was run");
}
