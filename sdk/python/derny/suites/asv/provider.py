"""The provider (see session.py) of an asv suite."""

import fnmatch
import importlib.util
import inspect
import os
import sys
import timeit

from ... import loop
from ...registry import Skip
from . import bodies, cache, names
from .benchmark import DECIDED
from .discovery import Broken

# The metrics of benchmarks that are not timed.
METRICS = {"mem": "mem:B:level:less", "peakmem": "peakmem:B:level:less"}


def directions(words):
    """Return [(pattern, direction)], the direction in which `track_` benchmarks improve.

    Raise ValueError for any other argument.
    """
    found, words = [], list(words)
    while words:
        option, _, pattern = words.pop(0).partition("=")
        direction = option.lstrip("-")
        if direction not in ("more", "less", "none") or not (pattern or words):
            raise ValueError(
                f"a suite of asv has no option `{option}`. Use --more=PATTERN, --less=PATTERN or "
                "--none=PATTERN to say whether larger or smaller values of track_ benchmarks are better"
            )
        found.append((pattern or words.pop(0), direction))
    return found


class AsvProvider:
    """The provider of an asv suite. Its cases have asv's order and names.

    `turned` contains the directions of `track_` benchmarks that the user has set; see `directions`.
    """

    can = ("expand",)

    def __init__(self, suite, settings, turned=()):
        self.suite, self.settings, self.session = suite, settings, None
        self.turned = turned
        self.project, self.root = settings["project"], settings["conf_dir"]

    def files(self):
        """Return all files of the benchmark folder, without importing them."""
        below = os.walk(self.suite.folder)
        return [os.path.join(folder, name) for folder, _, names in below for name in names]

    def around(self, session):
        """Run the session, and report remarks during it."""
        self.session = session
        session.run()

    def cases(self, given, is_test):
        """Yield the fields of all `case` lines.

        A module that cannot be imported is listed as a parent. Listing its children raises the
        error.
        """
        decided = self.decided()
        if decided and self.session is not None:
            self.session.log(f"settings without effect under Derny: {', '.join(decided)}")
        for found in self.suite.all().values():
            if isinstance(found, Broken):
                yield {"benchmark": found.name, "parent": True, "file": found.file}
                continue
            shared = self._shared(found)
            for texts, values, indices in names.combinations(found.axes):
                fields = {"benchmark": found.name}
                chosen = zip(found.axes, texts)
                fields.update((f"p.{axis.name}", text) for axis, text in chosen)
                if any(
                    text not in given.get(axis.name, (text,))
                    for axis, text in zip(found.axes, texts)
                ):
                    continue
                skip = shared.get("skip")
                if found.is_skipped(values):
                    skip = "skip_params contains this combination"
                at = ".".join(f"{i}/{len(axis.values)}" for axis, i in zip(found.axes, indices))
                yield {**fields, **shared, "skip": skip, "at": at or None}
                if is_test:
                    break

    def _shared(self, found):
        module = found.name.rpartition(".")[0].partition(".")[0]
        file, line = found.place() or (None, None)
        timeout = found.timeout or self.settings.get("default_benchmark_timeout")
        fields = {
            "prepared": found.cache_key(),
            "timeout_ns": round(float(timeout) * 1e9) if timeout else None,
            "suite": module or None,
            "file": file,
            "line": line,
        }
        if found.kind in ("time", "timeraw"):
            fields["max_iterations"] = found.number or None
            if found.is_once:
                fields.update(isolate=True, timing="self")
            return fields
        fields["isolate"] = found.kind == "peakmem"
        metric = METRICS.get(found.kind)
        if metric is None:
            unit = str(found.attribute("unit", "unit")).replace(":", "/") or "unit"
            metric = f"track:{unit}:level:{self._direction(found.name)}"
        fields["metrics"] = [metric]
        if found.kind == "mem" and importlib.util.find_spec("pympler") is None:
            fields["skip"] = (
                f"mem_ benchmarks need pympler, as under asv: {sys.executable} -m pip install pympler"
            )
        return fields

    def _direction(self, name):
        """Return the direction of improvement: smaller values, as in asv, unless the user sets
        another.
        """
        fits = (word for pattern, word in self.turned if fnmatch.fnmatchcase(name, pattern))
        return next(fits, "less")

    def expand(self, name, _texts):
        found = self.suite.all().get(name)
        if isinstance(found, Broken):
            raise found.error
        raise ValueError(f"there is nothing below {name}")

    def prepare(self, key):
        for found in self.suite.all().values():
            if not isinstance(found, Broken) and found.cache_key() == key:
                hooks = [setup for setup in found.setups if _takes_nothing(setup)]
                cache.make(key, hooks, found.setup_cache)
                return
        raise ValueError(f"no benchmark has the setup_cache {key}")

    def open(self, name, texts, loops, at=None):
        """Set up a case in the folder in which asv would run it. Return the opened case.

        `at` contains the positions of the parameters' values, in case their texts are not found.
        """
        found = self.suite.one(name)
        if isinstance(found, Broken):
            raise found.error
        if found is None:
            raise Skip(f"the suite of this variant has no benchmark {name}")
        found = found.anew()
        key = found.cache_key()
        os.chdir(cache.folder(key or f"case-{os.getpid()}"))
        values = self._values(found, texts, at)
        if found.is_skipped(values):
            raise Skip("skip_params contains this combination")
        if key:
            made = cache.load(key)
            values = values if made is None else (made, *values)
        return Setting(found, values).opened(_identity(name, texts))

    def _values(self, found, texts, at):
        places = [None] * len(found.axes)
        if at:
            places = [tuple(map(int, place.split("/"))) for place in at.split(".")]
        for axis in found.axes:
            if axis.name not in texts:
                raise ValueError(f'{found.name} needs a value for its parameter "{axis.name}"')
        if len(texts) != len(found.axes) or len(places) != len(found.axes):
            known = ", ".join(axis.name for axis in found.axes) or "none"
            raise ValueError(f"{found.name} has different parameters: {known}")
        return tuple(
            axis.values[axis.index_of(texts[axis.name], place)]
            for axis, place in zip(found.axes, places)
        )

    def decided(self):
        """Return the names of the suite's settings that have no effect under Derny."""
        known = [own for own in self.suite.all().values() if not isinstance(own, Broken)]
        return sorted({name for name in DECIDED for own in known if own.attribute(name) is not None})


def _identity(name, texts):
    return "-".join([name, *texts.values()])


def _takes_nothing(setup):
    """Return whether a hook belongs to a module and can be called without arguments."""
    if inspect.ismethod(setup):
        return False
    try:
        inspect.signature(setup).bind()
    except TypeError:
        return False
    return True


class Setting:

    def __init__(self, found, arguments):
        self.found, self.arguments, self.was_called = found, arguments, False

    def setup(self):
        try:
            for setup in self.found.setups:
                setup(*self.arguments)
        except NotImplementedError as error:
            raise Skip(str(error) or "its set-up raised NotImplementedError") from error

    def teardown(self):
        for teardown in self.found.teardowns:
            teardown(*self.arguments)

    def again(self):
        self.teardown()
        self.setup()

    def opened(self, identity):
        self.setup()
        found, function, arguments = self.found, self.found.function, self.arguments
        if found.kind == "time":
            return self._timed(identity)
        if found.kind == "timeraw":
            return bodies.Raw(function, arguments, found.attribute("env"), self.teardown)
        value = {"track": bodies.tracked, "mem": bodies.size, "peakmem": bodies.peak}[found.kind]
        return bodies.Value(value(function, arguments), self.teardown)

    def _timed(self, identity):
        found = self.found
        timer = found.attribute("timer")
        if timer is timeit.default_timer:
            timer = None
        one = bodies.Timed(found.function, self.arguments, timer, self.teardown)
        one.times_itself = found.is_once
        if found.is_once or not found.setups:
            return one
        # If the number is fixed, asv runs the set-up before each sample of that many calls.
        is_fixed = found.number > 0
        if is_fixed or cache.agreed(identity, lambda: self._wears_out(one)):
            return bodies.PerCall(found.function, self.arguments, self.again, timer, self.teardown)
        if self.was_called:
            self.again()
            loop.take_result()
        return one

    def _wears_out(self, one):
        self.was_called = True
        return bodies.wears_out(one, self.again)
