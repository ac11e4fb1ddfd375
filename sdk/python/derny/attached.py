"""Measures the benchmarks of an interactive session. This process starts the engine as a child.

`attach()` works in every session and notebook. notebook.py contains the additions for IPython.
"""

import json
import subprocess
import sys
import threading

from . import engine, registry
from .session import Session
from .wire import Reader, Writer


class AttachError(RuntimeError):
    """The engine is not installed, or it ended without a result."""


class Result:
    """The result of a measurement. Displayed as a table, and in a notebook also as a chart.

    `document` is the parsed output of `derny show -f json`, and `text` the report for users.
    """

    def __init__(self, text, document):
        self.text, self.document = text, document

    def __repr__(self):
        return self.text.rstrip("\n")

    def svg(self, kind="density", case=None):
        """Return a chart of the given case, or of the first one, as SVG.

        Return None if there is no engine or no result. `kind` is one that `derny plot` supports:
        density, box, trace, history.
        """
        cases = [] if self.document is None else _cases(self.document)
        name = case or (cases[0] if cases else None)
        program = engine.program()
        if name is None or program is None:
            return None
        run = self.document["run"]["id"]
        done = subprocess.run(
            [program, "plot", run, name, "--kind", kind],
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        return done.stdout if done.returncode == 0 else None

    def _repr_html_(self):
        import html

        picture = self.svg() or ""
        return f"<pre>{html.escape(self.text)}</pre>{picture}"


def _cases(document):
    names = []
    for suite in document.get("suites", ()):
        for case in suite.get("cases", ()):
            names.append(case["case"]["id"]["benchmark"])
    return names


# Options that the engine has as flags. All others are settings.
_FLAGS = {"budget", "exclude", "note", "param", "profile", "quick", "save", "suite", "total"}


def attach(*patterns, **options):
    """Measure the benchmarks of this session, or those that patterns select. Return a Result.

    Options are those of `derny dev attach`: `attach("join", budget="2s", quick=True)`. Raise
    AttachError if there is no engine or no result.
    """
    words = [*patterns]
    for key, value in options.items():
        name = key.replace("_", "-")
        if value is False or value is None:
            continue
        if name not in _FLAGS:
            words.append(f"--set={name}={value}")
        elif value is True:
            words.append(f"--{name}")
        else:
            words.append(f"--{name}={value}")
    return run(registry.Provider(), words)


def run(provider, words):
    program = engine.program()
    if program is None:
        raise AttachError(engine.INSTALL)
    child = subprocess.Popen(
        [program, "dev", "attach", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None if _has_descriptor(sys.stderr) else subprocess.PIPE,
    )
    said = _followed(child.stderr)
    session = Attached(provider, child)
    try:
        _apart_from_loops(session.run)
    except BrokenPipeError:
        pass
    except BaseException:
        child.terminate()
        raise
    finally:
        for stream in (child.stdin, child.stdout):
            try:
                stream.close()
            except OSError:
                pass
        child.wait()
        said()
    if not session.is_whole:
        raise AttachError(f"the engine exited with status {child.returncode}; its messages are above")
    return Result("".join(session.text), json.loads("".join(session.json) or "null"))


class Attached(Session):
    """A session that ends with a report and a result from the engine."""

    def __init__(self, provider, child):
        super().__init__(provider, Reader(child.stdout.fileno()), Writer(child.stdin.fileno()))
        self.text, self.json, self.is_whole = [], [], False
        self.verbs["report"] = lambda message: self.text.append(message.needed("text"))
        self.verbs["result"] = lambda message: self.json.append(message.needed("json"))

    def _quit(self):
        self.is_whole = True
        super()._quit()

    def _same_random(self):
        """Do nothing, because the random state belongs to the user."""


def _apart_from_loops(act):
    """Run `act` in another thread if this one has a running event loop, as in a notebook.

    A thread cannot run a second event loop, which asynchronous bodies need.
    """
    asyncio = sys.modules.get("asyncio")
    if asyncio is None or asyncio._get_running_loop() is None:
        return act()
    errors = []

    def apart():
        try:
            act()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=apart)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return None


def _has_descriptor(stream):
    """Return whether the engine can write to the stream directly. In a notebook it cannot."""
    try:
        return stream.fileno() == 2
    except (AttributeError, OSError, ValueError):
        return False


def _followed(stream):
    """Forward the engine's output as it arrives. Return a function that waits for its end."""
    if stream is None:
        return lambda: None

    def follow():
        for line in stream:
            sys.stderr.write(line.decode("utf-8", "replace"))

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()

    def end():
        thread.join()
        stream.close()

    return end
