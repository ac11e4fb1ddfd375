"""The fixture `benchmark`. Its call serves all turns of a case."""

import importlib
import sys

from . import bodies
from .figures import Metadata


class FixtureAlreadyUsed(Exception):
    """A test called its fixture more than once."""


class BenchmarkFixture:
    """The object that a test receives as `benchmark`.

    `serve` takes a body and returns when the engine closes the case.
    """

    disabled, enabled, skipped, cprofile, cprofile_stats = False, True, False, None, None

    def __init__(self, node, serve, group=None, disable_gc=False):
        self.name, self.fullname = node.name, node.nodeid
        callspec = getattr(node, "callspec", None)
        self.param = callspec.id if callspec else None
        self.params = callspec.params if callspec else None
        self.group, self.has_error, self.extra_info, self.stats = group, False, {}, None
        self._serve, self._disable_gc, self._mode, self._undo = serve, disable_gc, None, []

    def __call__(self, function_to_benchmark, *args, **kwargs):
        self._use("benchmark(...)")
        if not callable(function_to_benchmark):
            raise TypeError(f"benchmark: {function_to_benchmark!r} is not callable")
        self.stats = Metadata(self, 1)
        body = bodies.call(
            function_to_benchmark, args, kwargs, self.stats.stats, self._disable_gc
        )
        self._served(body)
        return body.last(function_to_benchmark, args, kwargs)

    def whole(self, test, arguments):
        """Measure a test as a whole. Its result is not needed, so it is not called again."""
        self._use("as a whole")
        self.stats = Metadata(self, 1)
        body = bodies.call(test, (), arguments, self.stats.stats, self._disable_gc)
        self._served(body)
        if not body.has_run:
            test(**arguments)

    def pedantic(
        self,
        target,
        args=(),
        kwargs=None,
        setup=None,
        teardown=None,
        rounds=1,
        warmup_rounds=0,
        iterations=1,
    ):
        """Measure a function with a set-up or tear-down for each call.

        With one round, one iteration and no `setup`, call the function once per process, because
        it may not be repeatable. Other numbers of rounds and iterations have no effect, because
        the engine chooses them.
        """
        self._use("benchmark.pedantic(...)")
        kwargs = kwargs or {}
        _check_counts(rounds, warmup_rounds, iterations, setup)
        self.stats = Metadata(self, iterations)
        stats, is_single = self.stats.stats, rounds == iterations == 1 and not warmup_rounds
        if setup is None and teardown is None and not is_single:
            body = bodies.call(target, args, kwargs, stats, self._disable_gc)
            self._served(body)
            return body.last(target, args, kwargs)

        def make():
            made = setup() if setup is not None else None
            if made and (args or kwargs):
                raise TypeError("pedantic: `args` cannot be combined with a `setup` that returns arguments")
            return made or (args, kwargs)

        body = bodies.Pedantic(
            target,
            make,
            teardown,
            not self._disable_gc,
            stats=stats,
            is_once=is_single and setup is None,
        )
        self._served(body)
        if not body.has_run:
            body.measure(1, 1, None)
        return body.result

    def _use(self, mode):
        if self._mode is not None:
            self.has_error = True
            raise FixtureAlreadyUsed(
                f"Fixture can only be used once. Previously it was used in {self._mode} mode."
            )
        self._mode = mode

    def _served(self, body):
        try:
            self._serve(body)
        except BaseException:
            self.has_error = True
            raise

    def weave(self, target, **words):
        """Replace a function with one whose calls are measured, until the test ends."""

        def aspect(function):
            return lambda *args, **kwargs: self(function, *args, **kwargs)

        try:
            import aspectlib
        except ImportError:
            self._undo.append(_replaced(target, aspect))
        else:
            self._undo.append(aspectlib.weave(target, aspect, **words).rollback)

    patch = weave

    def is_used(self):
        return self._mode is not None

    def finish(self):
        while self._undo:
            self._undo.pop()()


def _check_counts(rounds, warmup_rounds, iterations, setup):
    for name, value, least in (
        ("iterations", iterations, 1),
        ("rounds", rounds, 1),
        ("warmup_rounds", warmup_rounds, 0),
    ):
        if not isinstance(value, int) or value < least:
            raise ValueError(f"pedantic: `{name}` must be an integer of at least {least}")
    if iterations > 1 and setup is not None:
        raise ValueError("pedantic: with `setup`, `iterations` must be 1")


def _replaced(target, aspect):
    """Replace a function, given by name (`package.module.name`) or value. Return a function that
    restores it.
    """
    if isinstance(target, str):
        path, name = target.rpartition(".")[::2]
    else:
        qualified = getattr(target, "__qualname__", "")
        if "<locals>" in qualified or not qualified:
            raise TypeError(f"weave: {target!r} is not an attribute of a module; install aspectlib to weave it")
        path, name = f"{target.__module__}.{qualified}".rpartition(".")[::2]
    owner = _owner(path)
    own = vars(owner)[name]
    function = getattr(owner, name)
    setattr(owner, name, aspect(function))
    return lambda: setattr(owner, name, own)


def _owner(path):
    parts = path.split(".")
    for end in range(len(parts), 0, -1):
        module = ".".join(parts[:end])
        try:
            found = sys.modules.get(module) or importlib.import_module(module)
        except ImportError:
            continue
        for part in parts[end:]:
            found = getattr(found, part)
        return found
    raise ImportError(f"weave: there is no module {path}")
