"""A benchmark of a suite: its kind, attributes and hooks, which are looked up as in asv."""

import inspect
import os
import re

from . import names

# The kind determines how the function is called. The first pattern that matches applies.
KINDS = {
    "mem": re.compile(r"Mem[A-Z_].+|mem_.+"),
    "peakmem": re.compile(r"PeakMem[A-Z_].+|peakmem_.+"),
    "time": re.compile(r"Time[A-Z_].+|time_.+"),
    "timeraw": re.compile(r"Timeraw[A-Z_].+|timeraw_.+"),
    "track": re.compile(r"Track[A-Z_].+|track_.+"),
}

# Settings that have no effect under Derny, which is reported once.
DECIDED = (
    "repeat", "rounds", "processes", "min_run_count", "sample_time", "warmup_time",
)  # fmt: skip


def kind_of(name):
    return next((kind for kind, pattern in KINDS.items() if pattern.match(name)), None)


def hooks_of(source, name):
    """Return the attributes with this name, ignoring case, such as `setup` and `setUp`."""
    return [getattr(source, key) for key in dir(source) if key.lower() == name]


class Benchmark:
    """A function or method to measure.

    Its attributes are looked up in `sources`: the function, the instance of its class, and the
    module, in this order.
    """

    def __init__(self, name, kind, function, sources):
        self.name, self.kind, self.function, self.sources = name, kind, function, sources
        hooks = {key: [] for key in ("setup", "teardown")}
        for source in sources:
            for key, found in hooks.items():
                own = [hook for hook in hooks_of(source, key) if hook is not None]
                if len(own) > 1:
                    raise ValueError(f"{name}: {key} is defined more than once, which asv does not allow")
                found += own
        self.setups, self.teardowns = hooks["setup"][::-1], hooks["teardown"]
        self.setup_cache = self.attribute("setup_cache")
        self.axes = names.axes_of(self.attribute("params", ()), self.attribute("param_names", ()))

    def attribute(self, name, otherwise=None):
        for source in self.sources:
            value = getattr(source, name, None)
            if value is not None:
                return value
        return otherwise

    @property
    def number(self):
        """Return the number of calls per sample in asv, or 0 if asv chooses it."""
        return int(self.attribute("number", 1 if self.kind == "timeraw" else 0))

    @property
    def is_once(self):
        """Return whether asv calls the function once per process, because it cannot be repeated."""
        repeat = self.attribute("repeat", 0)
        most = repeat[1] if isinstance(repeat, (list, tuple)) and len(repeat) == 3 else repeat
        is_cold = self.attribute("warmup_time", -1) == 0
        return self.kind == "time" and self.number == 1 and most == 1 and is_cold

    @property
    def timeout(self):
        """Return the benchmark's own timeout in seconds, or None."""
        return self.attribute("timeout")

    def place(self):
        code = getattr(inspect.unwrap(self.function), "__code__", None)
        return code and (os.path.abspath(code.co_filename), code.co_firstlineno)

    def cache_key(self):
        """Return the identity of the benchmark's `setup_cache`, or None.

        Benchmarks that share the function have the same one, as in asv.
        """
        if self.setup_cache is None:
            return None
        code = inspect.unwrap(getattr(self.setup_cache, "__func__", self.setup_cache)).__code__
        return f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}"

    def is_skipped(self, values):
        try:
            return tuple(values) in [tuple(own) for own in self.attribute("skip_params", ())]
        except Exception:  # the values cannot be compared, such as arrays
            return False
