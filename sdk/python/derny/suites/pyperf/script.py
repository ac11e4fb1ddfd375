"""Runs a script as the main program: once to list its cases, and once for each visit.

When it is listed, bench_* calls register a case and return. During a visit, the call of the
requested case serves the engine from within the script. The other calls return at once, as in
pyperf's workers.
"""

import argparse
import os
import sys
import types

from ...wire import Malformed
from . import module, runner


class ScriptError(Malformed):
    """A problem with a script and its remedy, reported without a traceback."""


class Provider:
    """The provider (see ../../session.py) of one script."""

    def __init__(self, words):
        self.file, self.words = os.path.abspath(words[0]), words[1:]
        self.log = lambda message: None
        self.root = os.getcwd()
        sys.path.insert(0, os.path.dirname(self.file))
        module.install()

    def files(self):
        """Run the script as for a listing, so that its imports are loaded. Return its path."""
        try:
            list(self.cases({}, False))
        except Exception:  # reported when its cases are listed
            pass
        return [self.file]

    def around(self, session):
        self.log = session.log
        session.run()

    def cases(self, given, is_test):
        listing = runner.Listing(self.file)
        self._run(listing)
        # A module shared by several scripts creates no runner, and has no cases.
        if listing.has_runner and not listing.cases:
            raise ScriptError(
                "the script made no bench_* call. Does it need an argument? "
                f"Try: derny list {self._short()} --args 'WORDS'"
            )
        yield from listing.cases

    def visit(self, name, texts, loops, serve):
        """Run the script, and serve the turns of one of its cases from within."""
        visit = runner.Visit(name, loops, serve, self.log)
        self._run(visit)
        if not visit.was_reached:
            raise ScriptError(f'the script made no bench_* call for "{name}" this time')

    def _run(self, sink):
        runner.begin(sink)
        # Run each time in the original working directory, because a script may change it.
        folder = os.getcwd()
        main, error = sys.modules["__main__"], argparse.ArgumentParser.error
        sys.argv = [self.file, *self.words]
        argparse.ArgumentParser.error = _refuse
        try:
            _execute(self.file)
        except _Refused as refused:
            raise ScriptError(
                f"the script rejected its arguments: {refused.sentence}. "
                f"Try: derny run {self._short()} --args 'WORDS'{refused.known}"
            ) from None
        except SystemExit as ending:
            if ending.code not in (None, 0):
                raise ScriptError(
                    f"the script exited with status {ending.code}"
                ) from ending
        finally:
            argparse.ArgumentParser.error = error
            sys.modules["__main__"] = main
            runner.begin(None)
            if _folder() != folder:
                os.chdir(folder)

    def _short(self):
        path = os.path.relpath(self.file)
        return self.file if path.startswith("..") else path


def _execute(file):
    with open(file, "rb") as source:
        code = compile(source.read(), file, "exec", dont_inherit=True)
    main = types.ModuleType("__main__")
    main.__file__, main.__spec__, main.__cached__ = file, None, None
    sys.modules["__main__"] = main
    exec(code, main.__dict__)


class _Refused(SystemExit):

    def __init__(self, sentence, known):
        super().__init__(2)
        self.sentence, self.known = sentence, known


def _refuse(parser, message):
    """Replaces the method with which an argument parser ends the process."""
    places = [action for action in parser._actions if not action.option_strings]
    known = [f"{a.dest}: {', '.join(map(str, a.choices))}" for a in places if a.choices]
    raise _Refused(message, f" ({'; '.join(known)})" if known else "")


def _folder():
    try:
        return os.getcwd()
    except OSError:  # the folder was removed
        return None
