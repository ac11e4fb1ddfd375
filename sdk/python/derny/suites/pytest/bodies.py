"""Bodies of tests: a function with its arguments, called in the way the test uses the fixture.

Both classes have the methods of `loop.Opened`, and record times for `benchmark.stats`.
"""

import sys

from ... import clock, loop
from ...registry import Skip


# The result of a call that takes longer than this, in ns, is kept, so that the test does not need
# another call.
LONG_NS = 10_000_000


def call(function, args, kwargs, stats, disables_gc):
    """Return the body of `benchmark(function, *args, **kwargs)`."""
    values = {f"p{place}": value for place, value in enumerate(args)}
    named = {f"k{place}": value for place, value in enumerate(kwargs.values())}
    words = list(values)
    if all(name.isidentifier() for name in kwargs):
        words += [f"{name}={short}" for name, short in zip(kwargs, named)]
        values.update(named)
    else:
        words.append("**named")
        values["named"] = dict(kwargs)
    return Calls(function, ", ".join(words), values, stats=stats, collector=not disables_gc)


class _Untraced:
    """Turns tracing and profiling off while the code is timed."""

    def __enter__(self):
        self.trace, self.profile = sys.gettrace(), sys.getprofile()
        if self.trace is not None:
            sys.settrace(None)
        if self.profile is not None:
            sys.setprofile(None)

    def __exit__(self, *_):
        if self.trace is not None:
            sys.settrace(self.trace)
        if self.profile is not None:
            sys.setprofile(self.profile)


class _Noted:
    """A body that records its times in `stats`, and the exception that it raised."""

    stats, is_once, has_run, error = None, False, False, None
    # Returns the reason why pytest does not count an exception as a failure, or None if it does.
    skip_of = staticmethod(lambda error: None)

    def measure(self, iterations, batches, within_ns, keeps=False):
        """Run a turn and record its times. Raise Skip if pytest skips the test because of an
        exception.
        """
        self.has_run = True
        with _Untraced():
            count = self._noted(lambda: super(_Noted, self).measure(iterations, batches, within_ns, keeps))
        self.stats.add(loop.TIMES[:count], iterations)
        return count

    def check(self):
        """Call the body once. Return the result. Raise Skip as `measure` does."""
        return self._noted(super().check)

    def _noted(self, act):
        try:
            return act()
        except Skip:
            raise
        except BaseException as error:
            self.error = error
            reason = self.skip_of(error)
            if reason is not None:
                raise Skip(reason) from error
            raise


class Calls(_Noted, loop.Opened):
    """The body of `benchmark(function, …)`."""

    def __init__(self, *args, stats, **more):
        super().__init__(*args, **more)
        self.stats, self.kept = stats, None

    def measure(self, iterations, batches, within_ns, keeps=False):
        """Run a turn. Keep the result of a long call, so that the test gets it without another
        call.
        """
        self.kept = None
        count = super().measure(iterations, batches, within_ns, keeps or iterations == 1)
        if iterations == 1 and loop.TIMES[count - 1] > LONG_NS:
            self.kept = [loop.SINK[0]]
        return count

    def last(self, function, args, kwargs):
        """Return the last result or, if it was not kept, that of another call."""
        return self.kept[0] if self.kept else function(*args, **kwargs)


class _EachTimed:
    """A body whose calls are timed one by one, with untimed work before and after each."""

    is_async, readers = False, ()

    def __init__(self, target, make, after, collector):
        self.target, self.make, self.after, self.collector = target, make, after, collector
        self.result = None

    def measure(self, iterations, batches, within_ns, keeps=False):
        """Run a turn and store its times in loop.TIMES. Return the number of batches."""

        def batch(count):
            total = 0
            for _ in range(count):
                args, kwargs = self.make()
                total += _timed(self.target, args, kwargs)
                self.result = loop.SINK[0]
                if self.after is not None:
                    self.after(*args, **kwargs)
            if not keeps:
                loop.SINK[0] = None
            return total

        return loop._turn(batch, iterations, batches, within_ns, None, None, lambda n: n)

    def overhead(self, iterations, batches):
        """Run a turn of an empty body, timed call by call."""

        def batch(count):
            return sum(_timed(_nothing, (), {}) for _ in range(count))

        return loop._turn(batch, iterations, batches, None, None, None, lambda n: n)

    def check(self):
        self.measure(1, 1, None, keeps=True)
        return loop.take_result()

    def close(self):
        """Do nothing, because the test cleans up."""


class Pedantic(_Noted, _EachTimed):
    """The body of `benchmark.pedantic(…)`, with a set-up or tear-down for each call, or with a
    single call.
    """

    def __init__(self, *args, stats, is_once, **more):
        super().__init__(*args, **more)
        self.stats, self.is_once = stats, is_once


def _timed(function, args, kwargs):
    begun = clock.now()
    result = function(*args, **kwargs)
    time = clock.now() - begun
    loop.SINK[0] = result
    return time


def _nothing(*_args, **_kwargs):
    return None


