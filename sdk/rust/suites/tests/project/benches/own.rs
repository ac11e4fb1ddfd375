//! A user-defined `main`. It runs in the package's folder, as under `cargo bench`.

use criterion::Criterion;

fn main() {
    assert!(std::path::Path::new("Cargo.toml").is_file());
    let mut criterion = Criterion::default().configure_from_args();
    for n in [10, 20] {
        criterion.bench_function(&format!("own {n}"), |b| b.iter(|| project::sum(n)));
    }
    criterion.final_summary();
}
