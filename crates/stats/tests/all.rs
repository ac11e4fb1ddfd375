//! Links all tests of this crate into one program, which is faster than one program per file.

mod base;
mod bits;
mod comparisons;
mod data;
mod descriptive;
mod distributions;
mod level;
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
