//! Uses the features of the built-in test harness.
#![feature(test)]

extern crate test;

use test::{black_box, Bencher};

#[bench]
fn sum(b: &mut Bencher) {
    let n = black_box(100);
    b.iter(|| project::sum(n));
}

mod inner {
    use test::Bencher;

    /// Set-up runs once, regardless of `bytes`.
    #[bench]
    fn copied(b: &mut Bencher) {
        let list = vec![1_u8; 100];
        b.bytes = list.len() as u64;
        b.iter(|| list.clone());
    }

    #[bench]
    #[ignore]
    fn ignored(b: &mut Bencher) {
        b.iter(|| panic!("it is ignored"));
    }
}

#[bench]
fn fails(b: &mut Bencher) -> Result<(), String> {
    b.iter(|| project::sum(10));
    Err("on purpose".to_owned())
}

#[test]
fn a_test_is_no_benchmark() {
    panic!("it was run");
}
