"""Writes comparisons.tsv: reference values for the tests and intervals that compare two samples, from SciPy and
statsmodels, or from a direct evaluation of the definition where neither has the method.

    pip install scipy==1.17.1 statsmodels==0.15.0 && python comparisons.py > comparisons.tsv
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


# Signed rank, one-sided; with ties by all 2^11 signs.
ties = np.array([1, 1, -1, 2, 3, -2, 4, 4, 5, -5, 6], float)
ranks = stats.rankdata(abs(ties))
seen = ranks[ties > 0].sum()
sums = np.array([sum(r for r, s in zip(ranks, signs) if s) for signs in itertools.product((0, 1), repeat=len(ties))])
for name in ("less", "greater"):
    exact = stats.wilcoxon(LOGS, alternative=name, method="exact").pvalue
    put(f"signed_rank_{name}", exact, np.mean(sums <= seen) if name == "less" else np.mean(sums >= seen))


# Boundaries of Hwang, Shih and De Cani at five equal looks, alpha .05: recursion on a fine grid by Simpson's rule.
def hsd_boundaries(gamma, looks=5, alpha=0.05, points=4001):
    def spent(t):
        return alpha * t if gamma == 0 else alpha * np.expm1(-gamma * t) / np.expm1(-gamma)

    bounds, grid, density, sd = [], None, None, np.sqrt(1 / looks)
    for look in range(1, looks + 1):
        share = spent(look / looks) - spent((look - 1) / looks)
        if grid is None:
            edge = stats.norm.isf(share / 2) * sd
        else:
            def beyond(e):
                return 2 * np.sum(weights * density * stats.norm.sf((e - grid) / sd)) - share
            from scipy.optimize import brentq
            edge = brentq(beyond, 0, 8, xtol=1e-14)
        bounds.append(edge / np.sqrt(look / looks))
        new = np.linspace(-edge, edge, points)
        if density is None:
            density_new = stats.norm.pdf(new / sd) / sd
        else:
            density_new = np.array([np.sum(weights * density * stats.norm.pdf((x - grid) / sd)) / sd for x in new])
        h = new[1] - new[0]
        weights = np.full(points, 2.0)
        weights[1::2] = 4.0
        weights[0] = weights[-1] = 1.0
        weights *= h / 3
        grid, density = new, density_new
    return bounds


for gamma in (-4, 0, 2):
    put("boundaries_hsd", gamma, *hsd_boundaries(gamma))

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
    t_line(f"yuen_{name}", stats.ttest_ind(x, y, equal_var=False, trim=0.2),
           [stats.ttest_ind(x, y, equal_var=False, trim=0.2, alternative=a) for a in both])
t_line("paired_ba", stats.ttest_rel(B, A), [stats.ttest_rel(B, A, alternative=a) for a in ("less", "greater")])
for level in (80, 90, 95, 98, 99, 99.5):
    put("critical", level, *(stats.t.ppf(0.5 + level / 200, df) for df in (1, 2, 9, 38, 100)))

# Yuen, one sample (Wilcox, 2012): trimmed mean against 100.
win = np.sort(np.array(A))
k = int(0.2 * len(A))
win[:k], win[len(A) - k:] = win[k], win[len(A) - k - 1]
se = np.std(win, ddof=1) / ((1 - 2 * k / len(A)) * np.sqrt(len(A)))
t = (stats.trim_mean(A, 0.2) - 100) / se
put("yuen_one", stats.trim_mean(A, 0.2), se, len(A) - 2 * k - 1, 2 * stats.t.sf(abs(t), len(A) - 2 * k - 1))

# Mann-Whitney and Kolmogorov-Smirnov: SciPy without ties, all assignments with them.
for name, x, y in (("ba", B, A), ("a10", A[:10], B[:10]), ("unequal", A[:5], B[:9])):
    put(f"mann_whitney_{name}", stats.mannwhitneyu(x, y).statistic,
        *(stats.mannwhitneyu(x, y, method="exact", alternative=a).pvalue for a in ("two-sided", "less", "greater")),
        *(stats.mannwhitneyu(x, y, method="asymptotic", alternative=a).pvalue
          for a in ("two-sided", "less", "greater")))
    put(f"kolmogorov_smirnov_{name}", stats.ks_2samp(x, y).statistic, stats.ks_2samp(x, y, method="exact").pvalue)
both = np.array(X + Y)
splits = [(both[list(c)], np.delete(both, c)) for c in itertools.combinations(range(13), 8)]
us = np.array([stats.mannwhitneyu(x, y).statistic for x, y in splits])
u = stats.mannwhitneyu(X, Y).statistic
put("mann_whitney_ties", u, min(1, 2 * min(np.mean(us <= u), np.mean(us >= u))), np.mean(us <= u), np.mean(us >= u),
    *(stats.mannwhitneyu(X, Y, method="asymptotic", alternative=a).pvalue for a in ("two-sided", "less", "greater")))
ds = np.array([stats.ks_2samp(x, y).statistic for x, y in splits])
d = stats.ks_2samp(X, Y).statistic
put("kolmogorov_smirnov_ties", d, np.mean(ds >= d - 1e-12))
for name, x, y in (("ab", A, B), ("xy", X, Y)):
    found = [stats.brunnermunzel(x, y, alternative=a) for a in ("two-sided", "less", "greater")]
    put(f"brunner_munzel_{name}", found[0].statistic, *(f.pvalue for f in found))

# Equivalence, ratio, correlated errors, bootstrap.
import statsmodels.api as sm
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_paired

tost = ttost_paired(np.log(B), np.log(A), -np.log(1.05), np.log(1.05))
put("tost", tost[0], tost[1][1], tost[2][1])
for lags in (2, 4):
    put("newey_west", lags, sm.OLS(A, np.ones(20)).fit(cov_type="HAC", cov_kwds={"maxlags": lags}).bse[0])


def fieller(y, x):
    t = [stats.t.ppf(0.975, len(v) - 1) * stats.sem(v) for v in (y, x)]
    my, mx = np.mean(y), np.mean(x)
    a, b, c = mx**2 - t[1]**2, -2 * mx * my, my**2 - t[0]**2
    return np.sort(np.roots([a, b, c]))


put("fieller", *fieller(B, A), *fieller(Y, X))
P = [0.0004, 0.011, 0.021, 0.03, 0.04, 0.2, 0.6, 0.8]
put("benjamini_yekutieli", *multipletests(P, method="fdr_by")[1])
for name, values in (("a", A), ("b", B)):
    ends = stats.bootstrap((values,), np.mean, n_resamples=200_000, method="percentile",
                           random_state=1).confidence_interval
    put(f"bootstrap_{name}", ends.low, ends.high)

# Anytime-valid: the e-value as the integral of its definition. Given the spread s, the likelihood ratio of a mean
# mixed over N(0, s^2 / c^2) against 0; the spread itself under the right Haar measure ds/s in both.
from scipy import integrate
for c2 in (1.0, 0.25):
    n, s, v = len(LOGS), LOGS.sum(), (LOGS**2).sum()

    def log_mixed(sd):
        return 0.5 * np.log(c2 / (n + c2)) + s**2 / (2 * sd**2 * (n + c2)) - v / (2 * sd**2)

    scale = np.sqrt(v / n)
    grid = lambda f: integrate.quad(lambda w: np.exp(f(scale * np.exp(w)) - n * w + n / 2), -3, 6, epsabs=0,
                                    epsrel=1e-12, limit=400)[0]
    put("t_mixture", c2, np.log(grid(log_mixed) / grid(lambda sd: -v / (2 * sd**2))))
sd, tau = 0.05, 0.02
mixed = integrate.quad(lambda m: stats.norm.pdf(m, 0, tau) * np.exp((m * s - n * m * m / 2) / sd**2), -0.3, 0.3,
                       epsabs=0, epsrel=1e-12, points=[0, LOGS.mean()])[0]
put("msprt", sd, tau, np.log(mixed))
from statsmodels.stats.power import NormalIndPower
put("power", 26, 0.01, 0.01, 0.05, NormalIndPower().power(1.0, 26, 0.05))
put("power", 8, 0.02, 0.01, 0.01, NormalIndPower().power(0.5, 8, 0.01))
