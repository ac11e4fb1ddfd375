"""A script is run as the process's main: once for the list of its cases, and once for each visit.

While it lists, bench_* calls register and return. In a visit the one that is meant serves the
engine's turns from inside of the script, and the others return at once, as in pyperf's workers.
"""

import argparse
import os
import sys
import types

from ...wire import Malformed
from . import module, runner


class ScriptError(Malformed):
    """A problem with a script and its remedy, shown as a sentence without a traceback."""


class Provider:
    """The provider (see ../../session.py) of one script."""

    def __init__(self, words):
        self.file, self.words = os.path.abspath(words[0]), words[1:]
        self.log = lambda message: None
        self.root = os.getcwd()
        sys.path.insert(0, os.path.dirname(self.file))
        module.install()

    def files(self):
        """Return the script, which has run up to its bench_* calls."""
        try:
            list(self.cases({}, False))
        except Exception:  # told when its cases are asked for
            pass
        return [self.file]

    def around(self, session):
        """Hold the conversation."""
        self.log = session.log
        session.run()

    def cases(self, given, is_test):
        """Yield the fields of all cases: the bench_* calls that are reached."""
        listing = runner.Listing(self.file)
        self._run(listing)
        # A module that scripts share has no runner, and no cases.
        if listing.has_runner and not listing.cases:
            raise ScriptError(
                "the script has reached no bench_* call. Does it need an argument? "
                f"Try: derny list {self._short()} --args 'WORDS'"
            )
        yield from listing.cases

    def visit(self, name, texts, loops, serve):
        """Run the script, and serve the turns of one of its cases from inside."""
        visit = runner.Visit(name, loops, serve, self.log)
        self._run(visit)
        if not visit.was_reached:
            raise ScriptError(f'the script has reached no bench_* call for "{name}" this time')

    def _run(self, sink):
        runner.begin(sink)
        # A script may change its folder; the next run begins in the original one.
        folder = os.getcwd()
        main, error = sys.modules["__main__"], argparse.ArgumentParser.error
        sys.argv = [self.file, *self.words]
        argparse.ArgumentParser.error = _refuse
        try:
            _execute(self.file)
        except _Refused as refused:
            raise ScriptError(
                f"the script's arguments: {refused.sentence}. "
                f"Try: derny run {self._short()} --args 'WORDS'{refused.known}"
            ) from None
        except SystemExit as ending:
            if ending.code not in (None, 0):
                raise ScriptError(
                    f"the script has ended itself with status {ending.code}"
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
    """Run a file as `python FILE` would."""
    with open(file, "rb") as source:
        code = compile(source.read(), file, "exec", dont_inherit=True)
    main = types.ModuleType("__main__")
    main.__file__, main.__spec__, main.__cached__ = file, None, None
    sys.modules["__main__"] = main
    exec(code, main.__dict__)


class _Refused(SystemExit):
    """An argument parser has refused the script's arguments."""

    def __init__(self, sentence, known):
        super().__init__(2)
        self.sentence, self.known = sentence, known


def _refuse(parser, message):
    """Take the place of a parser's way to end the process."""
    places = [action for action in parser._actions if not action.option_strings]
    known = [f"{a.dest}: {', '.join(map(str, a.choices))}" for a in places if a.choices]
    raise _Refused(message, f" ({'; '.join(known)})" if known else "")


def _folder():
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return None
