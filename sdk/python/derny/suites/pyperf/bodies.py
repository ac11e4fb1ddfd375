"""Bodies in pyperf scripts: functions, functions that measure their own time, and commands.

All have the methods of `loop.Opened`.
"""

import math
import os
import subprocess
import tempfile

from ... import clock, loop
from ...loop import Opened


class Body:
    """A body that runs a batch itself and returns its time in ns."""

    is_async, readers, collector = False, (), True

    def batch(self, iterations):
        raise NotImplementedError

    def measure(self, iterations, batches, within_ns, keeps=False):
        return loop._turn(self.batch, iterations, batches, within_ns, None, None, _same)

    def overhead(self, iterations, batches):
        return loop._turn(_nothing, iterations, batches, None, None, None, _same)

    def check(self):
        self.measure(1, 1, None)

    def close(self):
        """Do nothing, because the script cleans up."""


def _same(iterations):
    return iterations


def _nothing(_iterations):
    begun = clock.now()
    return clock.now() - begun


def function(call, is_async=False, run=None):
    """Return the body of bench_func or bench_async_func."""
    return Opened(call, is_async=is_async, run=run)


class Timed(Body):
    """The body of bench_time_func: a function of the number of loops that returns seconds."""

    def __init__(self, function, args):
        self.function, self.args = function, args

    def batch(self, iterations):
        seconds = self.function(iterations, *self.args)
        try:
            is_time = math.isfinite(seconds) and seconds >= 0
        except TypeError:
            is_time = False
        if not is_time:
            raise TypeError(
                f"the function of bench_time_func must return seconds, not {seconds!r}"
            )
        return round(seconds * 1e9)


class Command(Body):
    """The body of bench_command: a process, timed from its start to its end."""

    def __init__(self, command):
        self.command = [command] if isinstance(command, str) else list(command)
        self.errors = tempfile.TemporaryFile()

    def batch(self, iterations):
        total = 0
        for _ in range(iterations):
            self.errors.seek(0)
            self.errors.truncate()
            begun = clock.now()
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self.errors,
            )
            status = process.wait()
            total += clock.now() - begun
            if status != 0:
                program = self.command[0]
                raise RuntimeError(f"{program} exited with status {status}{self._last()}")
        return total

    def _last(self):
        self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(self.errors.tell() - 2000, 0))
        lines = self.errors.read().decode("utf-8", "replace").strip().splitlines()
        return f": {lines[-1]}" if lines else ""

    def close(self):
        self.errors.close()
