"""Writes shapes.tsv: reference values for densities and trends. Each line has a name and its numbers.

    pip install numpy==2.2.0 scipy==1.17.1 pymannkendall==1.4.3 && python shapes.py > shapes.tsv
"""

import math

import numpy as np
import pymannkendall
from scipy import stats

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


put("density", *[hd(A, i / 10) for i in range(11)])

for name, series in (("A", A), ("B", B), ("rising", [round(0.4 * i + 3 * math.sin(7 * i), 3) for i in range(30)]),
                     ("ties", [1, 1, 2, 2, 2, 3, 1, 4, 4, 5, 3, 5])):
    test = pymannkendall.original_test(series)
    put(f"mann_kendall_{name}", test.s, test.Tau, test.z, test.p)
