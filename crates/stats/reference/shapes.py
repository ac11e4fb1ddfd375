"""Writes shapes.tsv: reference values for quantiles, densities, modes, trends and change points, one name and its numbers per
line. What no package offers is computed here another way than the crate does it: quadrature, or trying everything.

    pip install numpy==2.2.0 scipy==1.17.1 pymannkendall==1.4.3 ruptures==1.1.10 && python shapes.py > shapes.tsv
"""

import math

import numpy as np
import pymannkendall
import ruptures
from scipy import integrate, optimize, stats

A = [101.2, 99.8, 100.4, 103.9, 100.1, 99.5, 100.9, 118.3, 100.2, 101.7, 99.9, 100.6, 102.4, 100.0, 99.7, 101.1,
     100.8, 107.5, 100.3, 99.6]
B = [103.1, 101.9, 102.6, 105.2, 102.0, 101.4, 103.3, 111.8, 102.1, 130.6, 101.8, 102.7, 104.0, 102.2, 101.5, 103.0,
     102.9, 104.4, 102.3, 101.6]


def put(name, *numbers):
    print(name, *(repr(float(x)) for x in numbers), sep="\t")


def hd(values, p):
    x, n = np.sort(values), len(values)
    if p in (0, 1):
        return x[0 if p == 0 else -1]
    weights = np.diff(stats.beta.cdf(np.arange(n + 1) / n, (n + 1) * p, (n + 1) * (1 - p)))
    return weights @ x


def trimmed_hd(values, p):
    """Weights by quadrature of the density over the stretch that holds most of it."""
    x, n = np.sort(values), len(values)
    beta = stats.beta((n + 1) * p, (n + 1) * (1 - p))
    width = 1 / math.sqrt(n)
    slope = lambda lo: beta.logpdf(lo + width) - beta.logpdf(lo)
    if min((n + 1) * p, (n + 1) * (1 - p)) <= 1:
        lo = 0 if p < 0.5 else 1 - width
    else:
        mode = ((n + 1) * p - 1) / (n - 1)
        lo = optimize.brentq(slope, max(1e-12, mode - width), min(mode, 1 - width - 1e-12), xtol=1e-16)
    cells = [integrate.quad(beta.pdf, max(lo, i / n), min(lo + width, (i + 1) / n), epsabs=1e-14)[0]
             if max(lo, i / n) < min(lo + width, (i + 1) / n) else 0 for i in range(n)]
    return np.array(cells) @ x / sum(cells)


for p in (0.01, 0.25, 0.5, 0.75, 0.9, 0.99):
    put("trimmed_hd", p, trimmed_hd(A, p), trimmed_hd(B, p))
put("density", *[hd(A, i / 10) for i in range(11)])

for name, series in (("A", A), ("B", B), ("rising", [round(0.4 * i + 3 * math.sin(7 * i), 3) for i in range(30)]),
                     ("ties", [1, 1, 2, 2, 2, 3, 1, 4, 4, 5, 3, 5])):
    test = pymannkendall.original_test(series)
    put(f"mann_kendall_{name}", test.s, test.Tau, test.z, test.p)


class Empirical(ruptures.base.BaseCost):
    """The cost of Haynes, Fearnhead and Eckley (2017), section 3.1, written from its formulas."""

    model = "empirical"
    min_size = 1

    def fit(self, signal):
        self.signal = np.asarray(signal, float).ravel()
        n = len(self.signal)
        count = min(n, math.ceil(4 * math.log(n)))
        c = math.log(2 * n - 1)
        shares = [1 / (1 + math.exp(-c * (-1 + (2 * k - 1) / count))) for k in range(1, count + 1)]
        self.thresholds = [np.sort(self.signal)[int((n - 1) * p)] for p in shares]
        self.scale = 2 * c / count
        return self

    def error(self, start, end):
        part = self.signal[start:end]
        total = 0
        for t in self.thresholds:
            f = np.mean((part < t) + 0.5 * (part == t))
            if 0 < f < 1:
                total += len(part) * (f * math.log(f) + (1 - f) * math.log(1 - f))
        return -self.scale * total


def optimal(cost, n, penalty, least):
    """The best segmentation of all, by trying every last change at every end."""
    best = [(-penalty, [])]
    for end in range(1, n + 1):
        best.append(min(((best[s][0] + cost.error(s, end) + penalty, best[s][1] + ([s] if s else []))
                         for s in range(end - least + 1)), key=lambda b: b[0], default=(math.inf, [])))
    return best[n][1]


rng = np.random.default_rng(7)
SERIES = {
    "levels": np.round(np.repeat([10, 10.3, 10.3, 9.9], [40, 30, 30, 20])
                       + np.repeat([0.1, 0.1, 0.3, 0.1], [40, 30, 30, 20]) * rng.standard_normal(120), 3),
    "heavy": np.round(np.repeat([5.0, 6.5, 5.0], [25, 35, 30]) + 0.4 * rng.standard_t(2, 90), 3),
    "ticks": np.round(np.repeat([3.0, 4.0], [30, 30]) + 0.8 * rng.standard_normal(60)),
}
for name, series in SERIES.items():
    put(f"series_{name}", *series)
    cost = Empirical().fit(series)
    for factor in (1, 3, 8):
        put(f"changes_{name}", factor, *optimal(cost, len(series), factor * math.log(len(series)), 5))
