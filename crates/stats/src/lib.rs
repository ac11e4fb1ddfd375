//! Statistics for Derny: numbers in, numbers out. No clock, no I/O, no global randomness: every stochastic
//! function takes its generator. One file per topic; the sources of the methods stand at the functions.

pub mod interval;
pub mod location;
pub mod looks;
mod pairs;
pub mod quantile;
pub mod rng;
pub mod scale;
pub mod signed_rank;
pub mod special;
pub mod student;

pub use interval::Interval;
pub use location::{
    geometric_mean, hodges_lehmann, hodges_lehmann_shift, mean, median, midmean, trimmed_mean,
};
pub use looks::Looks;
pub use quantile::{hd_quantile, sorted};
pub use rng::Rng;
pub use scale::{MAD_TO_SIGMA, coefficient_of_variation, iqr, mad, shamos, standard_deviation, variance};
pub use special::{normal_cdf, normal_quantile};
