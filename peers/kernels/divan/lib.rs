//! The kernels under divan are in `benches/`.
