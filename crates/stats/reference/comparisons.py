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
