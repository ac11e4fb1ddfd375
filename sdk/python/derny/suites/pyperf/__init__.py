"""Runs unmodified pyperf scripts. Derny's own module `pyperf` replaces the installed one.

    module.py    the module; names that it does not define come from the installed pyperf
    runner.py    `Runner`: its options and bench_* calls
    bodies.py    the timed bodies
    script.py    running a script; the provider
"""

from .script import Provider


def provider(words):
    """Return the provider of `FILE [ARGUMENT …]`."""
    return Provider(words)
