"""`pyperf.Runner` for scripts, with the same arguments, options and methods.

A sink determines what a bench_* call does. While a script is listed, the sink registers cases.
While a case is measured, it serves the turns of that case.
"""

import functools
import os
import sys

from ...statement import Statement
from . import bodies, options

_state = {"sink": None, "runners": set()}


def begin(sink):
    """Begin a run of the script, whose calls go to this sink.

    None ends the run. Later calls raise RuntimeError.
    """
    _state["sink"] = sink
    _state["runners"].clear()


class Listing:
    """A sink that registers cases without calling them."""

    def __init__(self, file):
        self.file, self.cases, self.has_runner = file, [], False

    def reached(self, name, inner_loops, _make):
        """Register a case. As in pyperf's workers, a script runs once per process."""
        place = {"file": self.file, "line": self._line()}
        self.cases.append({"benchmark": name, "ops": inner_loops, "isolate": True, **place})

    def _line(self):
        frame = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename != self.file:
            frame = frame.f_back
        return None if frame is None else frame.f_lineno

    def remark(self, sentence):
        """Do nothing. Remarks are reported when the case is measured."""


class Visit:
    """A sink that serves one case from within its call."""

    def __init__(self, name, loops, serve, log):
        self.name, self.loops, self.serve, self.was_reached = name, loops, serve, False
        self.remark = log

    def reached(self, name, _inner_loops, make):
        if name != self.name or self.was_reached:
            return
        self.was_reached = True
        opened = make(self.loops)
        try:
            self.serve(opened)
        finally:
            opened.close()

class Runner:
    """The object with which a script defines its benchmarks."""

    def __init__(
        self,
        values=None,
        processes=None,
        loops=0,
        min_time=0.1,
        metadata=None,
        show_name=True,
        program_args=None,
        add_cmdline_args=None,
        _argparser=None,
        warmups=1,
        hooks=None,
    ):
        kind = type(self)
        if kind in _state["runners"]:
            raise RuntimeError(
                f"only one {kind.__name__} can be created per process: "
                "use the same one for all benchmarks"
            )
        _state["runners"].add(kind)
        self._sink().has_runner = True
        self.metadata = {} if metadata is None else metadata
        self.args = None
        self._names = set()
        defaults = {
            "values": values or options.VALUES,
            "processes": processes or options.PROCESSES,
            "loops": loops,
            "min_time": min_time,
            "warmups": warmups,
            "python": sys.executable,
        }
        stated = {"values": values, "processes": processes, "loops": loops or None}
        stated.update(min_time=None if min_time == 0.1 else min_time, hooks=hooks or None)
        stated["warmups"] = None if warmups == 1 else warmups
        self._stated = [name for name, value in stated.items() if value is not None]
        self.argparser = options.add(_argparser, defaults)

    def parse_args(self, args=None):
        """Return the arguments of the script and of pyperf. They are parsed once."""
        if self.args is not None:
            if args is None:
                return self.args
            raise RuntimeError("arguments already parsed")
        self.args = self.argparser.parse_args(args)
        ignored = options.ignored(self.argparser, self.args, self._stated)
        # Scripts may read this attribute. They then behave as in a worker process of pyperf.
        self.args.worker = True
        if ignored:
            self._sink().remark(
                f"Derny chooses the number and duration of measurements: {', '.join(ignored)} "
                f"of pyperf {'have' if len(ignored) > 1 else 'has'} no effect"
            )
        return self.args

    def is_worker(self):
        """Return True, because every process measures."""
        return self.parse_args().worker

    @staticmethod
    def _sink():
        sink = _state["sink"]
        if sink is None:
            raise RuntimeError("pyperf was called after its script ended")
        return sink

    def _reached(self, name, inner_loops, make):
        self.parse_args()
        if not isinstance(name, str) or not name:
            raise TypeError(f"the name of a benchmark must be a string, not {name!r}")
        if name in self._names:
            raise ValueError(f"duplicated benchmark name: {name!r}")
        self._names.add(name)
        self._sink().reached(name, inner_loops, make)

    def bench_func(self, name, func, *args, inner_loops=None, metadata=None):
        """Benchmark `func(*args)`."""
        call = functools.partial(func, *args) if args else func
        self._reached(name, inner_loops, lambda loops: bodies.function(call))

    def bench_time_func(self, name, time_func, *args, inner_loops=None, metadata=None):
        """Benchmark `time_func(loops, *args)`, which returns seconds."""
        self._reached(name, inner_loops, lambda loops: bodies.Timed(time_func, args))

    def bench_async_func(
        self, name, func, *args, inner_loops=None, metadata=None, loop_factory=None
    ):
        """Benchmark `await func(*args)`. All calls use the same event loop."""
        call = functools.partial(func, *args) if args else func

        def make(loops):
            loops.made(loop_factory)
            return bodies.function(call, is_async=True, run=loops.run)

        self._reached(name, inner_loops, make)

    def timeit(
        self,
        name,
        stmt=None,
        setup="pass",
        teardown="pass",
        inner_loops=None,
        duplicate=None,
        metadata=None,
        globals=None,
    ):
        """Benchmark one or more statements. The default name is the statement itself."""
        lines = _lines(name if stmt is None else stmt)
        if not lines:
            raise ValueError("need at least one statement")
        if duplicate and duplicate > 1:
            lines, inner_loops = lines * duplicate, (inner_loops or 1) * duplicate
        # As with pyperf, statements can import modules from the working directory.
        sys.path.insert(0, os.curdir)
        parts = ["\n".join(part) for part in (lines, _lines(setup), _lines(teardown))]
        self._reached(name, inner_loops, lambda loops: Statement(*parts, scope=globals))

    def bench_command(self, name, command):
        self._reached(name, None, lambda loops: bodies.Command(command))


def _lines(texts):
    texts = [texts] if isinstance(texts, str) else texts
    return [text.rstrip() for text in texts if text.strip()]
