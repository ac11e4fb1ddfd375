"""Writes vectors.tsv: results of Pragmastat (MIT) for samples that this script makes. Each line is a call: the function,
both samples, the misrate (0 if it has none), and one or two numbers as the result. Tabs separate these, and spaces
separate the values of a sample.

    pip install numpy==2.2.0 pragmastat==13.0.1 && python vectors.py > vectors.tsv

With the folder `tests` of a checkout of github.com/AndreyAkinshin/pragmastat (14, July 2026) as its argument, it writes the
project's own vectors in the same form. public.tsv contains those with at most LONGEST values:

    python vectors.py pragmastat/tests > public.tsv
"""

import json
import pathlib
import sys

LONGEST = 64
KNOWN = ("center", "spread", "shift", "center-bounds", "signed-rank-margin")


def put(function, x, y, misrate, *out):
    text = lambda values: " ".join(repr(float(v)) for v in values)
    print(function, text(x), text(y), repr(misrate), text(out), sep="\t")


def public(folder):
    for function in KNOWN:
        for path in sorted((pathlib.Path(folder) / function).glob("*.json")):
            vector = json.loads(path.read_text())
            given, out = vector["input"], vector.get("output")
            if out is None:
                continue  # Pragmastat reports an error for this input
            x, y = (given[k] if isinstance(given.get(k), list) else [given[k]] if k in given else [] for k in
                    (("n", "m") if "margin" in function else ("x", "y")))
            if len(x) + len(y) > LONGEST:
                continue
            put(function, x, y, given.get("misrate", 0), *(out.values() if isinstance(out, dict) else [out]))


def made():
    import numpy as np
    import pragmastat as ps

    rng = np.random.default_rng(5)
    samples = [[1.0, 2.0], [2.0, 3.0, 4.0, 5.0, 6.0], [0.5, 0.5, 0.5, 7.0, 7.0, 8.0, 9.5], list(range(1, 31)),
               [1e-9, 2e-9, 5e-9, 1e-8, 3e-8, 4e-8, 4.5e-8, 9e-8, 2e-7, 7e-7]]
    samples += [[round(float(v), 6) for v in make] for make in
                (rng.normal(10, 1, 10), rng.normal(10, 1, 23), rng.lognormal(1, 0.8, 40), rng.exponential(3, 17) + 0.1,
                 rng.uniform(5, 6, 55), np.round(rng.normal(20, 2, 30)), rng.pareto(1.1, 25) + 1)]
    for i, x in enumerate(samples):
        put("center", x, [], 0, ps.center(x))
        put("spread", x, [], 0, ps.spread(x))
        y = samples[(i + 3) % len(samples)]
        put("shift", x, y, 0, ps.shift(x, y))
        for misrate in (1e-3, 0.01, 0.05, 0.2):
            try:
                bounds = ps.center_bounds(x, misrate)
            except ps.AssumptionError:
                continue  # too few values for the misrate
            put("center-bounds", x, [], misrate, bounds.lower, bounds.upper)


public(sys.argv[1]) if len(sys.argv) > 1 else made()
