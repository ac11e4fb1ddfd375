"""The options that pyperf scripts accept. Most of them control the measurement, which is Derny's
task: they are ignored and reported once. An option that Derny cannot support is an error.
"""

import argparse

PROCESSES, VALUES = 20, 3

# Options with a value: their flags and types.
_VALUES = [
    ("-p --processes", int),
    ("-n --values", int),
    ("-w --warmups", int),
    ("-l --loops", lambda text: int(text) if "^" not in text else _power(text)),
    ("--min-time", float),
    ("--timeout", int),
    ("-o --output", str),
    ("--append", str),
    ("--affinity", str),
    ("--inherit-environ", str),
    ("--pipe", int),
    ("--worker-task", int),
    ("--python", str),
    ("--compare-to", str),
    ("--python-names", str),
    ("--profile", str),
]
_SWITCHES = [
    *"--rigorous --fast --debug-single-value --worker --in-process --copy-env --no-locale".split(),
    *"--calibrate-loops --recalibrate-loops --calibrate-warmups --recalibrate-warmups".split(),
    *"--tracemalloc --track-memory".split(),
    *("-v --verbose", "-q --quiet", "-d --dump", "-m --metadata", "-g --hist", "-t --stats"),
]

# Unsupported options, each with its replacement.
_REFUSED = {
    "python": "use derny run -x NAME=PYTHON to measure with another interpreter",
    "compare_to": "use derny run -x a=PYTHON -x b=PYTHON to compare two interpreters",
    "python_names": "name the variants with derny run -x NAME=PYTHON",
    "profile": "use derny run --profiler CMD",
    "hook": "hooks of pyperf are not supported",
    "tracemalloc": "use derny run --set modes=heap to measure memory",
    "track_memory": "use derny run --set modes=heap to measure memory",
}
# Options that are ignored silently, because they make no difference.
_SILENT = {"verbose", "quiet", "copy_env", "locale", "inherit_environ", "worker", "pipe"}


def _power(text):
    base, _, exponent = text.partition("^")
    return int(base) ** int(exponent)


def add(parser, defaults):
    parser = argparse.ArgumentParser() if parser is None else parser
    parser.description = "Benchmark"
    group = parser.add_argument_group("pyperf")
    for flags, kind in _VALUES:
        group.add_argument(*flags.split(), type=kind, default=defaults.get(_name(flags)))
    for flags in _SWITCHES:
        is_off = flags.startswith("--no-")
        action = "store_false" if is_off else "store_true"
        group.add_argument(*flags.split(), dest=_name(flags), action=action)
    group.add_argument("--hook", action="append")
    return parser


def _name(flags):
    name = flags.split()[-1].lstrip("-")
    return (name[3:] if name.startswith("no-") else name).replace("-", "_")


def ignored(parser, args, stated):
    """Return the options and arguments of a script that have no effect under Derny.

    `stated` contains the arguments of Runner. Raise ValueError for an option that is not supported.
    """
    found = [f"Runner({name}=…)" for name in stated]
    for name in vars(args):
        value = getattr(args, name)
        if name in _REFUSED and value not in (None, False, parser.get_default(name)):
            flag = f"--{name.replace('_', '-')}"
            raise ValueError(f"the option {flag} of pyperf is not supported: {_REFUSED[name]}")
        if name in _KNOWN and name not in _SILENT and value != parser.get_default(name):
            found.append(f"--{name.replace('_', '-')}")
    return found


_KNOWN = {_name(flags) for flags in [*_SWITCHES, *(flags for flags, _ in _VALUES)]}
