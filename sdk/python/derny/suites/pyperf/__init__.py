"""Scripts of pyperf, as they are: a module `pyperf` of ours takes the place of the installed one.

    module.py    the module; names that it lacks come from the installed pyperf
    runner.py    `Runner`: its options and its bench_* calls
    bodies.py    what is timed
    script.py    how a script is run; the provider
"""

from .script import Provider


def provider(words):
    """Return the provider of `FILE [ARGUMENT …]`."""
    return Provider(words)
