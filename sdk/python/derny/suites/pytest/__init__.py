"""Tests with the fixture or the marker of pytest-benchmark or pytest-codspeed, as they are."""

import importlib.util
import sys


class NoPytest(Exception):
    """The project's environment has no pytest."""


def provider(words):
    """Return the provider of `--root FOLDER --below PATH [ARGUMENT …] --files FILE …`."""
    if importlib.util.find_spec("pytest") is None:
        raise NoPytest(
            f"this environment has no pytest. Try: {sys.executable} -m pip install pytest"
        )
    from .provider import Provider

    return Provider(words)
