//! The kernels under criterion.rs are in `benches/`.
