"""Writes divisive.tsv: what Apache Otava divides, one name and its numbers per line: `best` position and distance, and
`windows` with the level and the least magnitude, then positions and p-values in turn.

    pip install numpy==2.2.0 apache-otava==0.8.0 && python divisive.py > divisive.tsv
"""

import numpy as np
from otava.analysis import compute_change_points
from otava.change_point_divisive.calculator import PairDistanceCalculator


def put(name, *numbers):
    print(name, *(repr(float(x)) for x in numbers), sep="\t")


rng = np.random.default_rng(11)
SERIES = {
    "steps": np.repeat([10, 10.3, 9.9, 10.6], [40, 60, 20, 50]) + 0.1 * rng.standard_normal(170),
    "wander": 50 + np.cumsum(0.2 * rng.standard_normal(130)) + rng.standard_normal(130),
    "heavy": np.repeat([5.0, 6.5, 5.0], [25, 35, 30]) + 0.4 * rng.standard_t(2, 90),
    "ticks": np.round(np.repeat([3.0, 4.0], [30, 30]) + 0.8 * rng.standard_normal(60)),
    "short": np.array([1.0, 1.1, 0.9, 2.0, 2.1]),
    "equal": np.repeat([3.0, 5.0], [10, 10]),
}
for name, series in SERIES.items():
    series = np.round(series, 4)
    put(f"series_{name}", *series)
    for end in (len(series), len(series) // 2):
        best = PairDistanceCalculator(series).get_candidate_change_point(slice(0, end))
        put(f"best_{name}", end, best.index, best.qhat)
    for window, level, least in ((50, 0.001, 0.0), (30, 0.01, 0.0), (30, 0.01, 0.05)):
        found, _ = compute_change_points(list(series), window_len=window, max_pvalue=level, min_magnitude=least)
        put(f"windows_{name}", window, level, least, *[x for cp in found for x in (cp.index, cp.stats.pvalue)])
