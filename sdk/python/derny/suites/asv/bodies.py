"""Opened cases of asv suites, with the methods of `loop.Opened`.

If the number of calls per set-up affects the time, it is the number that asv uses.
"""

import array
import os
import sys

from ... import clock, loop

# The first call after a set-up counts as equal to later ones up to this difference.
_ALIKE_NS, _ALIKE_SHARE = 100, 0.25
# Maximum time (in ns) and number of rounds for comparing the first call with later ones.
_COMPARED_NS, _COMPARED_ROUNDS = 150_000_000, 8
_LATER_CALLS, _LATER_NS = 20, 1_000_000


class Timed(loop.Opened):
    """A `time_` benchmark without set-ups between its calls.

    As in `timeit`, the garbage collector is off during a turn.
    """

    calls_per_setup = None

    def __init__(self, function, arguments, timer=None, teardown=None):
        values = {f"p{i}": value for i, value in enumerate(arguments)}
        super().__init__(
            function, ", ".join(values), values, collector=False, teardown=teardown
        )
        if timer is not None:
            self.batch = self.keeping = _timed_by(timer, function, arguments)
            self.empty = _timed_by(timer, lambda *_: None, arguments)


def _timed_by(timer, function, arguments):
    """Return a loop that reads the benchmark's own `timer`, in seconds."""

    def batch(it):
        begun = timer()
        for _ in it:
            loop.SINK[0] = function(*arguments)
        return max(0, round((timer() - begun) * 1e9))

    return batch


class PerCall(Timed):
    """A `time_` benchmark with an untimed set-up before each call.

    If set-ups take long, a batch ends when its turn is over, and its time is extrapolated from
    the calls so far. Counters are not reported, because they would include the set-ups.
    """

    calls_per_setup = 1
    is_mixed = True

    def __init__(self, function, arguments, again, timer=None, teardown=None):
        super().__init__(function, arguments, timer, teardown)
        self.again = again

    def measure(self, iterations, batches, within_ns, keeps=False):
        batch = self.keeping if keeps or self.is_new else self.batch
        self.is_new = False
        return self._calls(batch, iterations, batches, within_ns, self.again)

    def overhead(self, iterations, batches):
        return self._calls(self.empty, iterations, batches, None, lambda: None)

    def _calls(self, batch, iterations, batches, within_ns, before):
        limit = None if within_ns is None else clock.now() + within_ns
        count = 0
        while True:
            total = done = 0
            while done < iterations:
                before()
                total += batch(self.feed(1))
                done += 1
                if limit is not None and clock.now() >= limit:
                    break
            loop.TIMES[count] = round(total * iterations / done)
            count += 1
            if count == batches or (limit is not None and clock.now() >= limit):
                return count


def wears_out(opened, again):
    """Return whether later calls fail, or take more or less time than the first after a set-up.

    Both are measured warm and in one process. `opened` is a case that has been set up, and `again`
    sets it up again.
    """
    end = clock.now() + _COMPARED_NS
    firsts, laters = [], []
    for number in range(_COMPARED_ROUNDS):
        if number:
            again()
        try:
            first = opened.batch(opened.feed(1))
        except BaseException:
            return False  # the first call fails too, and the first turn will report it
        try:
            until = clock.now() + _LATER_NS
            for _ in range(_LATER_CALLS):
                later = opened.batch(opened.feed(1))
                if clock.now() > until:
                    break
        except BaseException:
            return True
        if number:  # ignore the first round, which loads code and fills caches
            firsts.append(first)
            laters.append(later)
        if clock.now() > end and firsts:
            break
    first, later = min(firsts), min(laters)
    return abs(first - later) > _ALIKE_NS + _ALIKE_SHARE * max(first, later)


class Raw:
    """A `timeraw_` benchmark. It returns the source of a program, which is timed in a new
    interpreter.
    """

    is_async, collector, readers = False, True, ()

    def __init__(self, function, arguments, env, teardown):
        self.function, self.arguments, self.close = function, arguments, teardown
        self.env = {**os.environ, **{str(key): str(value) for key, value in (env or {}).items()}}

    def measure(self, iterations, batches, within_ns, keeps=False):
        return self._turn(self._text, iterations, batches, within_ns)

    def overhead(self, iterations, batches):
        return self._turn(lambda: ("pass", ""), iterations, batches, None)

    def check(self):
        self.measure(1, 1, None)

    def _text(self):
        made = self.function(*self.arguments)
        return made if isinstance(made, tuple) else (made, "")

    def _turn(self, text, iterations, batches, within_ns):
        limit = None if within_ns is None else clock.now() + within_ns
        count = 0
        while True:
            loop.TIMES[count] = self._one(*text(), iterations)
            count += 1
            if count == batches or (limit is not None and clock.now() >= limit):
                return count

    def _one(self, statement, setup, iterations):
        import subprocess
        import textwrap

        program = (
            "import sys, timeit\n"
            f"seconds = timeit.timeit({textwrap.dedent(statement)!r}, "
            f"{textwrap.dedent(setup)!r}, number={iterations})\n"
            "sys.stdout.write(f'\\n{round(seconds * 1e9)}')\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], env=self.env, capture_output=True, text=True
        )
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
            raise RuntimeError(f"the program of the benchmark failed: {last[0]}")
        return max(0, int(done.stdout.rsplit("\n", 1)[-1]))


class Value:
    """A benchmark that returns a number. Like asv, Derny calls it once per process."""

    is_async, collector, is_mixed = False, True, True

    def __init__(self, value, teardown):
        self.value, self.close, self.known = value, teardown, None
        self.readers = [self._read]

    def measure(self, iterations, batches, within_ns, keeps=False):
        if self.known is None:
            self.known = array.array("d", [self.value()])
        return 0

    def overhead(self, iterations, batches):
        return 0

    def check(self):
        self.measure(1, 1, None)
        return self.known[0]

    def _read(self):
        return self.known[0] if self.known and self.known[0] == self.known[0] else None


def tracked(function, arguments):
    """Return a function that calls a `track_` benchmark and returns its number."""

    def value():
        found = function(*arguments)
        try:
            return float(found)
        except (TypeError, ValueError):
            kind = type(found).__name__
            raise TypeError(f"a track_ benchmark must return a number, not {kind}") from None

    return value


def size(function, arguments):
    """Return a function that returns how many bytes one more object of a `mem_` benchmark takes."""

    def value():
        import copy

        from pympler.asizeof import asizeof

        made = function(*arguments)
        # A list of the same object twice counts it once. A copy shares the parts that a second
        # object would share.
        return float(asizeof([made, copy.copy(made)]) - asizeof([made, made]))

    return value


def peak(function, arguments):
    """Return a function that calls a `peakmem_` benchmark and returns the process's peak memory in
    bytes.
    """

    def value():
        import resource

        function(*arguments)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return float(most if sys.platform == "darwin" else most * 1024)

    return value
