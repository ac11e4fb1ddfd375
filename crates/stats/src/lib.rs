//! Statistics for Derny. Functions use no clock, no I/O and no global randomness: every stochastic function
//! receives its generator. There is one file per topic. Published methods are cited where they are
//! implemented.
//!
//! 1. `steady`, `trend`, `step`, `changepoint` and `level` examine a series: warm-up, drift, jumps.
//! 2. `location`, `scale` and `quantile` summarise values; `outliers`, `modes` and `density` describe them.
//! 3. `signed_rank`, `rank_sum`, `strata` and `student` compute an `interval` and a p-value from them.
//! 4. `looks` and `repeated` adjust these for several looks, and `multiple` for several comparisons.
//! 5. `plan` divides measuring time between processes and their rounds.
//! 6. `bootstrap`, `t_test` and `fisher` compute the statistics of other tools.
//!
//! All of them use `special` and `gamma` for distributions.

pub mod anytime;
pub mod bootstrap;
pub mod changepoint;
pub mod contrast;
pub mod correlation;
pub mod density;
pub mod fisher;
pub mod gamma;
pub mod interval;
pub mod level;
pub mod location;
pub mod looks;
pub mod modes;
pub mod multiple;
pub mod online;
pub mod outliers;
mod pairs;
pub mod plan;
pub mod quantile;
pub mod rank_sum;
pub mod regression;
pub mod repeated;
pub mod rng;
pub mod scale;
pub mod signed_rank;
pub mod special;
pub mod steady;
pub mod step;
pub mod strata;
pub mod student;
pub mod t_test;
pub mod tail;
pub mod trend;

pub use contrast::Contrast;
pub use correlation::{durbin_watson, ljung_box};
pub use interval::Interval;
pub use location::{
    best_group_median, geometric_mean, hodges_lehmann, hodges_lehmann_shift, mean, median, midmean,
    trimmed_mean,
};
pub use looks::Looks;
pub use multiple::{benjamini_hochberg, holm};
pub use outliers::{OutlierEffect, TukeyCounts, outlier_variance, tukey};
pub use plan::{Components, rounds_per_process, variance_components};
pub use quantile::sorted;
pub use regression::{Fit, least_squares, theil_sen, theil_sen_interval};
pub use rng::Rng;
pub use scale::{MAD_TO_SIGMA, iqr, mad, shamos, standard_deviation, variance};
pub use special::{normal_cdf, normal_quantile};
pub use steady::{Consistency, SteadyClass, classify, is_warm};
pub use tail::Tail;
