"""Measures what an interactive session holds: this process stays, and starts the engine beside it.

`attach()` is for any session and notebook; see notebook.py for what IPython has beyond.
"""

import json
import subprocess
import sys
import threading

from . import engine, registry
from .session import Session
from .wire import Reader, Writer


class AttachError(RuntimeError):
    """The engine is not there, or has ended without a result."""


class Result:
    """What came of it. It shows itself as a table, and in a notebook with a picture.

    `document` is what `derny show -f json` prints, `text` what a user reads.
    """

    def __init__(self, text, document):
        self.text, self.document = text, document

    def __repr__(self):
        return self.text.rstrip("\n")

    def svg(self, kind="density", case=None):
        """Return a picture of one case, the first if none is named, as SVG. None without an engine
        or a result.

        `kind` is one that `derny plot` has: density, box, trace, history.
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
    """Return the names of a document's cases, as patterns mean them."""
    names = []
    for suite in document.get("suites", ()):
        for case in suite.get("cases", ()):
            names.append(case["case"]["id"]["benchmark"])
    return names


def attach(*patterns, **options):
    """Measure the benchmarks of this session, or those that patterns select. Return a Result.

    Options are those of `derny attach`: `attach("join", budget="2s", quick=True)`.
    Raises AttachError where there is no engine, or no result.
    """
    words = [*patterns]
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(flag)
        elif value is not False and value is not None:
            words.append(f"{flag}={value}")
    return run(registry.Provider(), words)


def run(provider, words):
    """Measure a provider's cases with an engine that has these words. Return a Result."""
    program = engine.program()
    if program is None:
        raise AttachError(engine.INSTALL)
    child = subprocess.Popen(
        [program, "attach", *words],
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
        raise AttachError(f"the engine has ended with status {child.returncode}; see above for why")
    return Result("".join(session.text), json.loads("".join(session.json) or "null"))


class Attached(Session):
    """A conversation in which the engine tells at its end what came of it."""

    def __init__(self, provider, child):
        super().__init__(provider, Reader(child.stdout.fileno()), Writer(child.stdin.fileno()))
        self.text, self.json, self.is_whole = [], [], False
        self.verbs["report"] = lambda message: self.text.append(message.needed("text"))
        self.verbs["result"] = lambda message: self.json.append(message.needed("json"))

    def _quit(self):
        self.is_whole = True
        super()._quit()

    def _same_random(self):
        """Leave the session's random numbers alone."""


def _apart_from_loops(act):
    """Call where no event loop is running: a notebook's own would be in the way of asynchronous
    bodies.
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
    """Tell whether what the engine prints reaches the user by itself: not in a notebook."""
    try:
        return stream.fileno() == 2
    except (AttributeError, OSError, ValueError):
        return False


def _followed(stream):
    """Pass on what the engine prints, as it comes. Return what waits for its end."""
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
