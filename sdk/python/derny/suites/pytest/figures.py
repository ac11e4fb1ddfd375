"""The statistics in `benchmark.stats`, updated during the turns.

Quantiles cover only the latest rounds, so that memory use does not depend on the number of
batches.
"""

import collections
import math
import statistics

KEPT = 1000


class Figures:
    """Statistics of one benchmark in seconds per call, under the names of pytest-benchmark."""

    def __init__(self):
        self.rounds, self.total, self.calls = 0, 0.0, 0
        self.min, self.max = math.inf, 0.0
        self.data = collections.deque(maxlen=KEPT)

    def add(self, times, calls):
        """Add the rounds of a turn: their times in ns, for `calls` calls each."""
        each = calls * 1e9
        self.rounds += len(times)
        self.calls += calls * len(times)
        self.total += sum(times) / 1e9
        self.min, self.max = min(self.min, min(times) / each), max(self.max, max(times) / each)
        self.data.extend([time / each for time in times[-KEPT:]])

    @property
    def mean(self):
        """Return the mean of all calls in seconds."""
        return self.total / self.calls

    @property
    def stddev(self):
        """Return the standard deviation of the latest rounds in seconds, or 0 for one round."""
        return statistics.stdev(self.data) if len(self.data) > 1 else 0.0

    @property
    def sorted_data(self):
        return sorted(self.data)

    @property
    def median(self):
        """Return the median of the latest rounds in seconds."""
        return statistics.median(self.data)

    def _quartile(self, part):
        if len(self.data) < 2:
            return self.median
        return statistics.quantiles(self.data, n=4, method="inclusive")[part - 1]

    @property
    def q1(self):
        """Return the first quartile of the latest rounds in seconds."""
        return self._quartile(1)

    @property
    def q3(self):
        """Return the third quartile of the latest rounds in seconds."""
        return self._quartile(3)

    @property
    def iqr(self):
        return self.q3 - self.q1

    @property
    def ops(self):
        return self.calls / self.total if self.total else 0.0

    def as_dict(self):
        names = "min max mean stddev rounds median iqr q1 q3 ops total".split()
        return {name: getattr(self, name) for name in names}


class Metadata:
    """`benchmark.stats`: the benchmark and its statistics."""

    def __init__(self, fixture, iterations):
        self.name, self.fullname = fixture.name, fixture.fullname
        self.group, self.param, self.params = fixture.group, fixture.param, fixture.params
        self.extra_info, self.fixture = fixture.extra_info, fixture
        self.iterations, self.options = iterations, {}
        self.stats, self.cprofile_stats = Figures(), None

    def __bool__(self):
        return True

    @property
    def has_error(self):
        return self.fixture.has_error

    def __getitem__(self, key):
        try:
            return getattr(self, key)
        except AttributeError:
            return getattr(self.stats, key)

    def get(self, key, default=None):
        try:
            return self[key]
        except AttributeError:
            return default

    def as_dict(self, **_):
        """Return all data, as pytest-benchmark saves it."""
        names = ("group", "name", "fullname", "params", "param", "extra_info")
        known = {name: getattr(self, name) for name in names}
        return {**known, "stats": {**self.stats.as_dict(), "iterations": self.iterations}}
