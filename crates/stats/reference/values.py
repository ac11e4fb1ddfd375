"""Writes values.tsv: reference values from SciPy and ruptures. Each line has a name and its numbers.

    pip install scipy==1.17.1 ruptures==1.1.10 && python values.py > values.tsv
"""

import numpy as np
import ruptures
from scipy import special, stats

A = [101.2, 99.8, 100.4, 103.9, 100.1, 99.5, 100.9, 118.3, 100.2, 101.7, 99.9, 100.6, 102.4, 100.0, 99.7, 101.1,
     100.8, 107.5, 100.3, 99.6]
B = [103.1, 101.9, 102.6, 105.2, 102.0, 101.4, 103.3, 111.8, 102.1, 130.6, 101.8, 102.7, 104.0, 102.2, 101.5, 103.0,
     102.9, 104.4, 102.3, 101.6]


def put(name, *numbers):
    print(name, *(repr(float(x)) for x in numbers), sep="\t")


for z in (-30.0, -8.0, -1.96, -0.3, 0.0, 0.5, 2.5):
    put("normal_cdf", z, stats.norm.cdf(z))
for p in (1e-300, 1e-20, 1e-5, 0.01, 0.2, 0.5, 0.7, 0.975, 0.999999):
    put("normal_quantile", p, stats.norm.ppf(p))
for x, a, b in ((0.1, 0.5, 0.5), (0.3, 2, 5), (0.9, 10, 1.5), (0.5, 200, 200), (0.02, 0.5, 30), (0.999, 4, 0.2)):
    put("beta_cdf", x, a, b, special.betainc(a, b, x))
for a, x in ((0.5, 0.1), (0.5, 3), (2, 2.5), (10, 4), (10, 30), (100, 120)):
    put("gamma_upper", a, x, special.gammaincc(a, x))
for p, a in ((0.025, 0.05), (0.5, 0.05), (0.999, 0.05), (1e-6, 0.3), (0.025, 0.5), (0.975, 0.5), (0.6321205588285577, 1), (0.025, 1),
             (0.3, 2.5), (1e-12, 7), (0.5, 10), (0.9999999, 10), (0.01, 333.3), (0.99, 5000), (1e-9, 5000), (0.5, 250000)):
    put("gamma_quantile", p, a, stats.gamma.ppf(p, a))
for t, df in ((-4.0, 1), (-0.5, 2), (0.0, 3), (1.3, 4.5), (2.8, 19), (6.0, 200), (-12.0, 7)):
    put("student_cdf", t, df, stats.t.cdf(t, df))
for p, df in ((0.975, 1), (0.975, 2), (0.975, 4), (0.975, 19), (0.999, 3), (0.6, 5), (0.01, 7.5), (0.9, 1000), (1e-9, 2)):
    put("student_quantile", p, df, stats.t.ppf(p, df))

ties = [1, 1, -1, 2, 3, -2, 4, 4, 5, 0, -5, 6]
exact = stats.wilcoxon([x for x in ties if x], method=stats.PermutationMethod(n_resamples=np.inf))
put("signed_rank_ties", exact.pvalue)
many = [round(float(np.sin(7 * i) + 0.15), 6) for i in range(150)]
put("signed_rank_many", stats.wilcoxon(many, method="approx", correction=True).pvalue,
    stats.wilcoxon(many, method="exact").pvalue)

fit = stats.linregress(A, B)
put("least_squares", fit.slope, fit.intercept, fit.rvalue**2)
sen = stats.theilslopes(B, A, alpha=0.95)
put("theil_sen", sen.slope, sen.low_slope, sen.high_slope)
mean = stats.ttest_1samp(A, 0).confidence_interval(0.95)
put("student_interval", mean.low, mean.high)

# Change points of 120 values on four levels, found by ruptures. Its cost function adds 1e-6 to the variance.
rng = np.random.default_rng(12345)
level = np.repeat([10, 10.3, 10.3, 9.9], [40, 30, 30, 20])
series = np.round(level + np.repeat([0.1, 0.1, 0.3, 0.1], [40, 30, 30, 20]) * rng.standard_normal(120), 3)
put("levels", *series)
for factor in (3, 6, 15):
    found = ruptures.Pelt(model="normal", min_size=2, jump=1).fit(series).predict(pen=factor * np.log(120))
    put("levels_changes", factor, *found[:-1])

# Changes of mean of 150 values of equal noise, found by ruptures. The series is in units of the noise, the penalty 3 ln n.
rng = np.random.default_rng(2468)
for levels, lengths in (([0, 4, 1], [60, 50, 40]), ([0, 3], [138, 12]), ([5, 0, 5, 9], [20, 8, 62, 60])):
    series = np.round(np.repeat(levels, lengths) + rng.standard_normal(150), 3)
    found = ruptures.Pelt(model="l2", min_size=3, jump=1).fit(series).predict(pen=3 * np.log(150))
    put("means", *series)
    put("means_changes", *found[:-1])
