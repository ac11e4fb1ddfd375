"""Measures unmodified tests that use pytest-benchmark or pytest-codspeed."""

import importlib.util
import sys


class NoPytest(Exception):
    """The project's environment does not contain pytest."""


def provider(words):
    """Return the provider of `--root FOLDER --below PATH [ARGUMENT …] --files FILE …`."""
    if importlib.util.find_spec("pytest") is None:
        raise NoPytest(
            f"pytest is not installed in this environment. Try: {sys.executable} -m pip install pytest"
        )
    from .provider import Provider

    return Provider(words)
