"""Finds the engine in DERNY_BIN, in this package or on the PATH, in this order."""

import os
import sys

INSTALL = (
    "derny: the engine is not installed. "
    "Put the `derny` binary on the PATH, or set DERNY_BIN to its path."
)


def carried():
    """Return the path of the engine in this package, or None if the package contains only the SDK."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "engine", "derny")
    return path if os.path.isfile(path) else None


def program():
    """Return the path of the engine, or None if it is not installed."""
    import shutil

    return os.environ.get("DERNY_BIN") or carried() or shutil.which("derny")


def become(words):
    """Replace this process with the engine, which takes over streams, signals and exit status."""
    engine = program()
    if engine is None:
        _fail(INSTALL)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass  # the stream is closed or has no reader
    try:
        os.execv(engine, ["derny", *words])
    except OSError as error:
        _fail(f"derny: cannot start {engine}: {error.strerror}. Check DERNY_BIN.")


def _fail(sentence):
    try:
        os.write(2, f"{sentence}\n".encode())
    except OSError:
        pass
    # sys.exit() would be ignored during interpreter shutdown.
    os._exit(2)
