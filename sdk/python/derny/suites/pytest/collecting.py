"""Collects benchmark files. A file that cannot be collected is reported as a separate error.

Like the command `pytest`, this collects all files at once, because settings of a conftest.py
apply within one collection.
"""

import os
import re

from . import options, plugin

# The name of a value may contain a memory address, which differs between processes.
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")

_FIXTURES = frozenset(("benchmark", "codspeed_benchmark", "benchmark_weave"))
_NO_TAGS = _FIXTURES | {"parametrize", "usefixtures", "filterwarnings", "skip", "skipif", "xfail"}


class NotCollected(Exception):
    """A file could not be collected. The class name is that of the exception raised in the file."""


def uses_fixture(item):
    """Return whether a test uses the fixture, directly or through another fixture."""
    return not _FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


def is_benchmark(item):
    names = ("benchmark", "codspeed_benchmark")
    return uses_fixture(item) or any(item.get_closest_marker(name) for name in names)


class Files:
    """The tests of some files by the names of their cases."""

    def __init__(self, below, files):
        self.below, self.files, self.known = below, files, None

    def named(self, file):
        return "" if file == self.below else os.path.relpath(file, self.below).replace(os.sep, "/")

    def tests(self, file):
        """Return {name: test} for the benchmarks of a file. They are collected only once.

        Raise the error with which the file could not be collected.
        """
        if self.known is None:
            self.known = self._collected()
        found = self.known[file]
        if isinstance(found, Exception):
            raise found
        return found

    def test(self, name):
        begin = name.partition("::")[0]
        for file in self.files:
            if self.named(file) in ("", begin):
                test = self.tests(file).get(name)
                if test is not None:
                    return test
        raise ValueError(f'there is no benchmark "{name}" in these files')

    def _collected(self):
        """Return {file: {name: test}}. For a file that failed, the value is an exception."""
        import pytest

        session, state = plugin.STATE.session, plugin.STATE
        state.failed, state.deselected = [], []
        try:
            items = session.perform_collect(self.files)
        except pytest.UsageError:  # pytest does not find a file that the project ignores
            items = [item for file in self.files for item in self._alone(session, file)]
        plugin.go_on(session)
        known = {file: {} for file in self.files}
        for item in filter(is_benchmark, items):
            file = plugin.path_of(item)
            if file in known:
                known[file][self._name(item, file, known[file])] = item
        for place, report, error in state.failed:
            for file in self.files:
                if file == place or file.startswith(place + os.sep):
                    known[file] = _failure(report, error)
        return known

    @staticmethod
    def _alone(session, file):
        import pytest

        try:
            return session.perform_collect([file])
        except pytest.UsageError:
            return []

    def _name(self, item, file, taken):
        begin, rest = self.named(file), _ADDRESS.sub("", item.nodeid.partition("::")[2])
        name = plain = f"{begin}::{rest}" if begin else rest
        number = 1
        while name in taken:
            number += 1
            name = f"{plain} #{number}"
        return name


def _failure(report, error):
    """Return the exception in a report or, if pytest raised it, its cause."""
    while error is not None and error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, Exception) and type(error).__name__ != "CollectError":
        return trimmed(error)
    text = str(report.longrepr).strip()
    return NotCollected(text.splitlines()[-1] if text else "pytest cannot collect it")


def fields(name, item, file):
    words = options.marker_of(item) or {}
    marks = dict.fromkeys(mark.name for mark in item.iter_markers())
    line = item.location[1]
    return {
        "benchmark": name,
        "group": words.get("group"),
        "tags": [mark for mark in marks if mark not in _NO_TAGS],
        "file": file,
        "line": None if line is None else line + 1,
    }


def trimmed(error):
    """Remove pytest's own frames from the start of a traceback."""
    import importlib

    import _pytest
    import pluggy

    modules = (_pytest, pluggy, importlib)
    own = tuple(os.path.dirname(module.__file__) + os.sep for module in modules)
    trace = error.__traceback__
    while trace is not None and _is_frame_of(trace, own):
        trace = trace.tb_next
    return error.with_traceback(trace or error.__traceback__)


def _is_frame_of(trace, own):
    file = trace.tb_frame.f_code.co_filename
    return file.startswith((*own, "<frozen", os.path.dirname(os.path.dirname(__file__))))
