"""Location of the engine: DERNY_BIN, else the one in this package, else the search path."""

import os
import sys

INSTALL = (
    "derny: the engine is not installed. "
    "Put the `derny` binary on your PATH, or name it in DERNY_BIN."
)


def carried():
    """Return the path of the engine in this package, or None if it contains the SDK only."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "engine", "derny")
    return path if os.path.isfile(path) else None


def program():
    """Return the program to start as the engine, or None."""
    import shutil

    return os.environ.get("DERNY_BIN") or carried() or shutil.which("derny")


def become(words):
    """Replace this process with the engine and these arguments: streams, signals and status are the
    engine's.
    """
    engine = program()
    if engine is None:
        _fail(INSTALL)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass  # closed, or without a reader
    try:
        os.execv(engine, ["derny", *words])
    except OSError as error:
        _fail(f"derny: {engine} does not start: {error.strerror}. Is DERNY_BIN right?")


def _fail(sentence):
    try:
        os.write(2, f"{sentence}\n".encode())
    except OSError:
        pass
    # Not sys.exit(): this may run when the interpreter is ending, where that would be ignored.
    os._exit(2)
