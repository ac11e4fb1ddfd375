"""Writes comparisons.tsv: reference values for tests and intervals that compare two samples. They come from SciPy, or from
a direct evaluation of the definition if SciPy lacks the method.

    pip install scipy==1.17.1 && python comparisons.py > comparisons.tsv
"""

import itertools

import numpy as np
from scipy import stats

A = [101.2, 99.8, 100.4, 103.9, 100.1, 99.5, 100.9, 118.3, 100.2, 101.7, 99.9, 100.6, 102.4, 100.0, 99.7, 101.1,
     100.8, 107.5, 100.3, 99.6]
B = [103.1, 101.9, 102.6, 105.2, 102.0, 101.4, 103.3, 111.8, 102.1, 130.6, 101.8, 102.7, 104.0, 102.2, 101.5, 103.0,
     102.9, 104.4, 102.3, 101.6]
LOGS = np.log(np.array(B) / np.array(A))


def put(name, *numbers):
    print(name, *(repr(float(x)) for x in numbers), sep="\t")


# One-sided signed-rank tests. With ties, enumerates all 2^11 signs.
ties = np.array([1, 1, -1, 2, 3, -2, 4, 4, 5, -5, 6], float)
ranks = stats.rankdata(abs(ties))
seen = ranks[ties > 0].sum()
sums = np.array([sum(r for r, s in zip(ranks, signs) if s) for signs in itertools.product((0, 1), repeat=len(ties))])
for name in ("less", "greater"):
    exact = stats.wilcoxon(LOGS, alternative=name, method="exact").pvalue
    put(f"signed_rank_{name}", exact, np.mean(sums <= seen) if name == "less" else np.mean(sums >= seen))

# Two small samples of unequal size with ties between and within them.
X = [5.1, 4.9, 5.3, 5.0, 5.2, 4.8, 5.6, 5.3]
Y = [5.5, 5.0, 5.9, 6.1, 5.3]


def t_line(name, found, alternatives):
    ci = found.confidence_interval(0.95)
    put(name, found.statistic, found.df, found.pvalue, ci.low, ci.high, *(a.pvalue for a in alternatives))


for name, x, y in (("ba", B, A), ("yx", Y, X)):
    both = ("less", "greater")
    t_line(f"welch_{name}", stats.ttest_ind(x, y, equal_var=False),
           [stats.ttest_ind(x, y, equal_var=False, alternative=a) for a in both])
    t_line(f"pooled_{name}", stats.ttest_ind(x, y), [stats.ttest_ind(x, y, alternative=a) for a in both])
for level in (80, 90, 95, 98, 99, 99.5):
    put("critical", level, *(stats.t.ppf(0.5 + level / 200, df) for df in (1, 2, 9, 38, 100)))

# Rank-sum tests: exact without ties (SciPy), exact with ties (all choices of ranks), and the normal approximation.
put("rank_sum_plain", stats.mannwhitneyu(X[:7], [y + 0.05 for y in Y], method="exact").pvalue)
ranks = stats.rankdata(X + Y)
sums = np.array([sum(chosen) for chosen in itertools.combinations(ranks, len(X))])
seen = ranks[:len(X)].sum()
put("rank_sum_ties", min(1, 2 * min(np.mean(sums <= seen), np.mean(sums >= seen))))
put("rank_sum_ba", stats.mannwhitneyu(B, np.array(A) + 0.003, method="exact").pvalue)
S = [round(float(np.sin(7 * i)), 6) for i in range(64)]
T = [round(float(np.sin(5 * i + 1) + 0.3), 6) + 3e-7 for i in range(64)]
put("rank_sum_64", stats.mannwhitneyu(S, T, method="exact").pvalue, stats.mannwhitneyu(S[:9], T, method="exact").pvalue)
many = [round(float(np.sin(3 * i) + 0.2), 1) for i in range(90)]
put("rank_sum_many", stats.mannwhitneyu(S, many, method="asymptotic", use_continuity=True).pvalue)

# Fisher's exact test: the four counts of a table, by rows.
for a, b, c, d in ((8, 2, 1, 5), (3, 7, 3, 7), (0, 10, 5, 5), (12, 988, 31, 969), (1, 0, 0, 1), (40, 99960, 12, 99988), (0, 7, 0, 9)):
    put("fisher", a, b, c, d, stats.fisher_exact([[a, b], [c, d]]).pvalue)

# Bootstrap.
for name, values in (("a", A), ("b", B)):
    ends = stats.bootstrap((values,), np.mean, n_resamples=200_000, method="percentile",
                           random_state=1).confidence_interval
    put(f"bootstrap_{name}", ends.low, ends.high)

# Anytime-valid e-value, by integrating its definition. Given the spread s, it is the likelihood ratio of a mean mixed
# over N(0, s^2 / c^2) against a mean of 0. The spread has the right Haar measure ds/s in both.
from scipy import integrate
for c2 in (1.0, 0.25):
    n, s, v = len(LOGS), LOGS.sum(), (LOGS**2).sum()

    def log_mixed(sd):
        return 0.5 * np.log(c2 / (n + c2)) + s**2 / (2 * sd**2 * (n + c2)) - v / (2 * sd**2)

    scale = np.sqrt(v / n)
    grid = lambda f: integrate.quad(lambda w: np.exp(f(scale * np.exp(w)) - n * w + n / 2), -3, 6, epsabs=0,
                                    epsrel=1e-12, limit=400)[0]
    put("t_mixture", c2, np.log(grid(log_mixed) / grid(lambda sd: -v / (2 * sd**2))))
