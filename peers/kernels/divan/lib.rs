//! Empty. The benchmarks are in `benches/`.
