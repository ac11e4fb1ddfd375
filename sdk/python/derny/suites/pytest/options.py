"""The options and markers of pytest-benchmark and pytest-codspeed. All are accepted. Those that
have no effect are reported.
"""

BENCHMARK, CODSPEED = "pytest-benchmark", "pytest-codspeed"

_SWITCH = {"action": "store_true", "default": False}
_REPEATED = {"action": "append", "nargs": "?", "default": [], "const": "auto"}

# The options with their defaults and other arguments for the parser. Projects read them with
# `config.getoption`.
_OPTIONS = [
    ("--benchmark-min-time", 0.000005, {}),
    ("--benchmark-max-time", 1.0, {}),
    ("--benchmark-min-rounds", 5, {"type": int}),
    ("--benchmark-precision", None, {}),
    ("--benchmark-confidence", 0.99, {}),
    ("--benchmark-timer", "time.perf_counter", {}),
    ("--benchmark-calibration-precision", 10, {"type": int}),
    ("--benchmark-warmup", "auto", {"nargs": "?", "const": True}),
    ("--benchmark-warmup-iterations", 100000, {"type": int}),
    ("--benchmark-disable-gc", False, _SWITCH),
    ("--benchmark-skip", False, _SWITCH),
    ("--benchmark-disable", False, _SWITCH),
    ("--benchmark-enable", False, _SWITCH),
    ("--benchmark-only", False, _SWITCH),
    ("--benchmark-save", None, {}),
    ("--benchmark-autosave", "", {"action": "store_const", "const": "auto"}),
    ("--benchmark-save-data", False, _SWITCH),
    ("--benchmark-json", None, {}),
    ("--benchmark-compare", [], {"nargs": "?", "const": True}),
    ("--benchmark-compare-fail", [], {"nargs": "+"}),
    ("--benchmark-cprofile", None, {}),
    ("--benchmark-cprofile-loops", 1, {}),
    ("--benchmark-cprofile-top", 25, {"type": int}),
    ("--benchmark-cprofile-dump", [], _REPEATED),
    ("--benchmark-storage", "file://./.benchmarks", {}),
    ("--benchmark-netrc", "", {"nargs": "?", "const": "~/.netrc"}),
    ("--benchmark-verbose", False, _SWITCH),
    ("--benchmark-quiet", False, _SWITCH),
    ("--benchmark-sort", "min", {}),
    ("--benchmark-group-by", "group", {}),
    ("--benchmark-columns", None, {}),
    ("--benchmark-name", "normal", {}),
    ("--benchmark-time-unit", None, {}),
    ("--benchmark-histogram", [], _REPEATED),
    ("--benchmark-csv", [], _REPEATED),
    ("--codspeed", False, _SWITCH),
    ("--codspeed-mode", None, {}),
    ("--codspeed-warmup-time", None, {"type": float}),
    ("--codspeed-max-time", None, {"type": float}),
    ("--codspeed-max-rounds", None, {"type": int}),
]

# Options that Derny obeys, or that are its default behaviour.
_OBEYED = {
    "--benchmark-disable-gc",
    "--benchmark-enable",
    "--benchmark-only",
    "--benchmark-group-by",
    "--benchmark-verbose",
    "--benchmark-quiet",
    "--codspeed",
}

_MARKER_OBEYED = {"group", "disable_gc"}

_MARKER_WORDS = {
    "group",
    "disable_gc",
    "timer",
    "min_rounds",
    "min_time",
    "max_time",
    "max_rounds",
    "precision",
    "confidence",
    "warmup",
    "warmup_iterations",
    "calibration_precision",
    "cprofile",
    "cprofile_loops",
}


def _place(option):
    return option.lstrip("-").replace("-", "_")


def add(parser):
    """Register all options, except those that an installed plug-in has registered."""
    group = parser.getgroup("derny", "options of pytest-benchmark and pytest-codspeed")
    for option, default, words in _OPTIONS:
        try:
            group.addoption(option, dest=_place(option), **{"default": default, **words})
        except ValueError:  # another plug-in has registered it
            pass


def decided(config):
    """Return the given options that have no effect under Derny."""
    given = []
    for option, default, _ in _OPTIONS:
        if option not in _OBEYED and getattr(config.option, _place(option), default) != default:
            given.append(option)
    return given


def marker_of(item):
    """Return the arguments of the closest marker of either tool, or None if there is none.

    Raise ValueError for an argument that neither tool supports.
    """
    marker = item.get_closest_marker("codspeed_benchmark") or item.get_closest_marker("benchmark")
    if marker is None:
        return None
    if marker.args:
        raise ValueError("the marker `benchmark` takes no positional arguments")
    unknown = sorted(set(marker.kwargs) - _MARKER_WORDS)
    if unknown:
        raise ValueError(f"the marker `benchmark` has no argument `{unknown[0]}`")
    return marker.kwargs


def decided_by_markers(words):
    """Return the arguments of a marker that have no effect under Derny."""
    return [f"{key}=" for key in words if key not in _MARKER_OBEYED]
