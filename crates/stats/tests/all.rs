//! The tests of this crate as one program, which is linked once.

mod base;
mod bits;
mod comparisons;
mod data;
mod descriptive;
mod distributions;
mod looks;
mod models;
mod properties;
mod rank_sum;
mod repeated;
mod resampling;
mod series;
mod shapes;
mod signed_rank;
mod step;
mod vectors;
