//! The kernels under tango are in `benches/`.
