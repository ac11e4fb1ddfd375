"""The provider (see session.py) of pytest tests.

A test runs when the engine opens its case. The call of its fixture serves the turns of the case,
and returns when the engine closes it. Then the test continues. Fixtures of a module or a session
are kept for the next case.
"""

import os
import sys
import zlib

from ... import package
from ...registry import Skip
from ...wire import DETAIL_LIMIT, MESSAGE_LIMIT, cut, sentence, traceback_of
from . import hooks, modules, options, outcomes, plugin
from .collecting import Files, fields, is_benchmark, trimmed, uses_fixture
from .fixture import BenchmarkFixture

SCRATCH = "DERNY_SCRATCH"


class NotUsed(Exception):
    """A test passed without measuring anything."""


class PytestError(ValueError):
    """Pytest cannot be started."""


class _Tail:
    """A stream that forwards text to another stream and keeps the last part of it."""

    def __init__(self, stream):
        self.stream, self.text = stream, ""

    def write(self, text):
        self.text = (self.text + text)[-10_000:]
        return self.stream.write(text)

    def __getattr__(self, name):
        return getattr(self.stream, name)


class _Kept:
    """A placeholder for the next test of the same module, which keeps the module's fixtures alive."""

    def __init__(self, item):
        self.item = item

    def listchain(self):
        return self.item.listchain()[:-1]

    def __getattr__(self, name):
        return getattr(self.item, name)


class Visit:

    def __init__(self, item, serve):
        self.item, self.is_whole = item, not uses_fixture(item)
        self._serve, self._ends = serve, []
        self.is_served, self.told, self.extra_info = False, None, {}

    def fixture(self, node):
        words = options.marker_of(self.item) or {}
        disables = words.get("disable_gc", self.item.config.option.benchmark_disable_gc)
        fixture = BenchmarkFixture(node, self.serve, words.get("group"), disables)
        self.extra_info = fixture.extra_info
        return fixture

    def serve(self, body):
        """Serve the turns of a body. Raise an exception that one of them raised."""
        self.is_served = True
        body.skip_of = lambda error: outcomes.skip_of(self.item, error)
        self._serve(body)
        error = body.error
        if error is None:
            return
        if not isinstance(error, Exception) and not outcomes.is_outcome(error):
            # An exception of this kind would end pytest.
            error = RuntimeError(f"{type(error).__name__}: {error}")
        self.told = error
        raise error

    def ended(self, when, excinfo, report):
        self._ends.append((when, excinfo, report))

    def conclude(self):
        """Raise the test's error, unless a turn has reported it. Raise NotUsed or Skip if nothing was
        measured.
        """
        for _, excinfo, report in self._ends:
            error = excinfo.value if excinfo else None
            if error is not None and error is self.told:
                continue
            if report.skipped and not self.is_served:
                raise Skip(getattr(report, "wasxfail", None) or _reason(report, error))
            if report.failed:
                raise trimmed(error) if error else AssertionError(str(report.longrepr))
        if not self.is_served and self.is_whole:
            raise NotUsed("only test functions of pytest can be measured as a whole, not this marked test")
        if not self.is_served:
            raise NotUsed("nothing was measured: the test did not call `benchmark`")


def _reason(report, error):
    message = getattr(error, "msg", None)
    if not message and isinstance(report.longrepr, tuple):
        message = report.longrepr[2]
    return message or "the test was skipped"


class Provider:

    def __init__(self, words):
        where = words.index("--files")
        _, self.root, _, below, *self.words = words[:where]
        files = [os.path.abspath(file) for file in words[where + 1 :]]
        # A revision may not contain all files.
        self.tests = Files(os.path.abspath(below), list(filter(os.path.isfile, files)))
        self.session, self.has_started, self.said = None, False, set()

    def around(self, session):
        """Run pytest, and the conversation within its test loop."""
        import pytest

        self.session = session
        self._add_root()
        modules.install(plugin.FIXTURES)
        plugin.STATE.talk = self._talk
        stderr, tail = sys.stderr, _Tail(sys.stderr)
        sys.stderr = tail
        try:
            pytest.main(self._arguments(), plugins=[plugin])
        finally:
            sys.stderr = stderr
        if not self.has_started:
            raise _not_started(plugin.STATE.internal_error, tail.text)

    def _add_root(self):
        """Make modules in the root importable, as `python -m pytest` does.

        In a git worktree, which the engine makes for a revision, the root comes first. The
        installed package may be of another revision.
        """
        folders = [os.path.join(self.root, "src"), self.root]
        if os.path.isfile(os.path.join(self.root, ".git")):
            sys.path[:0] = [folder for folder in folders if os.path.isdir(folder)]
        else:
            sys.path.append(self.root)

    def _arguments(self):
        # The engine captures the output. Some projects look for these options on the command line.
        own = ["-s", "--benchmark-only", "--codspeed", "-o", "required_plugins="]
        own += ["-p", "no:benchmark", "-p", "no:codspeed"]
        sys.argv = ["pytest", *self.words, *own, *self.tests.files]
        return sys.argv[1:]

    def files(self):
        """Return the collected benchmark files, and the conftest.py files in their folders and
        above.
        """
        for file in self.tests.files:
            try:
                self.tests.tests(file)
            except Exception:  # reported when its cases are listed
                pass
        known = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        conftests = [file for file in known if file and os.path.basename(file) == "conftest.py"]
        return [*self.tests.files, *conftests]

    def _talk(self):
        self.has_started = True
        package.begin()
        self.session.run()

    def cases(self, given, is_test):
        """Yield the fields of all `case` lines, including those for files that cannot be collected."""
        for file in self.tests.files:
            try:
                for name, item in self.tests.tests(file).items():
                    yield fields(name, item, file)
            except Exception as error:
                yield self._broken(file, error)
        out = sum(map(is_benchmark, plugin.STATE.deselected))
        if out:
            self.session.log(f"{out} benchmarks are deselected by -k, -m or a conftest.py")

    def _broken(self, file, error):
        return {
            "benchmark": self.tests.named(file) or os.path.basename(file),
            "file": file,
            "error": cut(sentence(error), MESSAGE_LIMIT),
            "detail": cut(traceback_of(error), DETAIL_LIMIT),
        }

    def visit(self, name, texts, loops, serve):
        """Run the test of a case, which calls `serve`. Raise its errors."""
        if texts:
            raise ValueError(f'the benchmark "{name}" has no parameters: they are part of its name')
        item = self.tests.test(name)
        self._say_once(item)
        self._leave(item)
        visit = plugin.STATE.visit = Visit(item, serve)
        try:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=_Kept(item))
        finally:
            plugin.STATE.visit = None
        if not self.session.has_ended:
            visit.conclude()
        return visit.extra_info

    def _leave(self, item):
        """Tear down the module of the last test, unless `item` is in it."""
        setup = plugin.STATE.session._setupstate
        takes = setup.teardown_exact.__code__.co_argcount
        try:
            setup.teardown_exact(*([item] if takes == 2 else [None, item]))
        except Exception as error:
            self.session.log(f"a fixture could not be torn down: {type(error).__name__}: {error}")

    def _say_once(self, item):
        """Report settings that have no effect under Derny, once per run."""
        said = plugin.STATE.decided + options.decided_by_markers(options.marker_of(item) or {})
        self._once("settings without effect under Derny", said)
        used = hooks.used(item.config.pluginmanager)
        self._once("hooks of pytest-benchmark that are not called", used)

    def _once(self, what, names):
        new = [f"`{name}`" for name in names if self._is_new(name)]
        if new:
            self.session.log(f"{what}: {', '.join(new)}")

    def _is_new(self, name):
        """Record this name. Return whether no process of this run had recorded it before."""
        folder = os.environ.get(SCRATCH)
        mark = os.path.join(folder or "", f"said-{zlib.crc32(name.encode()):08x}")
        if mark in self.said:
            return False
        self.said.add(mark)
        try:
            if folder:
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        except OSError:
            pass
        return True


def _not_started(error, printed):
    if error is not None:
        return error
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    return PytestError(" ".join(lines[-3:]) or "pytest ended before its loop over tests")
