"""One benchmark of a suite: its kind, attributes and hooks, looked up as in asv."""

import inspect
import os
import re

from . import names

# The kind decides how the function is called. The first kind that matches is used.
KINDS = {
    "mem": re.compile(r"Mem[A-Z_].+|mem_.+"),
    "peakmem": re.compile(r"PeakMem[A-Z_].+|peakmem_.+"),
    "time": re.compile(r"Time[A-Z_].+|time_.+"),
    "timeraw": re.compile(r"Timeraw[A-Z_].+|timeraw_.+"),
    "track": re.compile(r"Track[A-Z_].+|track_.+"),
}

# Settings that Derny decides itself: accepted, and reported once.
DECIDED = (
    "repeat", "rounds", "processes", "min_run_count", "sample_time", "warmup_time",
)  # fmt: skip


def kind_of(name):
    """Return the kind of a function of this name, or None if it is not a benchmark."""
    return next((kind for kind, pattern in KINDS.items() if pattern.match(name)), None)


def hooks_of(source, name):
    """Return the attributes of this name in any case, as `setup` and `setUp`."""
    return [getattr(source, key) for key in dir(source) if key.lower() == name]


class Benchmark:
    """A function or a method that is measured.

    `sources` are where its attributes are looked for, in that order: the function, the instance of
    its class, the module.
    """

    def __init__(self, name, kind, function, sources):
        self.name, self.kind, self.function, self.sources = name, kind, function, sources
        hooks = {key: [] for key in ("setup", "teardown")}
        for source in sources:
            for key, found in hooks.items():
                own = [hook for hook in hooks_of(source, key) if hook is not None]
                if len(own) > 1:
                    raise ValueError(f"{name}: there are several functions {key}, which asv refuses")
                found += own
        self.setups, self.teardowns = hooks["setup"][::-1], hooks["teardown"]
        self.setup_cache = self.attribute("setup_cache")
        self.axes = names.axes_of(self.attribute("params", ()), self.attribute("param_names", ()))

    def attribute(self, name, otherwise=None):
        """Return an attribute of the function, its instance or its module."""
        for source in self.sources:
            value = getattr(source, name, None)
            if value is not None:
                return value
        return otherwise

    @property
    def number(self):
        """Return how often asv calls it in a sample; 0 if asv chooses."""
        return int(self.attribute("number", 1 if self.kind == "timeraw" else 0))

    @property
    def is_once(self):
        """Return whether asv calls it once per process: for a body that cannot be repeated, such as
        an import.
        """
        repeat = self.attribute("repeat", 0)
        most = repeat[1] if isinstance(repeat, (list, tuple)) and len(repeat) == 3 else repeat
        is_cold = self.attribute("warmup_time", -1) == 0
        return self.kind == "time" and self.number == 1 and most == 1 and is_cold

    @property
    def timeout(self):
        """Return its own time-out in seconds, or None."""
        return self.attribute("timeout")

    def place(self):
        """Return the file and the line that define it, or None."""
        code = getattr(inspect.unwrap(self.function), "__code__", None)
        return code and (os.path.abspath(code.co_filename), code.co_firstlineno)

    def cache_key(self):
        """Return the identity of its cache set-up, or None.

        As in asv, it is the same for all benchmarks that share the function.
        """
        if self.setup_cache is None:
            return None
        code = inspect.unwrap(getattr(self.setup_cache, "__func__", self.setup_cache)).__code__
        return f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}"

    def is_skipped(self, values):
        """Return whether `skip_params` contains this combination."""
        try:
            return tuple(values) in [tuple(own) for own in self.attribute("skip_params", ())]
        except Exception:  # values that cannot be compared, such as arrays
            return False
