"""Results of `setup_cache`, computed once per run and side by a process that measures nothing.

The function writes its files and its result to a folder that the engine keeps until the end of
the run. Cases that use them run in that folder, so that relative paths work as under asv.
"""

import os
import pickle
import re
import tempfile

RESULT = "cache.pickle"


def folder(key):
    below = os.environ.get("DERNY_SCRATCH") or _own()
    path = os.path.join(below, "asv-" + re.sub(r"\W+", "-", key))
    os.makedirs(path, exist_ok=True)
    return path


_OWN = []


def _own():
    """Return a temporary folder, for use without an engine's folder."""
    if not _OWN:
        _OWN.append(tempfile.TemporaryDirectory(prefix="derny-asv-"))
    return _OWN[0].name


def make(key, setups, function):
    place, before = folder(key), os.getcwd()
    if os.path.exists(os.path.join(place, RESULT)):
        return
    os.chdir(place)
    try:
        for setup in setups:
            setup()
        made = function()
        draft = os.path.join(place, f"{RESULT}.{os.getpid()}")
        with open(draft, "wb") as file:
            pickle.dump(made, file)
        os.replace(draft, os.path.join(place, RESULT))
    finally:
        os.chdir(before)


def load(key):
    """Return the result of a `setup_cache` function, or None if it has not run."""
    try:
        with open(os.path.join(folder(key), RESULT), "rb") as file:
            return pickle.load(file)
    except FileNotFoundError:
        return None


def agreed(key, decide):
    """Return a decision that applies to all processes of the run, on both sides.

    The first process decides. Sides that call a benchmark in different ways could not be
    compared.
    """
    below = os.environ.get("DERNY_SCRATCH")
    if below is None:
        return decide()
    # Each side has its own folder, and both have the same parent folder.
    path = os.path.join(os.path.dirname(below.rstrip(os.sep)), "calls-" + re.sub(r"\W+", "-", key))
    try:
        with open(path) as file:
            return file.read() == "1"
    except FileNotFoundError:
        draft = f"{path}.{os.getpid()}"
        with open(draft, "w") as file:
            file.write("1" if decide() else "0")
        try:
            os.link(draft, path)  # fails if another process decided first
        except OSError:
            pass
        os.remove(draft)
    with open(path) as file:
        return file.read() == "1"
